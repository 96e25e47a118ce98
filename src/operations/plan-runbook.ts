import type { Clock } from '../clock/clock.ts';
import { ApiError, ConnectionError } from '../cluster/api-error.ts';
import { explainApiError } from '../cluster/explain-api-error.ts';
import type { RunEvent, RunResult } from '../engine/event.ts';
import { makePlan } from '../engine/make-plan.ts';
import { Observation } from '../engine/observation.ts';
import type { Plan } from '../engine/plan.ts';

import { runPlan } from '../engine/run-plan.ts';
import { ClusterJournal } from '../journal/cluster-journal.ts';
import { runName } from '../journal/run-name.ts';
import { resources } from '../kubernetes/resource.ts';
import { selectionKey } from '../kubernetes/reference.ts';
import type { Runbook } from '../runbook/runbook.ts';
import { pathAccess } from '../steps/path.ts';
import { namespacesNamed } from '../steps/selections.ts';
import type { Blocker, Reading } from '../steps/step-kind.ts';
import type { Context } from './context.ts';
import { forbiddenWrites } from './forbidden-writes.ts';
import { again, back } from './invocation.ts';
import { loadOrRefuse } from './load-runbook.ts';
import { openCluster, type OpenCluster } from './open-cluster.ts';
import { planProbes, type ProbesPlan } from './plan-probes.ts';
import { planProbePods, type ProbePodsPlan } from './plan-probe-pods.ts';
import type { PlanRequest } from './plan-request.ts';
import { runWithProbePods, type ProbePodsRun } from './run-with-probe-pods.ts';

/** A plan, and the way to carry it out. Close it in any case. */
export interface PlannedRun {
  readonly plan: Plan;
  /** The run's clock, for views that show how long something has taken. */
  readonly clock: Clock;
  /** Carries out exactly this plan. Never throws for what happens in the cluster: that is in the result. */
  run(listener: (event: RunEvent) => void, signal: AbortSignal): Promise<RunResult>;
  close(): Promise<void>;
}

/**
 * Reads a runbook, looks at the cluster once and decides what a run would do. Nothing is written.
 *
 * @throws PoimenError usage: the runbook or the flags are unusable; refused: the cluster cannot be reached or read.
 */
