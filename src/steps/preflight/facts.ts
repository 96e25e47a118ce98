import type { Labels } from '../../kubernetes/label-selector.ts';
import type { Node } from '../../kubernetes/node.ts';
import type { Condition, KubernetesObject } from '../../kubernetes/object.ts';
import type { Pod, PodTemplate } from '../../kubernetes/pod.ts';
import { servicePort, targetPortOf, type Service } from '../../kubernetes/service.ts';
import type { HorizontalPodAutoscaler } from '../../ownership/autoscaler.ts';
import type { ScaledObject } from '../../ownership/keda.ts';
import type { InferenceService } from '../../ownership/kserve.ts';
import { newSelectorOf } from '../new-selector.ts';
import { candidateNodes, distinct } from '../node-pods.ts';
import { judgePolicies, policySelections, templatePeer, viewClient, type ClientView, type PolicyVerdict } from '../policies.ts';
import { allNodes, endpointSlicesOf, everyPod, podsIn, podsOn, siblingsOf, unboundPods, workloadSelections } from '../selections.ts';
import type { Access, ClusterState, Reading, Unavailable } from '../step-kind.ts';
import { unknownIn } from '../unknown.ts';
import { viewWorkload, type Workload, type WorkloadView } from '../workload.ts';
import type { PreflightInput } from './input.ts';
import {
  allAutoscalers,
  allRuntimeClasses,
  allScaledObjects,
  autoscalersOf,
  claimsOf,
  daemonSetsOf,
  deploymentsOf,
  elsewhere,
  inferenceServicesOf,
  jobsOf,
  namesakesOf,
  replicationControllersOf,
  scaledObjectsOf,
  scaledWorkloads,
  statefulSetsOf,
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
  /** Of the namespaces of both sides, on the nodes that matter, and without a node. */
  readonly pods: readonly Pod[];
  /** Those of which it is known what is booked there, and those that the new pods could not go to anyway. */
  readonly nodes: readonly Node[];
  /** Where a side or the Service is missing: what it could be mistaken for. */
  readonly namesakes: readonly KubernetesObject[];
  /** Of the Service's namespace, and those of others that somebody scales. */
  readonly scalable: readonly Workload[];
  /** Of the Service's namespace, all kinds that make pods. */
  readonly carriers: readonly AnyWorkload[];
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
  readonly scaledObjects: readonly ScaledObject[];
  readonly inferenceServices: readonly InferenceService[];
  readonly claims: readonly Claim[];
  readonly runtimeClasses: readonly KubernetesObject[];
  /** What nobody knows, and stands in the way. */
  readonly unknown: readonly (WideRead & { readonly unavailable: Unavailable })[];
  /** What nobody knows either, and only others' pods are known by. */
  readonly unseen: readonly { readonly selection: Reading; readonly what: string; readonly unavailable: Unavailable }[];
}

