import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import { resources } from '../kubernetes/resource.ts';
import { serviceNameLabel } from '../kubernetes/endpoint-slice.ts';
import { clusterPolicyResources } from '../network/policy/policy-resources.ts';

/*
 * What steps read. Every distinct selection costs a LIST and a WATCH on a real cluster, so all kinds take theirs from here and
 * share them: a hand-over in one namespace watches five.
 */

/** In all namespaces: who takes a freed card, and the client, may live in another one. */
export const allPods: Selection = { resource: resources.pods };

/** In all namespaces, as everything that decides over a path between two of them. Listed once in a run. */
export const allPolicies: Selection = { resource: resources.networkPolicies };
export const clusterPolicies: readonly Selection[] = clusterPolicyResources.map((resource) => ({ resource }));
export const allNamespaces: Selection = { resource: resources.namespaces };

const within = (namespace: string | undefined): { readonly namespace?: string } => (namespace === undefined ? {} : { namespace });

export const replicaSetsOf = (namespace: string | undefined): Selection => ({ resource: resources.replicaSets, ...within(namespace) });

/** Every object of the reference's kind in its namespace. */
export const siblingsOf = (reference: ObjectReference): Selection => ({ resource: reference.resource, ...within(reference.namespace) });

/** Source: Kubernetes API reference, EndpointSlice v1 discovery.k8s.io: the label names the Service. */
export const endpointSlicesOf = (service: ObjectReference): Selection => ({
  resource: resources.endpointSlices,
  ...within(service.namespace),
  labelSelector: `${serviceNameLabel}=${service.name}`,
});

/** A workload, its ReplicaSets and its pods. */
export const workloadSelections = (workload: ObjectReference): readonly Selection[] => [
  siblingsOf(workload),
  ...(workload.resource.kind === 'Deployment' ? [replicaSetsOf(workload.namespace)] : []),
  allPods,
];
