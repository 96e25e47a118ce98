import { referenceKey, type ObjectReference, type Selection } from '../../kubernetes/reference.ts';
import { qualifiedName, resources, type Resource } from '../../kubernetes/resource.ts';
import type { HorizontalPodAutoscaler } from '../../ownership/autoscaler.ts';
import type { ScaledObject } from '../../ownership/keda.ts';
import { clientSelections, networkPoliciesBetween } from '../policies.ts';
import { keepDemand, keepLean, keepName } from '../projections.ts';
import { allNodes, namespacesNamed } from '../selections.ts';
import type { Reading } from '../step-kind.ts';
import type { PreflightInput } from './input.ts';

/** A list that only the preflight needs, and what it is for: the words of the blocker when it may not be read. */
export interface WideRead {
  readonly selection: Reading;
  readonly why: string;
  /** The part without which nobody may go on, and what is not known when only that part may be read. */
  readonly own?: { readonly selection: Reading; readonly elsewhere: string };
}

const inNamespace = (resource: Resource, namespace: string | undefined): Reading =>
  namespace === undefined ? { resource } : { resource, namespace };

/** In all namespaces: whom they scale may want the freed card, wherever it is. */
export const allAutoscalers: Reading = { resource: resources.horizontalPodAutoscalers, keep: keepLean };
export const allScaledObjects: Reading = { resource: resources.scaledObjects, keep: keepLean };
export const autoscalersOf = (namespace: string | undefined): Reading => inNamespace(resources.horizontalPodAutoscalers, namespace);
export const scaledObjectsOf = (namespace: string | undefined): Reading => inNamespace(resources.scaledObjects, namespace);

export const allRuntimeClasses: Reading = { resource: resources.runtimeClasses };

export const deploymentsOf = (namespace: string | undefined): Reading => inNamespace(resources.deployments, namespace);
export const statefulSetsOf = (namespace: string | undefined): Reading => inNamespace(resources.statefulSets, namespace);
export const daemonSetsOf = (namespace: string | undefined): Reading => inNamespace(resources.daemonSets, namespace);
export const replicationControllersOf = (namespace: string | undefined): Reading =>
  inNamespace(resources.replicationControllers, namespace);
export const jobsOf = (namespace: string | undefined): Reading => inNamespace(resources.jobs, namespace);
export const inferenceServicesOf = (namespace: string | undefined): Reading => inNamespace(resources.inferenceServices, namespace);
export const claimsOf = (namespace: string | undefined): Reading => inNamespace(resources.persistentVolumeClaims, namespace);

const carriers = 'which workloads carry the label';
/** What is not known without the workloads of other namespaces that somebody scales. */
export const elsewhere = 'whether a workload of another namespace could be scaled up and take the devices';

export const wideReads = ({ service, to, client }: PreflightInput): readonly WideRead[] => [
  { selection: deploymentsOf(service.namespace), why: carriers },
  { selection: statefulSetsOf(service.namespace), why: carriers },
  { selection: daemonSetsOf(service.namespace), why: carriers },
  { selection: replicationControllersOf(service.namespace), why: carriers },
  { selection: jobsOf(service.namespace), why: carriers },
  {
    selection: allAutoscalers,
    why: 'whether an autoscaler scales the workloads',
    own: { selection: autoscalersOf(service.namespace), elsewhere },
  },
  {
    selection: allScaledObjects,
    why: 'whether KEDA scales the workloads',
    own: { selection: scaledObjectsOf(service.namespace), elsewhere },
  },
  { selection: inferenceServicesOf(service.namespace), why: 'whether KServe owns the Service or the workloads' },
  { selection: allNodes, why: 'whether the new pods fit on a node' },
  { selection: claimsOf(to.namespace), why: 'whether the claims of the new pods are bound' },
  { selection: allRuntimeClasses, why: 'whether the RuntimeClass of the new pods is there' },
  ...(client === undefined ? [] : clientReads(client, service)),
];

const clientReads = (client: ObjectReference, service: ObjectReference): readonly WideRead[] => [
  { selection: namespacesNamed(client.namespace, service.namespace), why: 'what policies say of the two namespaces' },
  ...networkPoliciesBetween(client, service).map((selection) => ({ selection, why: 'whether policies let the client reach the new pods' })),
  ...clientSelections(client).map((selection) => ({ selection, why: 'whether the client runs' })),
];

/** For "did you mean": every object of a kind, wherever it is. Who may not list them goes without that hint. */
export const namesakesOf = ({ resource }: ObjectReference): Reading =>
  resource.kind === 'Service' ? { resource, keep: keepName } : workloadsEverywhere(resource);

const workloadsEverywhere = (resource: Resource): Reading => ({ resource, keep: keepDemand });

interface Target extends ObjectReference {
  readonly namespace: string;
}

const aFewTargets = 4;

/** The workloads that somebody scales, besides the two that are handed over: by name, or, where they are many, all of their kind. */
export const scaledWorkloads = (
  { from, to }: PreflightInput,
  autoscalers: readonly HorizontalPodAutoscaler[],
  scaledObjects: readonly ScaledObject[],
): readonly Reading[] => {
  const targets = new Map<string, Target>();
  for (const { metadata, spec } of [...autoscalers, ...scaledObjects]) {
    const { kind = 'Deployment', name } = spec.scaleTargetRef;
    const resource = [resources.deployments, resources.statefulSets].find((candidate) => candidate.kind === kind);
    if (resource === undefined || metadata.namespace === undefined) continue;
    const target: Target = { resource, namespace: metadata.namespace, name };
    targets.set(referenceKey(target), target);
  }
  for (const side of [from, to]) targets.delete(referenceKey(side));
  const distinct = [...targets.values()];
  if (distinct.length > aFewTargets) return [...new Set(distinct.map(({ resource }) => resource))].map(workloadsEverywhere);
  return distinct.map(({ resource, namespace, name }) => ({
    resource,
    namespace,
    fieldSelector: `metadata.name=${name}`,
    keep: keepDemand,
  }));
};

/** The rule that a Role or ClusterRole lacks: `list horizontalpodautoscalers.autoscaling in all namespaces`. */
export const missingRule = ({ resource, namespace }: Selection): string => {
  const where = !resource.namespaced ? '' : namespace === undefined ? ' in all namespaces' : ` in namespace ${namespace}`;
  return `list ${qualifiedName(resource)}${where}`;
};
