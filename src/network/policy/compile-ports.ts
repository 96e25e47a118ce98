import type { AdminPolicyPort } from '../../kubernetes/admin-network-policy.ts';
import type { ClusterPolicyProtocol, DestinationPort } from '../../kubernetes/cluster-network-policy.ts';
import type { NetworkPolicyPort } from '../../kubernetes/network-policy.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { CompiledPorts, PortEntry } from './compiled-policy.ts';

const lastPort = 65_535;

export const allPorts: CompiledPorts = { entries: 'all', named: false, text: 'every port' };

/**
 * An absent or empty list covers every port of every protocol; an entry without protocol means TCP, one without port every port of its
 * protocol.
 *
 * Source: Kubernetes API reference, NetworkPolicyPort v1 networking.k8s.io.
 */
export const compilePorts = (ports: readonly NetworkPolicyPort[] | null | undefined): CompiledPorts =>
  compileList(ports, ({ protocol = 'TCP', port, endPort }) => {
    if (port === undefined) return { kind: 'range', protocol, from: 1, to: lastPort };
    if (typeof port === 'string') return { kind: 'name', name: port, protocol };
    return { kind: 'range', protocol, from: port, to: endPort ?? port };
  });

/** Source: network-policy-api v0.3.0, ClusterNetworkPolicyProtocol; "API Object Overview", "Rules". */
export const compileClusterPorts = (list: readonly ClusterPolicyProtocol[] | null | undefined): CompiledPorts =>
  compileList(list, ({ tcp, udp, sctp, destinationNamedPort }) => {
    if (destinationNamedPort !== undefined) return { kind: 'name', name: destinationNamedPort };
    if (tcp !== undefined) return compileDestination('TCP', tcp.destinationPort);
    if (udp !== undefined) return compileDestination('UDP', udp.destinationPort);
    if (sctp !== undefined) return compileDestination('SCTP', sctp.destinationPort);
    return { kind: 'unclear', what: 'an entry of protocols in which no known field is set' };
  });

const compileDestination = (protocol: Protocol, port: DestinationPort | undefined): PortEntry => {
  if (port === undefined) return { kind: 'range', protocol, from: 1, to: lastPort };
  if (port.number !== undefined) return { kind: 'range', protocol, from: port.number, to: port.number };
  if (port.range !== undefined) return { kind: 'range', protocol, from: port.range.start, to: port.range.end };
  return { kind: 'unclear', what: `a destinationPort of ${protocol} without number and range` };
};

/** Source: network-policy-api v0.1.7, AdminNetworkPolicyPort. */
export const compileAdminPorts = (ports: readonly AdminPolicyPort[] | null | undefined): CompiledPorts =>
  compileList(ports, ({ portNumber, portRange, namedPort }) => {
    if (namedPort !== undefined) return { kind: 'name', name: namedPort };
    if (portNumber !== undefined) return compileAdminRange(portNumber.protocol, portNumber.port, portNumber.port);
    if (portRange !== undefined) return compileAdminRange(portRange.protocol, portRange.start, portRange.end);
    return { kind: 'unclear', what: 'an entry of ports in which no known field is set' };
  });

/** Its definition lets any text be a protocol. */
const compileAdminRange = (protocol: Protocol = 'TCP', from: number, to: number): PortEntry =>
  ['TCP', 'UDP', 'SCTP'].includes(protocol) ? { kind: 'range', protocol, from, to } : { kind: 'unclear', what: `a protocol ${protocol}` };

const compileList = <Entry>(list: readonly Entry[] | null | undefined, compile: (entry: Entry) => PortEntry): CompiledPorts => {
  if (list === undefined || list === null || list.length === 0) return allPorts;
  const entries = list.map(compile);
  return { entries, named: entries.some(({ kind }) => kind === 'name'), text: entries.map(describe).join(', ') };
};

const describe = (entry: PortEntry): string => {
  switch (entry.kind) {
    case 'unclear':
      return entry.what;
    case 'name':
      return `${entry.protocol === undefined ? 'the port named' : entry.protocol} ${entry.name}`;
    case 'range': {
      const { protocol, from, to } = entry;
      if (from === 1 && to === lastPort) return `every ${protocol} port`;
      return `${protocol} ${from}${from === to ? '' : `-${to}`}`;
    }
  }
};
