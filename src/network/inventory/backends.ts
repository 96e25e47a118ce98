import { endpointsOf, type Endpoint, type EndpointSlice } from '../../kubernetes/endpoint-slice.ts';
import { matchesEqualities } from '../../kubernetes/label-selector.ts';
import { isPodReady, isTerminating, type Protocol } from '../../kubernetes/pod.ts';
import { isHeadless, servicePort, type ServicePort } from '../../kubernetes/service.ts';
import type { PodPeer, PolicyPeer } from '../policy/peer.ts';
import type { InventoryPod, NetworkPeer } from './peers.ts';
import type { ServiceEntry } from './service-entry.ts';

/** One place behind a Service. */
export interface Backend {
  /** A pod, real or hypothetical; or an address that belongs to none. */
  readonly peer: PolicyPeer;
  /** The workload that it belongs to. */
  readonly owner?: NetworkPeer;
  readonly templateOnly: boolean;
  /** After translation. Absent: the pod has no port of the wanted name and protocol, and gets no endpoint for it. */
  readonly port: number | undefined;
  /**
   * Whether new connections go there now. `hypothetical`: it is not there, or was not asked. `terminating`: only while no other is
   * ready.
   */
  readonly state: 'ready' | 'notReady' | 'terminating' | 'hypothetical';
  readonly nodeName?: string;
}

/**
 * All that is behind a Service's port, ready or not. EndpointSlices say it where there are any; elsewhere the pods and pod templates
 * that the Service selects. A headless Service translates nothing: who dials it dials the pod, on the port that he names.
 *
 * Sources: Kubernetes, "Service", "EndpointSlices"; API reference, ServicePort `targetPort`.
 */
export const backendsOf = (entry: ServiceEntry, port: number, protocol: Protocol, peers: readonly NetworkPeer[]): readonly Backend[] => {
  const { service, slices, namespace } = entry;
  const declared = isHeadless(service) ? ({ port, protocol } satisfies ServicePort) : servicePort(service, port, protocol);
  if (declared === undefined) return [];
  const fromSlices = slices.length === 0 ? [] : endpointBackends(slices, declared, isHeadless(service), peers);
  if (fromSlices.length > 0) return fromSlices;
  return peers
    .filter((owner) => owner.namespace === namespace)
    .flatMap((owner) =>
      owner.pods
        .filter(({ peer }) => matchesEqualities(service.spec.selector, peer.labels))
        .map(({ peer, pod }): Backend => {
          const node = peer.nodeName === undefined ? {} : { nodeName: peer.nodeName };
          const isThere = pod?.status !== undefined;
          const state = isThere ? stateOf(pod, service.spec.publishNotReadyAddresses) : 'hypothetical';
          return { peer, owner, templateOnly: pod === undefined, port: targetPortOn(declared, peer), state, ...node };
        }),
    );
};

const stateOf = (pod: NonNullable<InventoryPod['pod']>, publishNotReady = false): Backend['state'] => {
  if (publishNotReady) return 'ready';
  if (!isPodReady(pod)) return 'notReady';
  return isTerminating(pod) ? 'terminating' : 'ready';
};

/** By name and protocol, containers before sidecars; the first one wins, as for the endpoints controller. */
const targetPortOn = ({ port, targetPort = port, protocol = 'TCP' }: ServicePort, pod: PodPeer): number | undefined => {
  if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort;
  return pod.namedPorts.find((named) => named.name === targetPort && named.protocol === protocol)?.port;
};

/** A pod of a dual-stack Service has an endpoint in each family: it counts once. */
const endpointBackends = (
  slices: readonly EndpointSlice[],
  declared: ServicePort,
  headless: boolean,
  peers: readonly NetworkPeer[],
): readonly Backend[] => {
  const endpoints = endpointsOf(slices);
  const pods = new PodIndex(peers);
  const backends = new Map<string, Backend>();
  const add = (endpoint: Endpoint, state: Backend['state']): void => {
    const found = pods.find(endpoint);
    const peer: PolicyPeer = found?.pod.peer ?? { kind: 'address', address: endpoint.address };
    const key = peer.kind === 'pod' ? `${peer.namespace}/${peer.name}` : peer.address;
    if (backends.has(key)) return;
    const nodeName = endpoint.nodeName ?? found?.pod.peer.nodeName;
    backends.set(key, {
      peer,
      ...(found === undefined ? {} : { owner: found.owner }),
      templateOnly: false,
      port: headless ? declared.port : endpoint.ports.find(({ name = '' }) => name === (declared.name ?? ''))?.port,
      state,
      ...(nodeName === undefined ? {} : { nodeName }),
    });
  };
  for (const endpoint of endpoints.ready) add(endpoint, 'ready');
  for (const endpoint of endpoints.serving)
    add(endpoint, endpoints.terminating.some((other) => isSame(endpoint, other)) ? 'terminating' : 'notReady');
  for (const endpoint of endpointsOf(slices.map(withoutConditions)).ready) add(endpoint, 'notReady');
  return [...backends.values()];
};

/** An unknown condition counts as ready: so everything that is listed is there. */
const withoutConditions = (slice: EndpointSlice): EndpointSlice => ({
  ...slice,
  endpoints: (slice.endpoints ?? []).map(({ conditions: _conditions, ...endpoint }) => endpoint),
});

const isSame = (a: Endpoint, b: Endpoint): boolean => a.uid === b.uid && a.address === b.address;

/** Which pod an endpoint is: by UID where the slice says it, else by address. */
class PodIndex {
  private readonly byUid = new Map<string, Found>();
  private readonly byAddress = new Map<string, Found>();

  constructor(peers: readonly NetworkPeer[]) {
    for (const owner of peers) {
      for (const pod of owner.pods) {
        const uid = pod.pod?.metadata.uid;
        if (uid !== undefined) this.byUid.set(uid, { owner, pod });
        if (!pod.peer.hostNetwork) for (const address of pod.peer.addresses) this.byAddress.set(address, { owner, pod });
      }
    }
  }

  find({ uid, address }: Endpoint): Found | undefined {
    return (uid === undefined ? undefined : this.byUid.get(uid)) ?? this.byAddress.get(address);
  }
}

interface Found {
  readonly owner: NetworkPeer;
  readonly pod: InventoryPod;
}
