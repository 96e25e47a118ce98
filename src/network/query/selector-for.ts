import { controllerLabels } from '../../kubernetes/controller-labels.ts';
import { matchesSelector, type LabelSelector, type Labels } from '../../kubernetes/label-selector.ts';
import type { NetworkPolicyPeer } from '../../kubernetes/network-policy.ts';
import { formatAddressRange, parseAddressRange, type AddressRange } from '../policy/address-set.ts';
import { namespaceNameLabel } from '../policy/matching-context.ts';
import type { Member } from './end.ts';

/** No rule should go by these. */
const passingLabels: ReadonlySet<string> = new Set([...controllerLabels, 'rollouts-pod-template-hash']);

/** How a policy names the pods of a member: by what its workload knows them by, else by the labels that stay. */
export const selectorFor = ({ peer, selector }: Member): LabelSelector => {
  if (peer.kind === 'address') return {};
  if (selector !== undefined && isNarrow(selector) && matchesSelector(selector, peer.labels)) return selector;
  return { matchLabels: lasting(peer.labels) };
};

const isNarrow = ({ matchLabels, matchExpressions }: LabelSelector): boolean =>
  Object.keys(matchLabels ?? {}).some((key) => !passingLabels.has(key)) || (matchExpressions ?? []).length > 0;

const lasting = (labels: Labels): Labels => Object.fromEntries(Object.entries(labels).filter(([key]) => !passingLabels.has(key)));

/** The entry of a rule's `from` or `to` that covers the member and as little else as can be. */
export const peerEntriesFor = (member: Member, policyNamespace: string): readonly NetworkPolicyPeer[] => {
  const { peer } = member;
  if (peer.kind === 'address') return blocksOf(peer.address).map((cidr) => ({ ipBlock: { cidr } }));
  const podSelector = selectorFor(member);
  if (peer.namespace === policyNamespace) return [{ podSelector }];
  return [{ namespaceSelector: { matchLabels: { [namespaceNameLabel]: peer.namespace } }, podSelector }];
};

/** The fewest CIDRs that make up an address or a range. */
const blocksOf = (address: string): readonly string[] => {
  const range = parseAddressRange(address);
  if (range === undefined) return [];
  const width = address.includes(':') ? 128 : 32;
  const family = width === 32 ? 0n : 2n ** 32n; // where the addresses of the family begin
  return split([range[0] - family, range[1] - family], width).map(([first, prefix]) => {
    const shown = formatAddressRange([first + family, first + family]);
    return `${shown}/${prefix}`;
  });
};

const split = ([first, last]: AddressRange, width: number): readonly (readonly [bigint, number])[] => {
  const blocks: (readonly [bigint, number])[] = [];
  for (let start = first; start <= last;) {
    let prefix = width;
    while (prefix > 0 && start % (1n << BigInt(width - prefix + 1)) === 0n && start + (1n << BigInt(width - prefix + 1)) - 1n <= last)
      prefix--;
    blocks.push([start, prefix]);
    start += 1n << BigInt(width - prefix);
  }
  return blocks;
};
