import type { Labels } from '../../kubernetes/label-selector.ts';
import { isSidecar, type Pod, type PodSpec, type PodTemplate, type Protocol } from '../../kubernetes/pod.ts';

/** One end of a connection, as policies see it. */
export type PolicyPeer = PodPeer | AddressPeer;

export interface PodPeer {
  readonly kind: 'pod';
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  /** Empty for a pod that does not run yet. */
  readonly addresses: readonly string[];
  readonly hostNetwork: boolean;
  /** Absent until it is scheduled. */
  readonly nodeName?: string;
  readonly nodeAddresses: readonly string[];
  readonly namedPorts: readonly NamedPort[];
}

/** An address that belongs to no pod, or a range of such. */
export interface AddressPeer {
  readonly kind: 'address';
  /** `203.0.113.9`, `203.0.113.0/24`, or first and last: `203.0.113.0-203.0.113.77`; IPv4 or IPv6. */
  readonly address: string;
}

export interface NamedPort {
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number;
}

/** A pod as it runs. Terminal pods are no peers: leave them out, their address may be in use again (kube-router#1056). */
export const peerOfPod = (pod: Pod): PodPeer => ({
  kind: 'pod',
  namespace: pod.metadata.namespace ?? 'default',
  name: pod.metadata.name,
  labels: pod.metadata.labels ?? {},
  addresses: addressList(pod.status?.podIP, pod.status?.podIPs),
  hostNetwork: pod.spec.hostNetwork === true,
  ...(pod.spec.nodeName === undefined ? {} : { nodeName: pod.spec.nodeName }),
  nodeAddresses: addressList(pod.status?.hostIP, pod.status?.hostIPs),
  namedPorts: namedPortsOf(pod.spec),
});

/** A pod that a workload would make: what controllers and webhooks add to it is not known, nor is its address. */
export const peerOfTemplate = (namespace: string, workload: string, template: PodTemplate): PodPeer => ({
  kind: 'pod',
  namespace,
  name: workload,
  labels: template.metadata?.labels ?? {},
  addresses: [],
  hostNetwork: template.spec.hostNetwork === true,
  nodeAddresses: [],
  namedPorts: namedPortsOf(template.spec),
});

/** The first one, as a rule, is in the list, too. */
const addressList = (first: string | undefined, list: readonly { readonly ip: string }[] = []): readonly string[] => {
  const all = list.map(({ ip }) => ip);
  return first === undefined || all.includes(first) ? all : [first, ...all];
};

const namedPortsOf = ({ containers, initContainers }: PodSpec): readonly NamedPort[] => {
  const sidecars = initContainers === undefined ? [] : initContainers.filter(isSidecar);
  if (sidecars.length > 0) return namedPortsIn([...containers, ...sidecars]);
  const known = namedPortsOfContainers.get(containers);
  if (known !== undefined) return known;
  const named = namedPortsIn(containers);
  namedPortsOfContainers.set(containers, named);
  return named;
};

/** Pods of one workload, read from a cluster, have one list of containers between them. */
const namedPortsOfContainers = new WeakMap<PodSpec['containers'], readonly NamedPort[]>();

const namedPortsIn = (containers: PodSpec['containers']): readonly NamedPort[] => {
  const named: NamedPort[] = [];
  for (const { ports = [] } of containers) {
    for (const { name, containerPort, protocol = 'TCP' } of ports)
      if (name !== undefined) named.push({ name, protocol, port: containerPort });
  }
  return named;
};

export const isSamePod = (a: PolicyPeer, b: PolicyPeer): boolean =>
  a.kind === 'pod' && b.kind === 'pod' && a.namespace === b.namespace && a.name === b.name;

/** `pod poimen/poimen-memory`, or the bare address. */
export const peerName = (peer: PolicyPeer): string => (peer.kind === 'pod' ? `pod ${peer.namespace}/${peer.name}` : peer.address);
