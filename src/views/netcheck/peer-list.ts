import type { MatrixPeer } from '../../network/matrix/matrix.ts';

const mostNames = 6;

/** `a, b, c`; of many the first few, and how many there are. */
export const nameList = (names: readonly string[]): string =>
  names.length <= mostNames ? names.join(', ') : `${names.slice(0, mostNames - 1).join(', ')} and ${names.length - mostNames + 1} more`;

/** Names whole groups instead of their members: `every workload`, `llm-serving/*`, `all addresses outside`. */
export const createPeerList = (peers: readonly MatrixPeer[]): ((ids: readonly string[]) => string) => {
  const groupOf = new Map(peers.map((peer) => [peer.id, groupName(peer)]));
  const sizes = new Map([...Map.groupBy(peers, groupName)].map(([group, members]) => [group, members.length]));
  const workloads = peers.filter(({ kind }) => kind !== outsideKind).length;
  return (ids) => {
    const groups = [...Map.groupBy(ids, (id) => groupOf.get(id) ?? id)];
    const whole = groups.filter(([group, members]) => group === outside || (members.length > 1 && members.length === sizes.get(group)));
    const rest = groups.filter((group) => !whole.includes(group)).flatMap(([, members]) => members);
    const inside = whole.filter(([group]) => group !== outside);
    const everybody = workloads > 1 && inside.reduce((sum, [, members]) => sum + members.length, 0) === workloads;
    const outsideIds = whole.find(([group]) => group === outside)?.[1] ?? [];
    return nameList([
      ...(everybody ? ['every workload'] : inside.map(([group]) => `${group}/*`)),
      ...rest,
      ...(outsideIds.length > 0 && outsideIds.length === sizes.get(outside) ? ['all addresses outside'] : outsideIds),
    ]);
  };
};

const outsideKind = 'Addresses';
const outside = ' addresses';

const groupName = ({ kind, namespace }: MatrixPeer): string => (kind === outsideKind ? outside : namespace);
