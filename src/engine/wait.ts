import type { Clock } from '../clock/clock.ts';
import type { ProbeAnswer, Prober } from '../cluster/prober.ts';
import type { RunbookStep } from '../runbook/runbook.ts';
import type { Probe, Settled, Trouble } from '../steps/step-kind.ts';
import { GoodRounds, probeWords } from './good-rounds.ts';
import type { ProbeEvidence } from './event.ts';
import type { Observation } from './observation.ts';

export interface WaitRequest {
  readonly step: RunbookStep;
  /** What the step's kind observed when the step began. */
  readonly before: unknown;
  readonly observation: Observation;
  readonly clock: Clock;
  /** Absent: probing is off, and the verdict rests on what is observed. */
  readonly prober: Prober | undefined;
  readonly signal: AbortSignal;
  /** Called each time before it sits back: there is time for something else now. */
  idle(): void;
  /** Called when what is waited for changes its words. */
  waiting(missing: string): void;
}

export type WaitResult =
  | {
      readonly kind: 'settled';
      readonly evidence: string | undefined;
      readonly notProbed: boolean;
      readonly probe?: ProbeEvidence;
    }
  | { readonly kind: 'deadline'; readonly missing: string; readonly troubles: readonly Trouble[] }
  | { readonly kind: 'trouble'; readonly troubles: readonly Trouble[] }
  | { readonly kind: 'interrupted'; readonly missing: string };

/**
 * Waits, by watching, until a step's effect can be seen: its kind's `settled`, confirmed by a consistent list where the kind asks
 * for that, its `postcondition`, and its probe answered well often and long enough in a row.
 *
 * Gives up when the deadline passes or when a trouble has lasted longer than its grace, and only if a consistent list still says so: a watch may
 * be behind, and a process that was stopped has seen nothing meanwhile. The time of a stop counts, for the cluster had it; that of a machine's
 * sleep does not.
 */
export const waitUntilSettled = async (request: WaitRequest): Promise<WaitResult> => {
  const { step, observation, clock, signal } = request;
  const deadline = clock.monotonicMs() + step.deadlineMs;
  const troubles = new TroubleRecord();
  const words = new Words(request);

  let version = observation.version;
  let confirmed = false;
  let lookedAgain: string | undefined;
  const good = new GoodRounds();
  let lookAgainAt = Number.POSITIVE_INFINITY;
  let evidence: string | undefined;

  for (;;) {
    version = observation.version;
    const settled = judgeStep(step, observation, request.before);
    const now = clock.monotonicMs();
    if (!settled.done) {
      confirmed = false;
      good.reset();
      troubles.observe(now, settled.troubles ?? []);
      const overdue = troubles.overdue(now);
      const isOver = overdue.length > 0 || now >= deadline;
      if (isOver && lookedAgain === undefined && !signal.aborted) {
        lookedAgain = await lookAgain(request);
        continue;
      }
      if (overdue.length > 0) return { kind: 'trouble', troubles: overdue };
      if (signal.aborted) return { kind: 'interrupted', missing: settled.missing };
      if (isOver) return { kind: 'deadline', missing: `${settled.missing}${lookedAgain}`, troubles: settled.troubles ?? [] };
      lookedAgain = undefined;
      request.idle();
      const speakAt = words.consider(settled.missing, now);
      await observation.next(version, Math.min(deadline, troubles.nextGraceEnd(now), speakAt), signal);
      continue;
    }
    evidence = settled.evidence;

    const toConfirm = step.kind.confirms?.(step.input) ?? [];
    if (!confirmed && toConfirm.length > 0) {
      await observation.confirm(toConfirm, signal);
      confirmed = true;
      continue;
    }

    if (step.kind.probe === undefined) return { kind: 'settled', evidence, notProbed: false };
    const probe = step.kind.probe(step.input, step.kind.observe(step.input, observation));
    if (probe === undefined || request.prober === undefined) return { kind: 'settled', evidence, notProbed: true };
    const round = await askAll(request.prober, probe, signal);
    if (signal.aborted) return { kind: 'interrupted', missing: good.missing(probe) };
    const verdict = probe.judge(round);
    if (verdict.good) {
      good.add(round, clock.monotonicMs());
      lookAgainAt = Number.POSITIVE_INFINITY;
    } else {
      good.reset();
      if (lookAgainAt === Number.POSITIVE_INFINITY) lookAgainAt = clock.monotonicMs() + causeMs;
      if (clock.monotonicMs() >= lookAgainAt) {
        await observation.refresh(signal).catch(() => undefined); // without it the step fails all the same, with less to say
        lookAgainAt = clock.monotonicMs() + causeMs;
      }
    }
    if (good.suffice(probe)) {
      const found = good.evidence();
      return { kind: 'settled', evidence: joined(evidence, probeWords(found)), notProbed: false, probe: found };
    }
    const missing = verdict.good ? good.missing(probe) : verdict.reason;
    if (clock.monotonicMs() >= deadline) return { kind: 'deadline', missing, troubles: [] };
    words.consider(missing, clock.monotonicMs());
    request.idle();
    await pause(request, Math.min(deadline, clock.monotonicMs() + probe.intervalMs));
  }
};

