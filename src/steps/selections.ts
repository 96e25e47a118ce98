import type { ObjectReference } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import { serviceNameLabel } from '../kubernetes/endpoint-slice.ts';
import { namespaceNameLabel } from '../network/policy/matching-context.ts';
import { clusterPolicyResources } from '../network/policy/policy-resources.ts';
import { keepBooking, keepNode } from './projections.ts';
import type { Reading } from './step-kind.ts';

/*
 * What steps read. Every distinct selection costs a LIST and, where it is watched, a WATCH on a real cluster, so all kinds take theirs from here and
 * share them: a hand-over watches five, all in its own namespace.
 */

/**
 * Of one namespace, whatever their labels: both sides, whoever else the Service could select, and a pod that lost its labels and still holds
 * its card, in one watch.
 */
export const podsIn = (namespace: string | undefined): Reading => ({ resource: resources.pods, ...within(namespace) });

/** What is bound to a node, of all namespaces, as far as it books something there. */
export const podsOn = (node: string): Reading => ({
  resource: resources.pods,
  fieldSelector: `spec.nodeName=${node}`,
  keep: keepBooking,
});

/** Who still looks for a node, in all namespaces. */
export const unboundPods: Reading = { resource: resources.pods, fieldSelector: 'spec.nodeName=,status.phase=Pending', keep: keepBooking };

/** Every pod of the cluster, as far as it books or asks for something: where the nodes that matter are too many for a list each. */
export const everyPod: Reading = { resource: resources.pods, keep: keepBooking };

export const allNodes: Reading = { resource: resources.nodes, keep: keepNode };

/** Policies of all kinds that may decide over a path between two of these namespaces; and the namespaces, whose labels they select by. */
export const policiesIn = (namespace: string | undefined): Reading => ({ resource: resources.networkPolicies, ...within(namespace) });
export const clusterPolicies: readonly Reading[] = clusterPolicyResources.map((resource) => ({ resource }));
export const namespacesNamed = (...names: readonly (string | undefined)[]): Reading => {
  const distinct = [...new Set(names.filter((name) => name !== undefined))].toSorted();
  return { resource: resources.namespaces, labelSelector: `${namespaceNameLabel} in (${distinct.join(',')})` };
};

const within = (namespace: string | undefined): { readonly namespace?: string } => (namespace === undefined ? {} : { namespace });

export const replicaSetsOf = (namespace: string | undefined): Reading => ({ resource: resources.replicaSets, ...within(namespace) });

/** Every object of the reference's kind in its namespace. */
export const siblingsOf = (reference: ObjectReference): Reading => ({ resource: reference.resource, ...within(reference.namespace) });

/** Source: Kubernetes API reference, EndpointSlice v1 discovery.k8s.io: the label names the Service. */
export const endpointSlicesOf = (service: ObjectReference): Reading => ({
  resource: resources.endpointSlices,
  ...within(service.namespace),
  labelSelector: `${serviceNameLabel}=${service.name}`,
});

/** A workload, its ReplicaSets and its pods. */
export const workloadSelections = (workload: ObjectReference): readonly Reading[] => [
  siblingsOf(workload),
  ...(workload.resource.kind === 'Deployment' ? [replicaSetsOf(workload.namespace)] : []),
  podsIn(workload.namespace),
];