export const preflightAccess = (input: PreflightInput): Access => {
  const { service, from, to, client } = input;
  return {
    reads: [siblingsOf(service), endpointSlicesOf(service), ...workloadSelections(from), ...workloadSelections(to)],
    once: [...wideReads(input).map(({ selection }) => selection), ...(client === undefined ? [] : policySelections(client, service))],
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
  const own = [...state.list<Workload>(deploymentsOf(namespace)), ...state.list<Workload>(statefulSetsOf(namespace))];
  const { autoscalers, scaledObjects } = scalersIn(input, state);
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
        : judgePolicies(
            client,
            input.service,
            [{ peer: templatePeer(input.to, to.object.spec.template), port: targetPort, protocol: 'TCP' }],
            state,
          ),
    newSelector: wish !== undefined && 'selector' in wish ? wish.selector : undefined,
    pods: distinct(
      ...[from.reference, to.reference, input.service].map((end) => state.list<Pod>(podsIn(end.namespace))),
      ...[...state.list<Node>(allNodes).map(({ metadata }) => podsOn(metadata.name)), unboundPods, everyPod].map((reading) =>
        listIfRead<Pod>(reading, state),
      ),
    ),
    nodes: state.list<Node>(allNodes).filter((node) => isJudged(node, to, state)),
    namesakes: distinct(
      ...[input.service, input.from, input.to].flatMap((reference) => [
        state.list<KubernetesObject>(siblingsOf(reference)),
        listIfRead<KubernetesObject>(namesakesOf(reference), state),
      ]),
    ),
    scalable: [
      ...own,
      ...scaledWorkloads(input, autoscalers, scaledObjects)
        .flatMap((reading) => listIfRead<Workload>(reading, state))
        .filter(({ metadata }) => metadata.namespace !== namespace),
    ],
    carriers: [
      ...own,
      ...new Set<AnyWorkload>(replicaSets),
      ...state.list<AnyWorkload>(daemonSetsOf(namespace)),
      ...state.list<AnyWorkload>(replicationControllersOf(namespace)),
      ...state.list<AnyWorkload>(jobsOf(namespace)),
    ],
    autoscalers,
    scaledObjects,
    inferenceServices: state.list<InferenceService>(inferenceServicesOf(namespace)),
    claims: state.list<Claim>(claimsOf(input.to.namespace)),
    runtimeClasses: state.list<KubernetesObject>(allRuntimeClasses),
    unknown: wideReads(input).flatMap((read) => {
      const unavailable = unknownIn(read.selection, state);
      return unavailable === undefined || isPartlyRead(read, state) ? [] : [{ ...read, unavailable }];
    }),
    unseen: unseenIn(input, state),
  };
};

/** Of the whole cluster, or of the Service's namespace where that is all that may be read. */
export const scalersIn = (
  { service }: PreflightInput,
  state: ClusterState,
): { readonly autoscalers: readonly HorizontalPodAutoscaler[]; readonly scaledObjects: readonly ScaledObject[] } => ({
  autoscalers: [allAutoscalers, autoscalersOf(service.namespace)].flatMap((reading) => listIfRead<HorizontalPodAutoscaler>(reading, state)),
  scaledObjects: [allScaledObjects, scaledObjectsOf(service.namespace)].flatMap((reading) => listIfRead<ScaledObject>(reading, state)),
});

const listIfRead = <T>(reading: Reading, state: ClusterState): readonly T[] => (state.has(reading) ? state.list<T>(reading) : []);

/** What would look empty without being so is left out. */
const isJudged = (node: Node, { object }: WorkloadView, state: ClusterState): boolean =>
  object === undefined ||
  state.has(everyPod) ||
  state.has(podsOn(node.metadata.name)) ||
  candidateNodes(object.spec.template.spec, [node]).length === 0;

const isPartlyRead = ({ own }: WideRead, state: ClusterState): boolean =>
  own !== undefined && state.has(own.selection) && unknownIn(own.selection, state) === undefined;

const unseenIn = (input: PreflightInput, state: ClusterState): PreflightFacts['unseen'] => {
  const ofOthers = [...state.list<Node>(allNodes).map(({ metadata }) => podsOn(metadata.name)), unboundPods, everyPod].map((selection) => ({
    selection,
    what: 'whether pods of other namespaces leave the new ones room, or could take it',
  }));
  const partly = wideReads(input).flatMap((read) =>
    read.own !== undefined && isPartlyRead(read, state) ? [{ selection: read.selection, what: read.own.elsewhere }] : [],
  );
  const { autoscalers, scaledObjects } = scalersIn(input, state);
  const scaled = scaledWorkloads(input, autoscalers, scaledObjects).map((selection) => ({ selection, what: elsewhere }));
  const unseen = [...ofOthers, ...partly, ...scaled].flatMap(({ selection, what }) => {
    const unavailable = unknownIn(selection, state);
    return unavailable === undefined ? [] : [{ selection, what, unavailable }];
  });
  return [...new Map(unseen.map((each) => [each.what, each])).values()];
};

/** Without a port that is given, the Service's first. */
const targetPortOn = ({ port }: PreflightInput, service: Service | undefined, { object }: WorkloadView): number | undefined => {
  if (service === undefined || object === undefined) return undefined;
  const declared = port === undefined ? service.spec.ports?.[0] : servicePort(service, port);
  return declared === undefined ? undefined : targetPortOf(declared, { spec: object.spec.template.spec });
};