/** Lists what the step watches. Returns what has to be said besides: nothing when that went well. */
const lookAgain = async ({ step, observation, signal }: WaitRequest): Promise<string> => {
  const { reads } = step.kind.access(step.input);
  try {
    await observation.confirm([...reads, ...(step.postcondition?.reads ?? [])], signal);
    return '';
  } catch (error) {
    return signal.aborted ? '' : `, as far as is known: ${error instanceof Error ? error.message : String(error)}`;
  }
};

/** Nobody answers well for so long: what is not watched, policies above all, is read again, for it may name the cause. */
const causeMs = 10_000;

/** Whether the step's effect can be seen now, its postcondition included. */
export const judgeStep = (step: RunbookStep, observation: Observation, before: unknown): Settled => {
  const settled = step.kind.settled(step.input, step.kind.observe(step.input, observation), before);
  if (!settled.done || step.postcondition === undefined) return settled;
  const holds = step.postcondition.evaluate(observation);
  if (holds.kind === 'true') return settled;
  const why = holds.kind === 'error' ? `cannot be judged: ${holds.message}` : 'does not hold yet';
  return { done: false, missing: `postcondition ${step.postcondition.source} ${why}` };
};

/** Sits out the pause between two probes; changes do not shorten it. */
const pause = async ({ observation, clock, signal }: WaitRequest, untilMs: number): Promise<void> => {
  while (clock.monotonicMs() < untilMs && !signal.aborted) await observation.next(observation.version, untilMs, signal);
};

const askAll = (prober: Prober, probe: Probe, signal: AbortSignal): Promise<readonly ProbeAnswer[]> =>
  Promise.all(probe.questions.map((question) => prober.ask(question, signal)));

const joined = (evidence: string | undefined, more: string): string => (evidence === undefined ? more : `${evidence}; ${more}`);

/** What is over within this is not worth telling. */
const quietMs = 300;

/** Tells what is waited for, once it has been the same for a moment. */
class Words {
  private readonly request: WaitRequest;
  private considered: string | undefined;
  private sinceMs = 0;
  private told: string | undefined;

  constructor(request: WaitRequest) {
    this.request = request;
  }

  /** Returns when it wants to be asked again: never, once it has spoken. */
  consider(missing: string, nowMs: number): number {
    if (missing !== this.considered) {
      this.considered = missing;
      this.sinceMs = nowMs;
    }
    if (missing === this.told) return Number.POSITIVE_INFINITY;
    if (nowMs - this.sinceMs < quietMs) return this.sinceMs + quietMs;
    this.told = missing;
    this.request.waiting(missing);
    return Number.POSITIVE_INFINITY;
  }
}

/** Since when each trouble has been there without a break. */
class TroubleRecord {
  private present = new Map<string, { readonly sinceMs: number; readonly trouble: Trouble }>();

  observe(nowMs: number, troubles: readonly Trouble[]): void {
    const keyed = troubles.map((trouble) => [`${trouble.code} ${trouble.object}`, trouble] as const);
    this.present = new Map(keyed.map(([key, trouble]) => [key, { sinceMs: this.present.get(key)?.sinceMs ?? nowMs, trouble }]));
  }

  overdue(nowMs: number): readonly Trouble[] {
    return [...this.present.values()].filter(({ sinceMs, trouble }) => nowMs - sinceMs >= trouble.graceMs).map(({ trouble }) => trouble);
  }

  nextGraceEnd(nowMs: number): number {
    return Math.min(
      Number.POSITIVE_INFINITY,
      ...[...this.present.values()].map(({ sinceMs, trouble }) => sinceMs + trouble.graceMs).filter((end) => end > nowMs),
    );
  }
}
