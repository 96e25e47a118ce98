import { ApiError } from '../cluster/api-error.ts';
import { fieldManager, type Cluster } from '../cluster/cluster.ts';
import type { Plan, PlannedProbePodNotice } from '../engine/plan.ts';
import { fullName } from '../kubernetes/reference.ts';
import { apiVersionOf, resources, type Resource } from '../kubernetes/resource.ts';
import type { Blocker } from '../steps/step-kind.ts';

interface Write {
  readonly verb: 'create' | 'patch' | 'delete';
  readonly resource: Resource;
  readonly subresource?: string;
  readonly namespace: string | undefined;
  /** Absent: objects that are not there yet. */
  readonly name?: string;
  readonly what: string;
}

/**
 * Writes that a run of this plan would need and this user may not make: asked before the first one, because in the middle of a
 * hand-over it would be too late. A server that does not say stands in nobody's way.
 *
 * Source: Kubernetes API reference, SelfSubjectAccessReview v1 authorization.k8s.io.
 */
export const forbiddenWrites = async (
  cluster: Cluster,
  plan: Plan,
  journalNamespace: string,
  signal: AbortSignal | undefined,
): Promise<readonly Blocker[]> => {
  const targets = new Map(plan.steps.flatMap(({ mutations }) => mutations.map(({ target }) => [fullName(target), target])));
  const probePods = (plan.nothingToDo ? [] : (plan.probePods ?? [])).flatMap(probePodWrites);
  if (targets.size + probePods.length === 0) return [];
  const journal = { resource: resources.configMaps, namespace: journalNamespace, what: 'the record of the run' };
  const writes: readonly Write[] = [
    ...[...targets].map(([what, { resource, namespace, name }]) => ({ verb: 'patch' as const, resource, namespace, name, what })),
    ...(targets.size === 0
      ? []
      : [
          { verb: 'create' as const, ...journal },
          { verb: 'patch' as const, ...journal },
        ]),
    ...probePods,
  ];
  const answers = await Promise.all(
    writes.map(async (write) => ((await isAllowed(cluster, write, signal)) ? [] : [blockerOf(write, cluster)])),
  );
  return answers.flat();
};

/** Made, asked from and removed. */
const probePodWrites = ({ namespace, client }: PlannedProbePodNotice): readonly Write[] => {
  const pods = { resource: resources.pods, namespace, what: `the probe pod for ${client}` };
  return [
    { verb: 'create', ...pods },
    { verb: 'delete', ...pods },
    { verb: 'create', ...pods, subresource: 'exec' },
  ];
};

const isAllowed = async (
  cluster: Cluster,
  { verb, resource, subresource, namespace, name }: Write,
  signal: AbortSignal | undefined,
): Promise<boolean> => {
  const review = resources.selfSubjectAccessReviews;
  const resourceAttributes = { verb, group: resource.group, resource: resource.plural, subresource, namespace, name };
  try {
    const { status } = await cluster.create(
      review,
      { apiVersion: apiVersionOf(review), kind: review.kind, metadata: { name: '' }, spec: { resourceAttributes } },
      { fieldManager, ...(signal === undefined ? {} : { signal }) },
    );
    return typeof status !== 'object' || status === null || !('allowed' in status) || status.allowed !== false;
  } catch (error) {
    if (error instanceof ApiError) return true;
    throw error;
  }
};

const blockerOf = ({ verb, resource, subresource, namespace, what }: Write, { identity }: Cluster): Blocker => {
  const user = identity.user ?? 'this user';
  const path = subresource === undefined ? resource.plural : `${resource.plural}/${subresource}`;
  const qualified = resource.group === '' ? path : `${path} (${resource.group})`;
  const rule = `{apiGroups: ["${resource.group}"], resources: ["${path}"], verbs: ["${verb}"]}`;
  const where = namespace === undefined ? 'cluster-wide' : `in ${namespace}`;
  return {
    code: 'ForbiddenToWrite',
    reason: `user "${user}" may not ${verb} ${qualified} ${where}: ${what}`,
    nextSteps: [
      `have this rule added to a ${namespace === undefined ? 'ClusterRole' : 'Role'} of "${user}"${namespace === undefined ? '' : ` in ${namespace}`}: ${rule}`,
    ],
  };
};
