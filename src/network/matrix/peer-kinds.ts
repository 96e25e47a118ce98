import { doubtsAbout, type Doubt } from '../inventory/doubt.ts';
import type { Direction } from '../policy/compiled-policy.ts';
import { getOrAdd } from '../policy/distinctions.ts';
import type { TablePeer } from './table-peers.ts';

/** Peers that reach the same and are reached by the same. */
export type PeerKind = readonly [TablePeer, ...TablePeer[]];

export type DoubtEffect = Doubt['effect'] | undefined;

/** In the order of their first peers. They differ by class, by doubts, and by node where a pod on its node's network could be beside them. */
export const kindsOf = (peers: readonly TablePeer[], effectOnHalf: EffectOnHalf): readonly PeerKind[] => {
  const byNode = peers.some(({ members }) => members.some(({ peer }) => peer.kind === 'pod' && peer.hostNetwork));
  const others = [peers.find(isWorkload), peers.find((peer) => !isWorkload(peer))].filter((peer) => peer !== undefined);
  const keyOf = (peer: TablePeer): string =>
    [
      isWorkload(peer),
      ...directions.flatMap((half) => others.map((other) => effectOnHalf(half, peer, other))),
      ...peer.members.map(({ peerClass, nodes }) => `${peerClass.id} ${byNode ? [...nodes].map(String).toSorted().join() : ''}`).toSorted(),
    ].join('\n');
  const kinds = new Map<string, [TablePeer, ...TablePeer[]]>();
  for (const peer of peers) {
    const key = keyOf(peer);
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, [peer]);
    else kind.push(peer);
  }
  return [...kinds.values()];
};

const directions: readonly Direction[] = ['Ingress', 'Egress'];

export const isWorkload = ({ workload }: TablePeer): boolean => workload !== undefined;

/** The strongest doubt about a peer's half of connections with the other: a policy that may open as well as shut, or that may only shut. */
export type EffectOnHalf = (half: Direction, subject: TablePeer, other: TablePeer) => DoubtEffect;

export const createEffectOnHalf = (doubts: readonly Doubt[]): EffectOnHalf => {
  const known = new Map<string, { readonly effect: DoubtEffect }>();
  return (half, { id, members: [subject] }, { members: [other] }) => {
    if (doubts.length === 0 || subject === undefined || other === undefined) return undefined;
    return getOrAdd(known, `${half} ${id} ${other.peer.kind}`, () => {
      const effects = doubtsAbout(doubts, 'allowed', half, subject.peer, other.peer).map(({ effect }) => effect);
      return { effect: strongest(effects) };
    }).effect;
  };
};

export const strongest = (effects: readonly DoubtEffect[]): DoubtEffect =>
  effects.includes('both') ? 'both' : effects.find((effect) => effect !== undefined);
