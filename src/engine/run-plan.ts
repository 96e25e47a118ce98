import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock/clock.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Prober } from '../cluster/prober.ts';
import type { Journal, RunState } from '../journal/journal.ts';
import { parsePointer, valueAt } from '../kubernetes/json-pointer.ts';
import { fullName } from '../kubernetes/reference.ts';
import type { Runbook, RunbookStep } from '../runbook/runbook.ts';
import type { PathVerdict } from '../steps/path.ts';
import type { Mutation } from '../steps/step-kind.ts';
import { BackendWatch } from './backend-watch.ts';
import { driftOf } from './drift.ts';
import { failedAt, failureOfError, failureOfWait, failureOfWrite, interruptedAt, type Failure } from './failure.ts';
import type { ChangeResult, RunEvent, RunOutcome, RunResult, StepResult } from './event.ts';
import { changesOf } from './judge-write.ts';
import { KeptConnections } from './kept-connections.ts';
import type { Observation } from './observation.ts';
import type { Plan, PlannedStep } from './plan.ts';
import { checkReachability } from './reachability-check.ts';
import { OwnWrites } from './own-writes.ts';
import { rfc3339 } from './rfc3339.ts';
import { runResult } from './run-result.ts';
import { judgeStep, waitUntilSettled } from './wait.ts';
import { write } from './write.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly runbook: Runbook;
  /** The run's name, as in its journal. */
  readonly name: string;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly observation: Observation;
  /** Absent: probing is off. */
  readonly prober: Prober | undefined;
  /** Called before the first write, and only then: a run that writes nothing leaves no record. */
  openJournal(startedAt: string): Promise<Journal>;
  readonly simulated: boolean;
  /** Commands for the next steps: the same again, and the way back. */
  readonly commands: { readonly again: string; readonly back: string };
  readonly listener: (event: RunEvent) => void;
  /** Aborted: the write in hand is finished and put on record, a wait is left. */
  readonly signal: AbortSignal;
}

/**
 * Carries out a plan, step by step: intent on record, write, observe, done on record.
 *
 * The only place that writes to a cluster for a run. What was planned is checked again when its turn comes, and a step that would
 * now do something else than what was shown stops the run.
 */
export const runPlan = (request: RunRequest): Promise<RunResult> => new Run(request).run();

class Run {
  private readonly request: RunRequest;
  private readonly results = new Map<string, StepResult>();
  private readonly changes: ChangeResult[] = [];
  private readonly ownWrites = new OwnWrites();
  private readonly warnings: string[] = [];
  private backends: BackendWatch | undefined;
  private kept: KeptConnections | undefined;
  private readonly startedAt: string;
  /** Checks that must not hold up the next write; awaited at the end. */
  private readonly backgroundChecks: Promise<void>[] = [];
  /** Between the two sides. Aborted when it is over: an answer that comes later tells nothing about it. */
  private window: AbortController | undefined;
  private journal: Journal | undefined;
  /** Until a step that should have asked could not. */
  private probed = true;
  /** A write may have taken effect: nobody may say that nothing was changed. */
  private isUnsure = false;

  constructor(request: RunRequest) {
    this.request = request;
    this.startedAt = this.at();
  }

  async run(): Promise<RunResult> {
    const { plan, runbook, simulated, prober, observation } = this.request;
    if (plan.blockers.length > 0) return this.finish('refused', { kind: 'failed', reason: 'the plan is blocked', blockers: plan.blockers });
    if (plan.nothingToDo) return this.finish('nothingToDo', undefined);
    this.emit({
      type: 'runStarted',
      at: this.startedAt,
      run: this.request.name,
      runbook: runbook.name,
      cluster: plan.cluster,
      simulated,
      probing: prober !== undefined,
    });
    const { watched } = runbook;
    if (watched !== undefined) {
      this.backends = new BackendWatch(observation, watched.service, (ready) =>
        this.emit({ type: 'backends', at: this.at(), service: fullName(watched.service), ready }),
      );
      if (prober !== undefined) this.kept = new KeptConnections({ watched, observation, prober, signal: this.request.signal });
      this.kept?.look();
    }
    let failure: Failure | undefined;
    try {
      failure = await this.steps();
      await Promise.all(this.backgroundChecks);
      if (failure === undefined) await this.warnOfKeptConnections();
    } finally {
      this.backends?.stop();
    }
    return this.finish(this.outcome(failure), failure);
  }

  private async finish(outcome: RunOutcome, failure: Failure | undefined): Promise<RunResult> {
    const recordTrouble = await this.closeJournal(outcome);
    const result = this.result(outcome, failure, recordTrouble);
    this.emit({ type: 'runFinished', at: this.at(), result });
    return result;
  }

  private async steps(): Promise<Failure | undefined> {
    for (const [index, step] of this.request.runbook.steps.entries()) {
      const planned = this.request.plan.steps[index];
      if (planned === undefined || planned.id !== step.id) throw new Error(`the plan is not of this runbook: no step ${step.id}`);
      const failure = this.request.signal.aborted ? interruptedAt(step, 'not started') : await this.guarded(step, planned);
      if (failure === undefined) continue;
      this.fail(step, failure);
      return failure;
    }
    const undone = this.ownWrites.undone(this.request.observation);
    return undone === undefined ? undefined : { kind: 'failed', reason: undone };
  }

