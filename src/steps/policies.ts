import { matchesSelector } from '../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isTerminal, type Pod, type PodTemplate, type Protocol } from '../kubernetes/pod.ts';
import { selectionKey, shortName, type ObjectReference } from '../kubernetes/reference.ts';
import { createPolicyEngine } from '../network/policy/create-policy-engine.ts';
import { peerOfPod, peerOfTemplate, type PodPeer } from '../network/policy/peer.ts';
import { policyInputOf } from '../network/policy/policy-input.ts';
import { clusterPolicies, namespacesNamed, podsIn, policiesIn, siblingsOf } from './selections.ts';
import type { ClusterState, Reading, Trouble } from './step-kind.ts';
import { whyUnknown, unknownIn } from './unknown.ts';
import type { Workload } from './workload.ts';

/**
 * Listed once in a run: the policies of the two ends' namespaces and of the cluster, the two namespaces, the client and its pods. A policy of any
 * other namespace selects pods of its own only.
 */
export const policySelections = (client: ObjectReference, service: ObjectReference): readonly Reading[] => [
  ...networkPoliciesBetween(client, service),
  ...clusterPolicies,
  namespacesNamed(client.namespace, service.namespace),
  ...clientSelections(client),
];

/** Of the namespaces of both ends: one list where they are the same. */
export const networkPoliciesBetween = (client: ObjectReference, service: ObjectReference): readonly Reading[] => [
  ...new Map([client, service].map(({ namespace }) => [selectionKey(policiesIn(namespace)), policiesIn(namespace)])).values(),
];

/** The client, and the pods among which its own are found. */
export const clientSelections = (client: ObjectReference): readonly Reading[] => [
  ...(client.resource.kind === 'Pod' ? [] : [siblingsOf(client)]),
  podsIn(client.namespace),
];

/** A client as policies and preflight see it. */
export interface ClientView {
  readonly reference: ObjectReference;
  readonly object: KubernetesObject | undefined;
  /** Its pods that run. */
  readonly running: readonly Pod[];
  /** As policies see them; of a workload without pods, what its template says. */
  readonly peers: readonly PodPeer[];
}

/**
 * Needs `clientSelections(client)`. The client's pods are found by its selector: policies go by labels, too.
 */
export const viewClient = (reference: ObjectReference, state: ClusterState): ClientView => {
  if (reference.resource.kind === 'Pod') {
    const pod = state.get<Pod>(reference);
    const own = pod === undefined || isTerminal(pod) ? [] : [pod];
    return { reference, object: pod, running: own.filter(isRunning), peers: own.map(peerOfPod) };
  }
  const workload = state.get<Workload>(reference);
  const own = state
    .list<Pod>(podsIn(reference.namespace))
    .filter((pod) => !isTerminal(pod) && matchesSelector(workload?.spec.selector, pod.metadata.labels));
  const fromTemplate = workload === undefined ? [] : [templatePeer(reference, workload.spec.template)];
  return { reference, object: workload, running: own.filter(isRunning), peers: own.length > 0 ? own.map(peerOfPod) : fromTemplate };
};

const isRunning = (pod: Pod): boolean => pod.status?.phase === 'Running';

/** A pod that the workload would make. */
export const templatePeer = ({ namespace = '', name }: ObjectReference, template: PodTemplate): PodPeer =>
  peerOfTemplate(namespace, name, template);

export interface PolicyVerdict {
  readonly verdict: 'allowed' | 'denied' | 'depends';
  /** For what is not allowed: which half, and why. */
  readonly reason: string;
}

/** A wait for an answer that the policies deny is in vain. */
export const pathDenied = (to: ObjectReference, reason: string): Trouble => ({
  code: 'PathDenied',
  object: shortName(to),
  message: reason,
  graceMs: 0,
});

export interface Server {
  readonly peer: PodPeer;
  readonly port: number;
  readonly protocol: Protocol;
}

/**
 * Whether the policies let every pod of the client reach every server, all of which are in the Service's namespace; the worst answer of all pairs.
 * `undefined` when the namespaces' policies could not be read, or there is nobody to judge. What cluster-wide policies say that could not be read
 * is not known: they could deny what the others allow. Needs `policySelections(client, service)`.
 */
export const judgePolicies = (
  client: ClientView,
  service: ObjectReference,
  servers: readonly Server[],
  state: ClusterState,
): PolicyVerdict | undefined => {
  const own = networkPoliciesBetween(client.reference, service);
  if (own.some((selection) => state.unavailable(selection) !== undefined)) return undefined;
  const objects = [...own, ...clusterPolicies].flatMap((selection) => state.list<KubernetesObject>(selection));
  const engine = createPolicyEngine({
    policies: objects.flatMap((object) => policyInputOf(object) ?? []),
    namespaces: state.list<KubernetesObject>(namespacesNamed(client.reference.namespace, service.namespace)),
    peers: [],
  });
  const verdicts = client.peers.flatMap((peer) =>
    servers.map(({ peer: server, port, protocol }): PolicyVerdict => {
      const { verdict, egress, ingress } = engine.path({ client: peer, server, port, protocol });
      const halves = [
        ['egress of the client', egress],
        ['ingress of the server', ingress],
      ] as const;
      const reasons = halves
        .filter(([, half]) => half.verdict === verdict && verdict !== 'allowed')
        .map(([name, half]) => `${name}: ${half.reason}`);
      return { verdict, reason: reasons.join('; ') };
    }),
  );
  const worst =
    verdicts.find(({ verdict }) => verdict === 'denied') ?? verdicts.find(({ verdict }) => verdict === 'depends') ?? verdicts[0];
  const [hidden] = clusterPolicies.flatMap((selection) => {
    const unavailable = unknownIn(selection, state);
    if (unavailable === undefined) return [];
    return [`${unavailable.reason === 'forbidden' ? ', which this user may not look at' : ''}: ${whyUnknown(selection, unavailable)}`];
  });
  if (worst?.verdict !== 'allowed' || hidden === undefined) return worst;
  return { verdict: 'depends', reason: `cluster-wide policies may deny it${hidden}` };
};
