import { isDeepStrictEqual } from 'node:util';
import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPort,
} from '../../kubernetes/network-policy.ts';
import { matchesSelector } from '../../kubernetes/label-selector.ts';
import { hbonePort } from '../inventory/mesh.ts';
import { namespaceOf, placeOf } from '../inventory/source-object.ts';
import type { Direction } from '../policy/compiled-policy.ts';
import type { Half, PolicyEngine } from '../policy/engine.ts';
import type { PodPeer } from '../policy/peer.ts';
import { policyKey, policyName, type PolicyInput } from '../policy/policy-input.ts';
import type { Answered } from './answer-question.ts';
import type { Connection } from './connections.ts';
import type { Member } from './end.ts';
import { isTunnelled, judgePath } from './judge-path.ts';
import { ruleIn, rulesOf, withRules, type DirectedRule } from './policy-rules.ts';
import type { QueryWorld } from './query-world.ts';
import { peerEntriesFor, selectorFor } from './selector-for.ts';

/** What would open the path. */
export interface Fix {
  /** What to apply; none where nothing can be done, or nothing has to be. */
  readonly changes: readonly FixChange[];
  /** Judged again with the changes: whether everything is allowed then. */
  readonly opens: boolean;
  /** What a rule cannot help against. */
  readonly obstacles: readonly string[];
}

export interface FixChange {
  readonly half: 'egress' | 'ingress';
  readonly kind: 'newRule' | 'newPort' | 'newPolicy';
  /** `llm-serving/llm-serving-ingress` */
  readonly policy: string;
  readonly source?: string;
  /** The rule as it stands in the policy afterwards. */
  readonly rule: NetworkPolicyIngressRule | NetworkPolicyEgressRule;
  /** Its index in `ingress` or `egress`. */
  readonly index: number;
  /** The whole policy, to be applied. */
  readonly manifest: NetworkPolicy;
  /** What it does besides. */
  readonly cautions: readonly string[];
}

/**
 * The smallest rules that open every denied half: in a policy that isolates the pod already, for exactly this peer and port. A policy is
 * only added where none isolates the pod (a baseline denies), and says then what else it shuts.
 */
export const proposeFix = ({ connections, world }: Answered): Fix => {
  let engine = world.engine;
  const changes = new Map<string, FixChange>();
  const obstacles = new Set<string>();
  for (const connection of connections) {
    if (connection.translation?.verdict === 'denied') obstacles.add(connection.translation.reason);
    for (const direction of ['Egress', 'Ingress'] as const) {
      const half = halfOf(connection, direction, { ...world, engine });
      if (half.verdict === 'allowed') continue;
      const proposed = half.verdict === 'depends' ? half.reason : changeFor(connection, direction, half, world);
      if (typeof proposed === 'string') {
        obstacles.add(proposed);
        continue;
      }
      engine = engine.withPolicy({ kind: 'NetworkPolicy', object: proposed.manifest });
      changes.set(`${proposed.half} ${proposed.policy} ${proposed.index}`, proposed);
    }
  }
  return { changes: withLastManifests([...changes.values()]), opens: opensAll(connections, world, engine), obstacles: [...obstacles] };
};

/** Of two rules in one policy, the first was put into a manifest that lacks the second. */
const withLastManifests = (changes: readonly FixChange[]): readonly FixChange[] =>
  changes.map((change) => {
    const last = changes.findLast(({ policy }) => policy === change.policy);
    return { ...change, manifest: last?.manifest ?? change.manifest };
  });

const opensAll = (connections: readonly Connection[], world: QueryWorld, engine: PolicyEngine): boolean =>
  connections.length > 0 &&
  connections.every(
    ({ client, server, port, protocol, translation }) =>
      (translation === undefined || translation.verdict === 'allowed') &&
      judgePath({ ...world, engine }, { client: client.peer, server: server.peer, port, protocol }).verdict === 'allowed',
  );

const halfOf = ({ client, server, port, protocol }: Connection, direction: Direction, { engine, inventory }: QueryWorld): Half => {
  const question = { client: client.peer, server: server.peer, port, protocol };
  const path = engine.path(isTunnelled(question, inventory) ? { ...question, port: hbonePort } : question);
  return direction === 'Egress' ? path.egress : path.ingress;
};

/** The change, or why there is none. */
const changeFor = (connection: Connection, direction: Direction, { findings }: Half, world: QueryWorld): FixChange | string => {
  const [subject, other] = direction === 'Egress' ? [connection.client, connection.server] : [connection.server, connection.client];
  if (subject.peer.kind === 'address') return `${subject.of} is no pod`;
  const isolating = findings.flatMap(({ policy }) => (policy.kind === 'NetworkPolicy' ? [policy.object] : []));
  const denier = findings.find(({ policy, says }) => says === 'denies' && policy.kind !== 'NetworkPolicy');
  if (denier !== undefined && !isBaseline(denier.policy)) {
    return `${denier.policy.kind} ${policyName(denier.policy)} denies it before any NetworkPolicy is asked: only whoever owns it can change that`;
  }
  const port = isTunnelled(
    { client: connection.client.peer, server: connection.server.peer, port: connection.port, protocol: connection.protocol },
    world.inventory,
  )
    ? hbonePort
    : connection.port;
  const ports: readonly NetworkPolicyPort[] = [{ protocol: connection.protocol, port }];
  return isolating.length > 0
    ? patched(subject, other, direction, ports, isolating, world)
    : added(subject, subject.peer, other, direction, ports);
};