  /** What the cluster answers is an outcome of the step; anything else that is thrown is a bug and goes on up. */
  private async guarded(step: RunbookStep, planned: PlannedStep): Promise<Failure | undefined> {
    const { observation, signal } = this.request;
    try {
      if (this.results.size === 0) await observation.refresh(signal); // what is not watched may have changed while the plan was read
      return await this.step(step, planned);
    } catch (error) {
      if (signal.aborted) return interruptedAt(step, 'interrupted');
      const failure = failureOfError(step, error, this.request.plan.cluster);
      if (failure !== undefined) return failure;
      throw error;
    }
  }

  private async step(step: RunbookStep, planned: PlannedStep): Promise<Failure | undefined> {
    const { observation, clock, prober, signal } = this.request;
    const { kind, input } = step;
    const title = kind.title(input);

    const when = step.when?.evaluate(observation);
    if (when?.kind === 'error') return failedAt(step, `when: ${step.when?.source ?? ''}: ${when.message}`);
    if (when?.kind === 'false') {
      this.skip(step, title, 'when');
      return undefined;
    }

    const undone = this.ownWrites.undone(observation);
    if (undone !== undefined) return failedAt(step, undone);
    const before = kind.observe(input, observation);
    const decision = kind.plan(input, before);
    if (decision.kind === 'blocked') return { ...failedAt(step, 'blocked'), blockers: decision.blockers };
    const mutations = decision.kind === 'change' ? decision.mutations : [];
    if (
      planned.state === 'satisfied' &&
      decision.kind === 'satisfied' &&
      kind.probe === undefined &&
      judgeStep(step, observation, before).done
    ) {
      this.skip(step, title, 'satisfied');
      return undefined;
    }

    if (step.reachability !== 'window') {
      this.window?.abort();
      this.window = undefined;
    }
    const startedMs = clock.monotonicMs();
    this.emit({ type: 'stepStarted', at: this.at(), step: step.id, title });
    if (mutations.length > 0) {
      const drift = driftOf(planned, mutations, observation);
      if (drift !== undefined) return failedAt(step, drift);
      for (const mutation of mutations) {
        const failure = await this.write(step, mutation);
        if (failure !== undefined) return failure;
      }
    }

    const waited = await waitUntilSettled({
      step,
      before,
      observation,
      clock,
      prober,
      signal,
      idle: () => this.storeMeanwhile(),
      waiting: (missing) =>
        this.emit({ type: 'waiting', at: this.at(), step: step.id, missing, sinceMs: Math.round(clock.monotonicMs() - startedMs) }),
    });
    if (waited.kind !== 'settled') return failureOfWait(step, waited);
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    const evidence = waited.evidence === undefined ? {} : { evidence: waited.evidence };
    if (waited.notProbed) this.probed = false;
    const notProbed = waited.notProbed ? { notProbed: true as const } : {};
    const probe = waited.probe === undefined ? {} : { probe: waited.probe };
    this.journal?.record({ type: 'done', at: this.at(), step: step.id, ...evidence });
    this.results.set(step.id, { id: step.id, title, state: 'done', tookMs, ...evidence, ...notProbed, ...probe });
    this.emit({ type: 'stepDone', at: this.at(), step: step.id, tookMs, ...evidence, ...notProbed, ...probe });
    return this.reachabilityAfter(step);
  }

  /** Intent on record first; without it nothing is sent. */
  private async write(step: RunbookStep, mutation: Mutation): Promise<Failure | undefined> {
    const { plan, cluster, clock, observation } = this.request;
    const changes = changesOf(mutation, observation.get(mutation.target));
    this.journal ??= await this.request.openJournal(this.startedAt);
    this.journal.record({
      type: 'intent',
      at: this.at(),
      step: step.id,
      object: fullName(mutation.target),
      patch: mutation.patch,
      preimage: Object.fromEntries(changes.filter(({ before }) => before !== undefined).map(({ path, before }) => [path, before])),
    });
    await this.journal.commit();
    const outcome = await write(cluster, clock, mutation);
    if (outcome.kind === 'altered')
      this.changes.push(...changes.map((change) => ({ ...change, after: valueAt(outcome.object, parsePointer(change.path)) })));
    if (outcome.kind === 'unknown') this.isUnsure = true;
    if (outcome.kind === 'writtenByOthers') {
      this.warn(`${fullName(mutation.target)}: somebody else wrote the same at the same moment; this run had nothing left to write there`);
      return undefined;
    }
    if (outcome.kind !== 'written') return failureOfWrite(step, mutation, outcome, plan.cluster);
    this.changes.push(...changes);
    this.ownWrites.remember(mutation);
    this.emit({ type: 'written', at: this.at(), step: step.id, mutation, resourceVersion: outcome.object.metadata.resourceVersion ?? '' });
    return undefined;
  }

