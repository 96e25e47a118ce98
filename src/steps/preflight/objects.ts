import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '../../errors/nearest-name.ts';
import { wantedReplicas } from '../../kubernetes/deployment.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../../kubernetes/reference.ts';
import { missingObject, objectBeingDeleted, workloadPaused } from '../blockers.ts';
import { isPausedWorkload } from '../workload.ts';
import type { PreflightFacts } from './facts.ts';
import { asFinding, blocks, warns, type Finding } from './finding.ts';
import { podCount } from '../pod-count.ts';

/** The objects are there, are what they should be, and are not about to go. */
export const checkObjects = (facts: PreflightFacts): readonly Finding[] => {
  const { input, service, from, to } = facts;
  return [
    ...existing(input.service, service, facts.namesakes),
    ...existing(input.from, from.object, facts.namesakes),
    ...existing(input.to, to.object, facts.namesakes),
    ...[from, to].flatMap(({ reference, object }) =>
      object !== undefined && isPausedWorkload(object) ? [asFinding(workloadPaused(reference))] : [],
    ),
    ...sameObject(facts),
    ...namespaces(facts),
    ...severalReplicas(facts),
  ];
};

const existing = (
  reference: ObjectReference,
  object: KubernetesObject | undefined,
  everywhere: readonly KubernetesObject[],
): readonly Finding[] => {
  if (object?.metadata.deletionTimestamp !== undefined) return [asFinding(objectBeingDeleted(reference, object))];
  if (object !== undefined) return [];
  const meant = likelyMeant(reference, everywhere);
  if (meant.length === 0) return [asFinding(missingObject(reference))];
  return [blocks('ObjectMissing', missingObject(reference).reason, `did you mean ${meant.join(' or ')}?`)];
};

/** The same name in other namespaces, else a name in this namespace that is easily mistyped as the given one. */
const likelyMeant = (reference: ObjectReference, everywhere: readonly KubernetesObject[]): readonly string[] => {
  const sameKind = everywhere.filter(({ kind }) => kind === reference.resource.kind).map(({ metadata }) => metadata);
  const elsewhere = sameKind.filter(({ name }) => name === reference.name);
  if (elsewhere.length > 0) {
    return elsewhere.map(({ namespace }) => fullName({ ...reference, ...(namespace === undefined ? {} : { namespace }) }));
  }
  const here = sameKind.filter(({ namespace }) => namespace === reference.namespace).map(({ name }) => name);
  const nearest = nearestName(reference.name, here);
  return nearest === undefined ? [] : [fullName({ ...reference, name: nearest })];
};

const sameObject = ({ input }: PreflightFacts): readonly Finding[] =>
  isDeepStrictEqual(input.from, input.to)
    ? [blocks('SameWorkload', `from and to are the same: ${fullName(input.from)}`, 'name the workload that is to take over')]
    : [];

/** A Service selects pods of its own namespace only. */
const namespaces = ({ input }: PreflightFacts): readonly Finding[] =>
  [input.from, input.to]
    .filter(({ namespace }) => namespace !== input.service.namespace)
    .map((workload) =>
      blocks(
        'OtherNamespace',
        `${fullName(workload)} is not in the namespace of ${fullName(input.service)}, which selects pods of its own only`,
        `hand over to a workload in namespace ${input.service.namespace}`,
      ),
    );

const severalReplicas = ({ from, input }: PreflightFacts): readonly Finding[] => {
  const replicas = from.object === undefined ? 0 : wantedReplicas(from.object);
  return replicas > 1
    ? [
        warns(
          `${fullName(input.from)} has ${podCount(replicas)}, all of which go before ${input.replicas} of ${fullName(input.to)} ${input.replicas === 1 ? 'starts' : 'start'}`,
        ),
      ]
    : [];
};
