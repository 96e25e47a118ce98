import { matchesSelector } from '../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { isTerminal, type Pod, type PodTemplate, type Protocol } from '../kubernetes/pod.ts';
import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import { createPolicyEngine } from '../network/policy/create-policy-engine.ts';
import { peerOfPod, peerOfTemplate, type PodPeer } from '../network/policy/peer.ts';
import { policyInputOf } from '../network/policy/policy-input.ts';
import { allNamespaces, allPods, allPolicies, clusterPolicies } from './selections.ts';
import type { ClusterState } from './step-kind.ts';
import type { Workload } from './workload.ts';

/**
 * Listed once in a run: policies, namespaces, and the client's workload. That one in all namespaces, because the preflight reads the
 * same list: it costs nothing more.
 */
export const policySelections = (client: ObjectReference): readonly Selection[] => [
  allPolicies,
  ...clusterPolicies,
  allNamespaces,
  ...(client.resource.kind === 'Pod' ? [] : [{ resource: client.resource }]),
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
 * Needs `policySelections(client)` and `allPods`. The client's pods are found by its selector: policies go by labels, too.
 */
export const viewClient = (reference: ObjectReference, state: ClusterState): ClientView => {
  if (reference.resource.kind === 'Pod') {
    const pod = state.get<Pod>(reference);
    const own = pod === undefined || isTerminal(pod) ? [] : [pod];
    return { reference, object: pod, running: own.filter(isRunning), peers: own.map(peerOfPod) };
  }
  const workload = state.get<Workload>(reference);
  const own = state
    .list<Pod>(allPods)
    .filter(
      (pod) =>
        pod.metadata.namespace === reference.namespace && !isTerminal(pod) && matchesSelector(workload?.spec.selector, pod.metadata.labels),
    );
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

export interface Server {
  readonly peer: PodPeer;
  readonly port: number;
  readonly protocol: Protocol;
}

/**
 * Whether the policies let every pod of the client reach every server; the worst answer of all pairs. `undefined` when the policies
 * may not be read, or there is nobody to judge.
 */
export const judgePolicies = (client: ClientView, servers: readonly Server[], state: ClusterState): PolicyVerdict | undefined => {
  if (state.unavailable(allPolicies) !== undefined) return undefined;
  // who has no right to a kind is refused even where the server does not have it: no answer counts as none of them
  const objects = [allPolicies, ...clusterPolicies].flatMap((selection) => state.list<KubernetesObject>(selection));
  const engine = createPolicyEngine({
    policies: objects.flatMap((object) => policyInputOf(object) ?? []),
    namespaces: state.list<KubernetesObject>(allNamespaces),
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
  return verdicts.find(({ verdict }) => verdict === 'denied') ?? verdicts.find(({ verdict }) => verdict === 'depends') ?? verdicts[0];
};