const isBaseline = ({ kind, object }: PolicyInput): boolean =>
  kind === 'BaselineAdminNetworkPolicy' || (kind === 'ClusterNetworkPolicy' && object.spec?.tier === 'Baseline');

const patched = (
  subject: Member,
  other: Member,
  direction: Direction,
  ports: readonly NetworkPolicyPort[],
  isolating: readonly NetworkPolicy[],
  { inventory }: QueryWorld,
): FixChange => {
  const choices = isolating.map((policy) => {
    const peers = peerEntriesFor(other, namespaceOf(policy));
    const rules = rulesOf(policy, direction);
    const index = rules.findIndex((rule) => isDeepStrictEqual(rule.peers, peers) && (rule.ports ?? []).length > 0);
    return {
      policy,
      peers,
      rules,
      index,
      reach: podsSelectedBy(
        policy,
        inventory.peers.flatMap(({ pods }) => pods.map(({ peer }) => peer)),
      ),
    };
  });
  const [chosen] = choices.toSorted(
    (a, b) => Number(a.index < 0) - Number(b.index < 0) || a.reach - b.reach || (a.policy.metadata.name < b.policy.metadata.name ? -1 : 1),
  );
  if (chosen === undefined) throw new Error('a pod is isolated by at least one policy here');
  const { policy, peers, rules, index, reach } = chosen;
  const place = index < 0 ? rules.length : index;
  const rule = index < 0 ? { peers, ports } : { peers, ports: [...(rules[index]?.ports ?? []), ...ports] };
  const key = policyKey({ kind: 'NetworkPolicy', object: policy });
  const source = inventory.policySources.get(key);
  const cited = source === undefined ? undefined : placeOf(source, ['spec', direction.toLowerCase(), ...(index < 0 ? [] : [index])]);
  const own = inventory.peers.filter((peer) => peer.id === subject.of).reduce((sum, { pods }) => sum + pods.length, 0);
  return {
    half: halfName(direction),
    kind: index < 0 ? 'newRule' : 'newPort',
    policy: `${namespaceOf(policy)}/${policy.metadata.name}`,
    ...(cited === undefined ? {} : { source: cited }),
    rule: ruleIn(direction, rule),
    index: place,
    manifest: withRules(policy, direction, rules.toSpliced(place, index < 0 ? 0 : 1, rule)),
    cautions: [
      ...(reach > own ? [`the policy also selects other pods: the rule holds for them, too`] : []),
      ...widthCautions(
        other,
        inventory.peers.flatMap(({ id, pods }) => (id === other.of ? [] : pods.map(({ peer }) => ({ id, peer })))),
      ),
    ],
  };
};

/** The first policy of a pod in a direction shuts everything that it does not name: said, and never silently. */
const added = (subject: Member, pod: PodPeer, other: Member, direction: Direction, ports: readonly NetworkPolicyPort[]): FixChange => {
  const podSelector = selectorFor(subject);
  const name = `${nameIn(subject)}-${direction === 'Egress' ? 'to' : 'from'}-${nameIn(other)}`;
  const rule: DirectedRule = { peers: peerEntriesFor(other, pod.namespace), ports };
  const policy: NetworkPolicy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: pod.namespace },
    spec: { podSelector, policyTypes: [direction] },
  };
  return {
    half: halfName(direction),
    kind: 'newPolicy',
    policy: `${pod.namespace}/${name}`,
    rule: ruleIn(direction, rule),
    index: 0,
    manifest: withRules(policy, direction, [rule]),
    cautions: [
      `it is the first ${direction.toLowerCase()} policy of ${subject.of}: whatever else it ${direction === 'Egress' ? 'reaches (names, too)' : 'is reached by'} is shut from then on, unless a rule for it is added`,
    ],
  };
};

const podsSelectedBy = (policy: NetworkPolicy, pods: readonly PodPeer[]): number =>
  pods.filter(({ namespace, labels }) => namespace === namespaceOf(policy) && matchesSelector(policy.spec?.podSelector ?? {}, labels))
    .length;

const widthCautions = (other: Member, rest: readonly { readonly id: string; readonly peer: PodPeer }[]): readonly string[] => {
  const { peer } = other;
  if (peer.kind === 'address') return [];
  const selector = selectorFor(other);
  const more = new Set(
    rest.filter((pod) => pod.peer.namespace === peer.namespace && matchesSelector(selector, pod.peer.labels)).map(({ id }) => id),
  );
  return more.size === 0 ? [] : [`the same labels are carried by ${[...more].join(', ')}: the rule covers them, too`];
};

const halfName = (direction: Direction): 'egress' | 'ingress' => (direction === 'Egress' ? 'egress' : 'ingress');

const nameIn = ({ of }: Member): string =>
  of
    .replace(/^.*\//, '')
    .replace(/\[.*$/, '')
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 100) || 'pod';
