import { ApiError } from '../cluster/api-error.ts';
import { fieldManager, type Cluster } from '../cluster/cluster.ts';
import { explainApiError } from '../cluster/explain-api-error.ts';
import type { PlannedProbePodNotice } from '../engine/plan.ts';
import type { Pod } from '../kubernetes/pod.ts';
import { fullName, referenceKey, type ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import { planProbePod } from '../network/probe/probe-pod.ts';
import { readProbePodFacts } from '../network/probe/read-probe-pod-facts.ts';
import { alterationOf, probePodName } from '../network/probe/with-probe-pod.ts';
import type { Runbook } from '../runbook/runbook.ts';
import type { Blocker } from '../steps/step-kind.ts';
import { thisMaker } from './process-maker.ts';

export interface ProbePodsPlan {
  readonly notices: readonly PlannedProbePodNotice[];
  readonly blockers: readonly Blocker[];
}

/** From whose side a run of the runbook asks. */
export const clientsOf = ({ steps, watched }: Runbook): readonly ObjectReference[] => {
  const asking = steps.flatMap(({ kind, input }) =>
    kind.probe === undefined ? [] : [(input as { readonly client?: ObjectReference }).client],
  );
  const clients = [watched?.client, ...asking].filter((client) => client !== undefined);
  return [...new Map(clients.map((client) => [referenceKey(client), client])).values()];
};

/** How long the runbook's steps may take together, and a little more. */
export const probePodDeadlineSeconds = ({ steps }: Runbook): number =>
  Math.ceil(steps.reduce((sum, { deadlineMs }) => sum + deadlineMs, 0) / 1000) + marginSeconds;

const marginSeconds = 120;

/**
 * Which probe pods a run would make, and everything that stands in the way. The server is asked whether it would take them (a dry run:
 * admission, quotas and Pod Security answer, nothing is stored).
 *
 * @throws ApiError, ConnectionError when the cluster cannot be read.
 */
export const planProbePods = async (
  cluster: Cluster,
  runbook: Runbook,
  image: string,
  signal: AbortSignal | undefined,
): Promise<ProbePodsPlan> => {
  const clients = clientsOf(runbook);
  if (clients.length === 0) {
    const reason = 'no step asks from the side of a client, so there is nobody for whom a probe pod could stand';
    return { notices: [], blockers: [{ code: 'NoClientToStandInFor', reason, nextSteps: ['leave out --probe-image, or name a client'] }] };
  }
  const wish = {
    image,
    run: 'planned',
    name: probePodName('planned'),
    maker: thisMaker(),
    deadlineSeconds: probePodDeadlineSeconds(runbook),
  };
  const planned = await Promise.all(clients.map((client) => planOne(cluster, client, wish, signal)));
  return { notices: planned.flatMap(({ notices }) => notices), blockers: planned.flatMap(({ blockers }) => blockers) };
};

const planOne = async (
  cluster: Cluster,
  client: ObjectReference,
  wish: Parameters<typeof planProbePod>[1],
  signal: AbortSignal | undefined,
): Promise<ProbePodsPlan> => {
  const facts = await readProbePodFacts(cluster, client, signal);
  const decision = planProbePod(facts, wish);
  if (decision.kind === 'refused') return { notices: [], blockers: [decision.refusal] };
  const { planned } = decision;
  const notice: PlannedProbePodNotice = {
    client: fullName(client),
    namespace: client.namespace ?? '',
    image: wish.image,
    node: planned.beside.spec.nodeName ?? '',
    imagePresence: planned.image,
    difference: planned.difference,
    notes: planned.notes,
    deadlineSeconds: wish.deadlineSeconds,
  };
  try {
    const stored = (await cluster.create(resources.pods, planned.pod, {
      fieldManager,
      dryRun: true,
      ...(signal === undefined ? {} : { signal }),
    })) as Pod;
    const alteration = alterationOf(facts, planned, stored);
    if (alteration === undefined) return { notices: [notice], blockers: [] };
    const reason = `the probe pod for ${fullName(client)} would be changed on its way in: ${alteration}`;
    return { notices: [notice], blockers: [{ code: 'ProbePodAltered', reason, nextSteps: ['leave out --probe-image'] }] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A webhook that takes no dry run says nothing of the real thing.
    if (error.status.code === 400 && /dry ?run/i.test(error.status.message)) return { notices: [notice], blockers: [] };
    const { code, message, detail = '', nextSteps } = explainApiError(error, cluster.identity);
    return { notices: [notice], blockers: [{ code, reason: `the probe pod for ${fullName(client)}: ${message}: ${detail}`, nextSteps }] };
  }
};
