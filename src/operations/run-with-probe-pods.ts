import type { Prober } from '../cluster/prober.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import type { RunEvent, RunResult } from '../engine/event.ts';
import type { Plan } from '../engine/plan.ts';
import { rfc3339 } from '../engine/rfc3339.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import { createExecProber } from '../network/probe/exec-prober.ts';
import { repeatWhileFresh } from '../network/probe/repeat-while-fresh.ts';
import type { FindVantage } from '../network/probe/vantage.ts';
import { withProbePods, type ProbePods } from '../network/probe/with-probe-pod.ts';
import type { Runbook } from '../runbook/runbook.ts';
import type { OpenCluster } from './open-cluster.ts';
import { clientsOf, probePodDeadlineSeconds } from './plan-probe-pods.ts';
import { isGoneMaker, thisMaker } from './process-maker.ts';

export interface ProbePodsRun {
  readonly open: OpenCluster;
  readonly runbook: Runbook;
  readonly image: string;
  readonly plan: Plan;
  /** The run's name. */
  readonly name: string;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly listener: (event: RunEvent) => void;
  readonly signal: AbortSignal;
  /** The run itself. A plan with blockers ends at once, refused. */
  run(prober: Prober | undefined, plan: Plan, listener: (event: RunEvent) => void): Promise<RunResult>;
}

/**
 * A run that asks from probe pods: they are made before its first write, and gone when it says that it has ended. Where they cannot be
 * had, it is refused.
 */
export const runWithProbePods = async (request: ProbePodsRun): Promise<RunResult> => {
  const { open, runbook, image, plan, name, randomBytes, signal } = request;
  const at = (): string => rfc3339(open.clock.now());
  let ended: Extract<RunEvent, { type: 'runFinished' }> | undefined;
  const warnings: string[] = []; // of the probe pods
  const listener = (event: RunEvent): void => {
    if (event.type === 'runFinished') ended = event;
    else request.listener(event);
  };
  const withWarnings = (result: RunResult): RunResult => ({ ...result, warnings: [...warnings, ...result.warnings] });
  const [first] = plan.steps;
  let began = false;
  try {
    const result = await withProbePods(
      {
        cluster: open.cluster,
        clock: open.clock,
        clients: clientsOf(runbook),
        wish: { image, run: name, maker: thisMaker(), deadlineSeconds: probePodDeadlineSeconds(runbook) },
        randomName: () => Buffer.from(randomBytes(4)).toString('hex'),
        isGone: isGoneMaker,
        warn: (message) => {
          warnings.push(message);
          listener({ type: 'warning', at: at(), message });
        },
        waiting: (missing) => {
          if (first !== undefined) listener({ type: 'waiting', at: at(), step: first.id, missing, sinceMs: 0 });
        },
        signal,
      },
      async (pods) => {
        began = true;
        const from = proberFrom(open, pods);
        const prober = from === undefined ? undefined : repeatWhileFresh(from, open.clock, open.clock.monotonicMs());
        try {
          return await request.run(prober, plan, listener);
        } finally {
          prober?.close?.();
        }
      },
    );
    return withWarnings(result);
  } catch (error) {
    if (began) throw error;
    if (signal.aborted) return withWarnings(await request.run(undefined, plan, listener)); // it finds out at its first step
    if (!(error instanceof PoimenError)) throw error;
    const { code, message, detail, nextSteps } = error;
    const reason = detail === undefined ? message : `${message}: ${detail}`;
    return withWarnings(await request.run(undefined, { ...plan, blockers: [{ code, reason, nextSteps }] }, listener));
  } finally {
    if (ended !== undefined) request.listener({ ...ended, result: withWarnings(ended.result) });
  }
};

const proberFrom = ({ cluster, clock, prober }: OpenCluster, pods: ProbePods): Prober | undefined => {
  if (cluster.exec !== undefined) {
    return createExecProber({ exec: cluster.exec.bind(cluster), clock, findVantage: findProbePod(pods) });
  }
  return prober === undefined ? undefined : askingFrom(prober, pods);
};

const findProbePod =
  (pods: ProbePods): FindVantage =>
  async (client) =>
    pods(client) ?? { kind: 'none', reason: `no probe pod stands in for ${fullName(client)}` };

/** The twin's prober asks from any pod that runs: nothing really runs in it. */
const askingFrom = (prober: Prober, pods: ProbePods): Prober => ({
  ask(question, signal) {
    const vantage = pods(question.client);
    const client: ObjectReference | undefined =
      vantage === undefined ? undefined : { resource: resources.pods, namespace: vantage.namespace, name: vantage.pod };
    return prober.ask(client === undefined ? question : { ...question, client }, signal);
  },
});