  /**
   * Stores what is on record while something else is waited for; not before, because then the next write would have to wait for it. An
   * error comes up with the next `commit`, before the next write.
   */
  private storeMeanwhile(): void {
    this.journal?.commit().catch(() => undefined);
  }

  /**
   * What the step's phase promises a client. In the window between the two sides the answer is recorded while the run goes on: a
   * client that still gets through is worth a warning, not a longer outage.
   */
  private async reachabilityAfter(step: RunbookStep): Promise<Failure | undefined> {
    const { runbook, observation, clock, prober, signal } = this.request;
    const { watched } = runbook;
    const phase = step.reachability;
    if (watched === undefined || phase === undefined) return undefined;
    if (phase === 'window') this.window ??= new AbortController();
    const over = this.window?.signal;
    const until = over === undefined ? signal : AbortSignal.any([signal, over]);
    const check = async (): Promise<PathVerdict | undefined> => {
      const { met, seen, probed } = await checkReachability({ watched, phase, observation, clock, prober, signal: until });
      if (over?.aborted === true) return undefined;
      this.emit({ type: 'reachability', at: this.at(), step: step.id, expected: phase, met, seen, probed });
      return { met, seen };
    };
    if (phase === 'window' || phase === 'any') {
      this.backgroundChecks.push(this.watchWindow(step, check, until));
      return undefined;
    }
    const verdict = await check();
    if (verdict === undefined || verdict.met) return undefined;
    const { seen } = verdict;
    return signal.aborted ? interruptedAt(step, seen) : failedAt(step, `a client of ${fullName(watched.service)} finds: ${seen}`);
  }

  /** Never throws: it may fail long before the run ends, and an interrupt makes it fail. */
  private async watchWindow(step: RunbookStep, check: () => Promise<PathVerdict | undefined>, until: AbortSignal): Promise<void> {
    try {
      await nextTurn(); // by then the next write is on its way
      this.kept?.look();
      const verdict = await check();
      if (verdict?.met === false) this.warn(`after ${step.id}: expected nobody behind the Service, but ${verdict.seen}`);
    } catch (error) {
      if (until.aborted) return;
      this.warn(`after ${step.id}: nobody could be asked: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async warnOfKeptConnections(): Promise<void> {
    const found = await this.kept?.find();
    if (found !== undefined) this.warn(found);
  }

  private warn(message: string): void {
    this.warnings.push(message);
    this.emit({ type: 'warning', at: this.at(), message });
  }

  private skip(step: RunbookStep, title: string, reason: 'satisfied' | 'when'): void {
    this.journal?.record({ type: 'skipped', at: this.at(), step: step.id, reason });
    this.results.set(step.id, { id: step.id, title, state: reason === 'when' ? 'skipped' : 'satisfied' });
    this.emit({ type: 'stepSkipped', at: this.at(), step: step.id, title, reason });
  }

  private fail(step: RunbookStep, failure: Failure): void {
    this.journal?.record({ type: 'failed', at: this.at(), step: step.id, reason: failure.reason });
    const state = failure.kind === 'interrupted' ? 'interrupted' : 'failed';
    this.results.set(step.id, { id: step.id, title: step.kind.title(step.input), state });
    this.emit({
      type: 'stepFailed',
      ...(failure.kind === 'interrupted' ? { interrupted: true as const } : {}),
      at: this.at(),
      step: step.id,
      reason: failure.reason,
      troubles: failure.troubles ?? [],
      blockers: failure.blockers ?? [],
    });
  }

  private outcome(failure: Failure | undefined): RunOutcome {
    if (failure === undefined) return 'completed';
    if (failure.kind === 'interrupted') return 'interrupted';
    return this.changes.length === 0 && !this.isUnsure ? 'refused' : 'halted';
  }

  private async closeJournal(outcome: RunOutcome): Promise<string | undefined> {
    const state: Exclude<RunState, 'open'> = outcome === 'completed' || outcome === 'interrupted' ? outcome : 'halted';
    try {
      await this.journal?.finish(state);
      return undefined;
    } catch (error) {
      const message = `the end of this run could not be put on record: ${error instanceof Error ? error.message : String(error)}`;
      this.warn(message);
      return message;
    }
  }

  private result(outcome: RunOutcome, failure: Failure | undefined, recordTrouble: string | undefined): RunResult {
    const { plan, runbook, name, simulated, prober, commands } = this.request;
    return runResult({
      plan,
      outcome,
      failure:
        failure === undefined || recordTrouble === undefined ? failure : { ...failure, reason: `${failure.reason}; ${recordTrouble}` },
      run: this.journal === undefined ? undefined : name,
      runbook: runbook.name,
      simulated,
      probed: prober !== undefined && this.probed,
      startedAt: this.startedAt,
      finishedAt: this.at(),
      results: this.results,
      changes: this.changes,
      outage: this.backends?.outage(),
      warnings: this.warnings,
      commands,
    });
  }

  private emit(event: RunEvent): void {
    this.request.listener(event);
  }

  private at(): string {
    return rfc3339(this.request.clock.now());
  }
}