export const planRunbook = async (request: PlanRequest, context: Context, signal?: AbortSignal): Promise<PlannedRun> => {
  const open = await openCluster(request.cluster, context);
  try {
    const runbook = loadOrRefuse(request, open.defaultNamespace, context);
    return await planOn(open, runbook, { ...request, context, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    await open.close();
    throw error instanceof ApiError || error instanceof ConnectionError ? explainApiError(error, open.cluster.identity) : error;
  }
};

export interface PlanOptions extends Pick<PlanRequest, 'probe' | 'probeImage' | 'invocation'> {
  readonly context: Pick<Context, 'operator' | 'randomBytes'>;
  readonly signal?: AbortSignal;
}

/**
 * The same on a cluster that is open already. Closing the planned run closes it.
 *
 * @throws ApiError, ConnectionError as the first look at the cluster does.
 */
export const planOn = async (open: OpenCluster, runbook: Runbook, options: PlanOptions): Promise<PlannedRun> => {
  const asksItself = options.probe && options.probeImage === undefined;
  // while the cluster is looked at: a process in a pod takes as long as all of that
  const asking =
    asksItself && open.prober !== undefined ? planProbes(open.prober, runbook, open.cluster.identity, options.signal) : undefined;
  asking?.catch(() => undefined); // the observation may fail first
  return plannedRun({ options, open, runbook, observation: await observe(runbook, open, options.signal), asking });
};

const observe = (runbook: Runbook, open: OpenCluster, signal: AbortSignal | undefined): Promise<Observation> => {
  const accesses = runbook.steps.map((step) => step.kind.access(step.input));
  const conditions = runbook.steps.flatMap(({ when, postcondition }) => [when, postcondition]);
  const around = runbook.watched === undefined ? undefined : pathAccess(runbook.watched);
  return Observation.open(
    {
      cluster: open.cluster,
      clock: open.clock,
      watched: unique([
        ...accesses.flatMap(({ reads }) => reads),
        ...conditions.flatMap((condition) => condition?.reads ?? []),
        ...(around?.reads ?? []),
      ]),
      once: unique([
        ...accesses.flatMap(({ once }) => once ?? []),
        ...(around?.once ?? []),
        ...(runbook.clusterUid === undefined ? [] : [kubeSystem]),
      ]),
      alsoOnce: (state) => runbook.steps.flatMap(({ kind, input }) => kind.alsoOnce?.(input, state) ?? []),
      alsoWatched: (state) => runbook.steps.flatMap(({ kind, input }) => kind.alsoReads?.(input, state) ?? []),
    },
    signal,
  );
};

const kubeSystem = namespacesNamed('kube-system');

const unique = (selections: readonly Reading[]): readonly Reading[] => [
  ...new Map(selections.map((selection) => [selectionKey(selection), selection])).values(),
];

interface PlannedParts {
  readonly options: PlanOptions;
  readonly open: OpenCluster;
  readonly runbook: Runbook;
  readonly observation: Observation;
  /** How it asks from the clients' own pods. Absent: it does not. */
  readonly asking: Promise<ProbesPlan> | undefined;
}

const plannedRun = async ({ options, open, runbook, observation, asking }: PlannedParts): Promise<PlannedRun> => {
  const { probe, probeImage, invocation, context, signal: planning } = options;
  const { cluster, clock } = open;
  const prober = probe ? open.prober : undefined;
  const asksFromPods = probe && probeImage !== undefined && (prober ?? cluster.exec) !== undefined;
  const probing = (prober !== undefined || asksFromPods) && runbook.watched?.client !== undefined;
  const judged = makePlan(runbook, observation, cluster.identity, probing);
  const probePods = asksFromPods && !judged.nothingToDo ? await planProbePods(cluster, runbook, probeImage, planning) : undefined;
  const probes = judged.nothingToDo ? undefined : await asking;
  const decided = withProbes(probePods === undefined ? judged : withNotices(judged, probePods), probes);
  const forbidden = open.simulated ? [] : await forbiddenWrites(cluster, decided, journalNamespace(runbook), planning);
  const blockers = [
    ...wrongCluster(runbook, observation),
    ...missingProber(probe && !asksFromPods, open, runbook),
    ...decided.blockers,
    ...forbidden,
  ];
  const warnings = [...notSimulated(open), ...decided.warnings];
  const plan: Plan = { ...decided, blockers, warnings, nothingToDo: decided.nothingToDo && blockers.length === 0 };
  return {
    plan,
    clock,
    run: (listener, signal) => {
      const name = runName(runbook.name, clock.now(), context.randomBytes(4));
      const carryOut: ProbePodsRun['run'] = (from, shown, told) =>
        runPlan({
          plan: shown,
          runbook,
          name,
          cluster,
          clock,
          observation,
          prober: from,
          openJournal: (startedAt) =>
            ClusterJournal.open(cluster, journalNamespace(runbook), {
              run: name,
              runbook: runbook.name,
              hash: runbook.hash,
              operator: context.operator,
              startedAt,
            }),
          simulated: open.simulated,
          commands: { again: again(invocation), back: back(invocation) },
          listener: told,
          signal,
        });
      if (probePods === undefined || probeImage === undefined || plan.blockers.length > 0) return carryOut(prober, plan, listener);
      const { randomBytes } = context;
      return runWithProbePods({ open, runbook, image: probeImage, plan, name, randomBytes, listener, signal, run: carryOut });
    },
    async close() {
      observation.close();
      await open.close();
    },
  };
};

const withNotices = (plan: Plan, { notices, blockers }: ProbePodsPlan): Plan => ({
  ...plan,
  probePods: notices,
  blockers: [...plan.blockers, ...blockers],
});

const withProbes = (plan: Plan, asked: ProbesPlan | undefined): Plan =>
  asked === undefined || (asked.probes.length === 0 && asked.blockers.length === 0)
    ? plan
    : { ...plan, probes: asked.probes, blockers: [...plan.blockers, ...asked.blockers] };

/** The journal lies beside what the run changes: in the namespace of its first object. */
const journalNamespace = (runbook: Runbook): string =>
  Object.values(runbook.objects).find(({ namespace }) => namespace !== undefined)?.namespace ?? 'default';

const wrongCluster = (runbook: Runbook, observation: Observation): readonly Blocker[] => {
  if (runbook.clusterUid === undefined) return [];
  const uid = observation.get<{ metadata: { uid?: string } }>({ resource: resources.namespaces, name: 'kube-system' })?.metadata.uid;
  if (uid === runbook.clusterUid) return [];
  return [
    {
      code: 'WrongCluster',
      reason: `the runbook is for the cluster whose kube-system namespace has UID ${runbook.clusterUid}; here it is ${uid ?? 'not readable'}`,
      nextSteps: ['choose another context: kubectl config get-contexts'],
    },
  ];
};

const notSimulated = ({ notSimulated: names = [] }: OpenCluster): readonly string[] =>
  names.length === 0 ? [] : [`the twin keeps these as they are and simulates nothing of them: ${names.join(', ')}`];

/** Whoever asked for proof is told, not given less. */
const missingProber = (probe: boolean, open: OpenCluster, runbook: Runbook): readonly Blocker[] => {
  if (!probe || open.prober !== undefined || runbook.steps.every(({ kind }) => kind.probe === undefined)) return [];
  return [
    {
      code: 'ProbingUnavailable',
      reason: 'nobody can ask from the side of a client here',
      nextSteps: ['add --no-probe: readiness, EndpointSlices and policies are judged, and plan and summary say "not probed"'],
    },
  ];
};
