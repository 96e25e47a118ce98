import type { Labels } from '../../kubernetes/label-selector.ts';
import type { Node } from '../../kubernetes/node.ts';
import type { Condition, KubernetesObject } from '../../kubernetes/object.ts';
import type { Pod, PodTemplate } from '../../kubernetes/pod.ts';
import { servicePort, targetPortOf, type Service } from '../../kubernetes/service.ts';
import type { HorizontalPodAutoscaler } from '../../ownership/autoscaler.ts';
import type { ScaledObject } from '../../ownership/keda.ts';
import type { InferenceService } from '../../ownership/kserve.ts';
import { newSelectorOf } from '../new-selector.ts';
import { judgePolicies, policySelections, templatePeer, viewClient, type ClientView, type PolicyVerdict } from '../policies.ts';
import { allNamespaces, allPods, allPolicies, endpointSlicesOf, siblingsOf, workloadSelections } from '../selections.ts';
import type { Access, ClusterState, Unavailable } from '../step-kind.ts';
import { viewWorkload, type Workload, type WorkloadView } from '../workload.ts';
import type { PreflightInput } from './input.ts';
import {
  allAutoscalers,
  allDeployments,
  allNodes,
  allRuntimeClasses,
  allScaledObjects,
  allServices,
  allStatefulSets,
  claimsOf,
  daemonSetsOf,
  inferenceServicesOf,
  jobsOf,
  replicationControllersOf,
  wideReads,
  type WideRead,
} from './wide-reads.ts';

/** A workload of any kind, as far as the preflight looks at it. */
export interface AnyWorkload extends KubernetesObject {
  readonly spec: { readonly replicas?: number; readonly template?: PodTemplate };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Source: Kubernetes API reference, PersistentVolumeClaim v1 core. */
export interface Claim extends KubernetesObject {
  readonly status?: { readonly phase?: string };
}

/** Everything that the checks decide on. */
export interface PreflightFacts {
  readonly input: PreflightInput;
  readonly service: Service | undefined;
  readonly from: WorkloadView;
  readonly to: WorkloadView;
  readonly client: ClientView | undefined;
  /** Where `to`'s pods would get the client's connections; absent when that cannot be resolved. */
  readonly targetPort: number | undefined;
  /** Of the client and a pod that `to` would make. */
  readonly policies: PolicyVerdict | undefined;
  /** The selector that the Service is to get; absent when there is none that would do. */
  readonly newSelector: Labels | undefined;
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly namespaces: readonly KubernetesObject[];
  readonly services: readonly Service[];
  /** Of all namespaces. */
  readonly scalable: readonly Workload[];
  /** Of the Service's namespace, all kinds that make pods. */
  readonly carriers: readonly AnyWorkload[];
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
  readonly scaledObjects: readonly ScaledObject[];
  readonly inferenceServices: readonly InferenceService[];
  readonly claims: readonly Claim[];
  readonly runtimeClasses: readonly KubernetesObject[];
  /** What might not be looked at. */
  readonly forbidden: readonly (WideRead & { readonly unavailable: Unavailable })[];
}

export const preflightAccess = (input: PreflightInput): Access => {
  const { service, from, to, client } = input;
  return {
    reads: [siblingsOf(service), endpointSlicesOf(service), ...workloadSelections(from), ...workloadSelections(to)],
    once: [allServices, ...wideReads(input).map(({ selection }) => selection), ...(client === undefined ? [] : policySelections(client))],
    writes: [],
  };
};

export const gatherFacts = (input: PreflightInput, state: ClusterState): PreflightFacts => {
  const namespace = input.service.namespace;
  const service = state.get<Service>(input.service);
  const from = viewWorkload(input.from, state);
  const to = viewWorkload(input.to, state);
  const client = input.client === undefined ? undefined : viewClient(input.client, state);
  const targetPort = targetPortOn(input, service, to);
  const wish = to.object === undefined ? undefined : newSelectorOf(input.to, to.object, input.selector);
  const scalable = [...state.list<Workload>(allDeployments), ...state.list<Workload>(allStatefulSets)];
  const replicaSets = [...from.replicaSets, ...to.replicaSets];
  return {
    input,
    service,
    from,
    to,
    client,
    targetPort,
    policies:
      client === undefined || targetPort === undefined || to.object === undefined
        ? undefined
        : judgePolicies(client, [{ peer: templatePeer(input.to, to.object.spec.template), port: targetPort, protocol: 'TCP' }], state),
    newSelector: wish !== undefined && 'selector' in wish ? wish.selector : undefined,
    pods: state.list<Pod>(allPods),
    nodes: state.list<Node>(allNodes),
    namespaces: state.list<KubernetesObject>(allNamespaces),
    services: state.list<Service>(allServices),
    scalable,
    carriers: [
      ...scalable.filter(({ metadata }) => metadata.namespace === namespace),
      ...new Set<AnyWorkload>(replicaSets),
      ...state.list<AnyWorkload>(daemonSetsOf(namespace)),
      ...state.list<AnyWorkload>(replicationControllersOf(namespace)),
      ...state.list<AnyWorkload>(jobsOf(namespace)),
    ],
    autoscalers: state.list<HorizontalPodAutoscaler>(allAutoscalers),
    scaledObjects: state.list<ScaledObject>(allScaledObjects),
    inferenceServices: state.list<InferenceService>(inferenceServicesOf(namespace)),
    claims: state.list<Claim>(claimsOf(input.to.namespace)),
    runtimeClasses: state.list<KubernetesObject>(allRuntimeClasses),
    forbidden: [
      ...wideReads(input),
      ...(input.client === undefined ? [] : [{ selection: allPolicies, why: 'whether policies let the client reach the new pods' }]),
    ].flatMap((read) => {
      const unavailable = state.unavailable(read.selection);
      return unavailable?.reason === 'forbidden' ? [{ ...read, unavailable }] : [];
    }),
  };
};

/** Without a port that is given, the Service's first. */
const targetPortOn = ({ port }: PreflightInput, service: Service | undefined, { object }: WorkloadView): number | undefined => {
  if (service === undefined || object === undefined) return undefined;
  const declared = port === undefined ? service.spec.ports?.[0] : servicePort(service, port);
  return declared === undefined ? undefined : targetPortOf(declared, { spec: object.spec.template.spec });
};
