import { backendsOf } from '../inventory/backends.ts';
import type { ServiceEntry } from '../inventory/service-entry.ts';
import type { PodPeer, PolicyPeer } from '../policy/peer.ts';
import type { Note } from './answer.ts';
import type { Connection } from './connections.ts';
import { judgePath } from './judge-path.ts';
import type { QueryWorld } from './query-world.ts';

/** Kubernetes' own name server, by the label that every distribution keeps. Source: Kubernetes, "DNS for Services and Pods"; kubeadm's manifests. */
const nameServer: PodPeer = {
  kind: 'pod',
  namespace: 'kube-system',
  name: 'kube-dns',
  labels: { 'k8s-app': 'kube-dns' },
  addresses: [],
  hostNetwork: false,
  nodeAddresses: [],
  namedPorts: [
    { name: 'dns', protocol: 'UDP', port: 53 },
    { name: 'dns-tcp', protocol: 'TCP', port: 53 },
  ],
};

/** NodeLocal DNSCache listens there, on each node's own network. Source: Kubernetes, "Using NodeLocal DNSCache". */
const nodeLocalAddress = '169.254.20.10';

/** A Service is dialled by its name, and asking for a name is a path, too: said where the client's egress shuts it. */
export const dnsNotes = (connections: readonly Connection[], { service, namespace }: ServiceEntry, world: QueryWorld): readonly Note[] => {
  const servers = nameServers(world);
  const clients = new Map(connections.map(({ client }) => [client.of, client.peer]));
  return [...clients].flatMap(([of, client]): readonly Note[] => {
    if (client.kind === 'address') return [];
    const halves = servers.map(({ peer, port }) => judgePath(world, { client, server: peer, port, protocol: 'UDP' }).egress);
    const shut = halves.find(({ verdict }) => verdict !== 'allowed');
    if (shut === undefined || halves.some(({ verdict }) => verdict === 'allowed')) return [];
    const effect = shut.verdict === 'denied' ? 'does not resolve there' : 'may not resolve there';
    return [
      {
        code: 'NameServerShut',
        severity: 'caution',
        text: `${service.metadata.name}.${namespace} ${effect}: egress of ${of} to the name server (UDP 53): ${shut.reason}`,
      },
    ];
  });
};

/** One that lets names through is enough. */
const nameServers = ({ inventory }: QueryWorld): readonly { readonly peer: PolicyPeer; readonly port: number }[] => {
  const entry = inventory.services.find(({ service, namespace }) => namespace === 'kube-system' && service.metadata.name === 'kube-dns');
  const backends = entry === undefined ? [] : backendsOf(entry, 53, 'UDP', inventory.peers);
  const pods = backends.flatMap(({ peer, port }) => (port === undefined ? [] : [{ peer, port }])).slice(0, 1);
  const cached = inventory.peers.some(
    ({ namespace, name, kind }) => namespace === 'kube-system' && name === 'node-local-dns' && kind === 'DaemonSet',
  );
  return [
    ...(pods.length > 0 ? pods : [{ peer: nameServer, port: 53 }]),
    ...(cached ? [{ peer: { kind: 'address' as const, address: nodeLocalAddress }, port: 53 }] : []),
  ];
};
