import type { NetworkPeer } from '../inventory/peers.ts';
import { addressSet, formatAddressRange, parseAddressRange, type AddressRange } from '../policy/address-set.ts';
import type { PeerClass, PolicyEngine } from '../policy/engine.ts';
import type { PolicyPeer } from '../policy/peer.ts';

/** A row and a column: a workload, or a range of addresses outside. */
export interface TablePeer {
  /** `llm-serving/clef-serve[Deployment]`, `203.0.113.0-203.0.113.255` */
  readonly id: string;
  /** Absent for addresses. */
  readonly workload?: NetworkPeer;
  /** The classes that its pods are in, each once, with one of its pods. */
  readonly members: readonly Member[];
}

export interface Member {
  readonly peerClass: PeerClass;
  readonly peer: PolicyPeer;
  /** Where its pods of the class are; `undefined` among them: not known of all. Empty for addresses. */
  readonly nodes: ReadonlySet<string | undefined>;
}

/** Two of them have something to do with each other. What is outside of the cluster on both ends is nobody's business here. */
export const canConnect = (client: TablePeer, server: TablePeer): boolean => {
  if (client.workload === undefined && server.workload === undefined) return false;
  return client.id !== server.id || client.workload === undefined || !isOneAtMost(client.workload.podCount);
};

/** Scaled to nothing, it has the more no two pods. */
export const isOneAtMost = (pods: number | undefined): boolean => pods !== undefined && pods <= 1;

/** A text that is equal for addresses that may be one row. */
export type TellApart = (address: string) => string;

/** The workloads, then the addresses: neighbours that no policy tells apart are one. */
export const tablePeersOf = (
  engine: PolicyEngine,
  workloads: readonly NetworkPeer[],
  tellApart: TellApart = () => '',
): readonly TablePeer[] => {
  const classes = engine.classes();
  const classOf = new Map(classes.flatMap((peerClass) => peerClass.peers.map((peer) => [peer, peerClass] as const)));
  const rows = workloads.map((workload): TablePeer => {
    const members = new Map<PeerClass, Member & { readonly nodes: Set<string | undefined> }>();
    for (const { peer } of workload.pods) {
      const peerClass = classOf.get(peer);
      if (peerClass === undefined) continue;
      const member = members.get(peerClass) ?? { peerClass, peer, nodes: new Set() };
      member.nodes.add(peer.nodeName);
      members.set(peerClass, member);
    }
    return { id: workload.id, workload, members: [...members.values()] };
  });
  return [...rows, ...classes.flatMap((peerClass) => addressPeersOf(peerClass, tellApart)).toSorted(byAddress)];
};

const addressPeersOf = (peerClass: PeerClass, tellApart: TellApart): readonly AddressRow[] => {
  const groups = new Map<string, AddressRange[]>();
  for (const peer of peerClass.peers) {
    const range = peer.kind === 'address' ? parseAddressRange(peer.address) : undefined;
    if (peer.kind !== 'address' || range === undefined) continue;
    const key = tellApart(peer.address);
    groups.set(key, [...(groups.get(key) ?? []), range]);
  }
  return [...groups.values()].flatMap((ranges) =>
    addressSet(ranges).map((range): AddressRow => {
      const address = formatAddressRange(range);
      return { id: address, range, members: [{ peerClass, peer: { kind: 'address', address }, nodes: new Set() }] };
    }),
  );
};

interface AddressRow extends TablePeer {
  readonly range: AddressRange;
}

const byAddress = (a: AddressRow, b: AddressRow): number => (a.range[0] < b.range[0] ? -1 : 1);
