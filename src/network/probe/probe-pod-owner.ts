import { matchesSelector, type Labels } from '../../kubernetes/label-selector.ts';
import type { ObjectMeta, OwnerReference } from '../../kubernetes/object.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import { apiVersionOf, resources, type Resource } from '../../kubernetes/resource.ts';
import type { ProbePodFacts } from './probe-pod-facts.ts';

export interface Ownership {
  readonly owner: OwnerReference;
  /** The owner tells a PodDisruptionBudget how many pods there should be, and the probe pod changes nothing about that. */
  readonly isCounted: boolean;
}

/**
 * Who owns a probe pod with these labels, so that it goes with its client, and so that no controller takes it over.
 *
 * An owner has to be in the same namespace, which the run's record, as a rule, is not; the client itself always is. A controller leaves
 * alone what has another one as its controller, whatever the labels. A Deployment can be that: it manages ReplicaSets and never claims
 * pods, and a PodDisruptionBudget that asks it gets the same answer as from the client's own pods. Any other workload would claim a pod
 * that names it; there the client's pod takes the part, if something would adopt the probe pod at all. A StatefulSet never does: it goes
 * by names.
 *
 * Source: Kubernetes, "Owners and Dependents"; `pkg/controller/controller_ref_manager.go`, `pkg/controller/disruption`,
 * `pkg/controller/statefulset` (`isMemberOf`).
 */
export const ownershipOf = ({ client, object, adopters }: ProbePodFacts, pod: Pod, labels: Labels): Ownership => {
  const itself = referenceTo(client.resource, (object ?? pod).metadata);
  if (client.resource.kind === 'Deployment') return { owner: { ...itself, controller: true }, isCounted: true };
  const isAdoptable =
    adopters === undefined ||
    adopters.some(({ reference, selector }) => reference.resource.kind !== 'StatefulSet' && matchesSelector(selector, labels));
  return isAdoptable
    ? { owner: { ...referenceTo(resources.pods, pod.metadata), controller: true }, isCounted: false }
    : { owner: itself, isCounted: false };
};

const referenceTo = (resource: Resource, { name, uid = '' }: ObjectMeta): OwnerReference => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  name,
  uid,
});
