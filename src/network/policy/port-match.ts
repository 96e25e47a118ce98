import type { NetworkPolicyPort } from '../../kubernetes/network-policy.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import { peerName, type PolicyPeer } from './peer.ts';
import { anyOf, no, truthOf, unknown, yes, type Truth } from './truth.ts';

/**
 * Whether a rule's `ports` cover a port of the destination. An absent or empty list covers every port of every protocol; an
 * entry without protocol means TCP, one without port every port of its protocol.
 *
 * Source: Kubernetes API reference, NetworkPolicyPort v1 networking.k8s.io.
 */
export const matchesPorts = (
  entries: readonly NetworkPolicyPort[] | null | undefined,
  port: number,
  protocol: Protocol,
  destination: PolicyPeer,
): Truth => {
  if (entries === undefined || entries === null || entries.length === 0) return yes;
  return anyOf(entries.map((entry) => matchesPort(entry, port, protocol, destination)));
};

const matchesPort = (entry: NetworkPolicyPort, port: number, protocol: Protocol, destination: PolicyPeer): Truth => {
  if ((entry.protocol ?? 'TCP') !== protocol) return no;
  if (entry.port === undefined) return yes;
  if (typeof entry.port === 'string') return matchesNamedPort(entry.port, port, protocol, destination);
  return truthOf(port >= entry.port && port <= (entry.endPort ?? entry.port));
};

/** Names are the destination pod's own: two pods may give one name to different numbers. An address has no names. */
const matchesNamedPort = (name: string, port: number, protocol: Protocol, destination: PolicyPeer): Truth => {
  if (destination.kind === 'address') return no;
  const numbers = new Set(
    destination.namedPorts.filter((named) => named.name === name && named.protocol === protocol).map((named) => named.port),
  );
  if (!numbers.has(port)) return no;
  if (numbers.size > 1) return unknown(`the CNI: ${peerName(destination)} has several ports named ${name} (${[...numbers].join(', ')})`);
  return yes;
};

/** `TCP 8080-8090, UDP dns`; `every port`. */
export const describePorts = (entries: readonly NetworkPolicyPort[] | null | undefined): string => {
  if (entries === undefined || entries === null || entries.length === 0) return 'every port';
  return entries
    .map(({ protocol = 'TCP', port, endPort }) =>
      port === undefined ? `every ${protocol} port` : `${protocol} ${port}${endPort === undefined ? '' : `-${endPort}`}`,
    )
    .join(', ');
};
