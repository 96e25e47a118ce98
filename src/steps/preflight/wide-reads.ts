import type { Selection } from '../../kubernetes/reference.ts';
import { qualifiedName, resources, type Resource } from '../../kubernetes/resource.ts';
import { allNamespaces } from '../selections.ts';
import type { PreflightInput } from './input.ts';

/** A list that only the preflight needs, and what it is for: the words of the blocker when it may not be read. */
export interface WideRead {
  readonly selection: Selection;
  readonly why: string;
}

const everywhere = (resource: Resource): Selection => ({ resource });

/** Only for "did you mean": who may not list them goes without that hint. */
export const allServices = everywhere(resources.services);

/** In all namespaces, so that an object that is not where it was looked for is found where it is. */
export const allDeployments = everywhere(resources.deployments);
export const allStatefulSets = everywhere(resources.statefulSets);
export const allAutoscalers = everywhere(resources.horizontalPodAutoscalers);
export const allScaledObjects = everywhere(resources.scaledObjects);
export const allNodes = everywhere(resources.nodes);
export const allRuntimeClasses = everywhere(resources.runtimeClasses);

const inNamespace = (resource: Resource, namespace: string | undefined): Selection =>
  namespace === undefined ? { resource } : { resource, namespace };

export const daemonSetsOf = (namespace: string | undefined): Selection => inNamespace(resources.daemonSets, namespace);
export const replicationControllersOf = (namespace: string | undefined): Selection =>
  inNamespace(resources.replicationControllers, namespace);
export const jobsOf = (namespace: string | undefined): Selection => inNamespace(resources.jobs, namespace);
export const inferenceServicesOf = (namespace: string | undefined): Selection => inNamespace(resources.inferenceServices, namespace);
export const claimsOf = (namespace: string | undefined): Selection => inNamespace(resources.persistentVolumeClaims, namespace);

export const wideReads = ({ service, to }: PreflightInput): readonly WideRead[] => [
  { selection: allDeployments, why: 'which workloads carry the label, and which parked ones could take the devices' },
  { selection: allStatefulSets, why: 'which workloads carry the label, and which parked ones could take the devices' },
  { selection: daemonSetsOf(service.namespace), why: 'which workloads carry the label' },
  { selection: replicationControllersOf(service.namespace), why: 'which workloads carry the label' },
  { selection: jobsOf(service.namespace), why: 'which workloads carry the label' },
  { selection: allAutoscalers, why: 'whether an autoscaler scales the workloads' },
  { selection: allScaledObjects, why: 'whether KEDA scales the workloads' },
  { selection: inferenceServicesOf(service.namespace), why: 'whether KServe owns the Service or the workloads' },
  { selection: allNodes, why: 'whether the new pods fit on a node' },
  { selection: claimsOf(to.namespace), why: 'whether the claims of the new pods are bound' },
  { selection: allRuntimeClasses, why: 'whether the RuntimeClass of the new pods is there' },
  { selection: allNamespaces, why: 'which cluster this is, and what policies say of its namespaces' },
];

/** The rule that a Role or ClusterRole lacks: `list horizontalpodautoscalers.autoscaling in all namespaces`. */
export const missingRule = ({ resource, namespace }: Selection): string => {
  const where = !resource.namespaced ? '' : namespace === undefined ? ' in all namespaces' : ` in namespace ${namespace}`;
  return `list ${qualifiedName(resource)}${where}`;
};
