import type { NetworkPolicyPort } from '../../kubernetes/network-policy.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import type { Reach } from '../policy/engine.ts';
import type { PodPeer } from '../policy/peer.ts';
import { rulesOf, type Check, type LintContext, type PlacedRule, type Warning } from './lint-context.ts';

/** Enough to tell whether a rule works for anybody. */
const mostPairs = 200;

/** A rule that lets somebody out whom nobody lets in, or the other way round: the packet is dropped and the client sees a timeout. */
export const oneSidedPath: Check = (policy, context) =>
  rulesOf(policy).flatMap((rule): readonly Warning[] => {
    const selected = context.selectedBy(policy);
    const named = [...new Set(rule.peers.flatMap((entry) => context.namedBy(entry, policy)))];
    const pairs = selected
      .flatMap((own) => named.filter((other) => other !== own).map((other) => pairOf(rule, own, other)))
      .slice(0, mostPairs);
    if (pairs.some((pair) => isOpen(pair, rule, context))) return [];
    const shut = pairs.map((pair) => shutHalf(pair, rule, context)).filter((half) => half !== undefined);
    const [first] = shut;
    if (first === undefined || shut.length < pairs.length) return [];
    return [
      {
        code: 'OneSidedPath',
        path: rule.path,
        message: `one half of a path: this lets ${rule.direction === 'egress' ? 'out to' : 'in from'} ${nameOf(named)}, and ${first}`,
        hint: 'both halves have to be open: netcheck FROM TO --fix prints the rule that is missing',
      },
    ];
  });

interface Pair {
  readonly client: PodPeer;
  readonly server: PodPeer;
}

const pairOf = ({ direction }: PlacedRule, own: NetworkPeer, other: NetworkPeer): Pair | undefined => {
  const [ownPod, otherPod] = [own.pods[0]?.peer, other.pods[0]?.peer];
  if (ownPod === undefined || otherPod === undefined) return undefined;
  return direction === 'egress' ? { client: ownPod, server: otherPod } : { client: otherPod, server: ownPod };
};

const isOpen = (pair: Pair | undefined, { ports }: PlacedRule, { engine }: LintContext): boolean => {
  if (pair === undefined) return true;
  const reach = engine.reach(pair.client, pair.server);
  if (ports.length === 0) return reach.length > 0;
  return ports.some((port) => overlaps(reach, port, pair.server));
};

const overlaps = (reach: Reach, port: NetworkPolicyPort, server: PodPeer): boolean => {
  const { protocol = 'TCP' } = port;
  const [first, last] = boundsOf(port, server);
  return reach.some((range) => range.protocol === protocol && range.from <= last && range.to >= first);
};

/** Nothing, for a name that the pod does not have. */
const boundsOf = ({ port, endPort, protocol = 'TCP' }: NetworkPolicyPort, { namedPorts }: PodPeer): readonly [number, number] => {
  if (port === undefined) return [1, 65_535];
  const first =
    typeof port === 'number'
      ? port
      : (namedPorts.find((named) => named.name === port && named.protocol === protocol)?.port ?? Number.POSITIVE_INFINITY);
  return [first, endPort ?? (Number.isFinite(first) ? first : 0)];
};

/** Why the other half is shut, if it is. */
const shutHalf = (pair: Pair | undefined, { direction, ports }: PlacedRule, { engine }: LintContext): string | undefined => {
  if (pair === undefined) return undefined;
  const [port] = ports;
  const [first] = port === undefined ? [1] : boundsOf(port, pair.server);
  if (!Number.isFinite(first)) return undefined;
  const path = engine.path({ ...pair, port: first, protocol: port?.protocol ?? 'TCP' });
  const half = direction === 'egress' ? path.ingress : path.egress;
  return half.verdict === 'denied' ? half.reason : undefined;
};

const nameOf = (workloads: readonly NetworkPeer[]): string => {
  const [first, ...more] = workloads.map(({ id }) => id);
  return more.length === 0 ? (first ?? '') : `${first} and ${more.length} more`;
};
