import { matchesSelector, type Labels } from '../../kubernetes/label-selector.ts';
import type { JsonPath } from '../../kubernetes/json-pointer.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../kubernetes/network-policy.ts';
import { namespacesOf, type Inventory } from '../inventory/inventory.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import { namespaceNameLabel } from '../policy/matching-context.ts';

/** Something in a policy that is probably not what was meant. */
export interface Warning {
  /** Stable, CamelCase, for scripts. */
  readonly code: string;
  /** Where in the policy. */
  readonly path: JsonPath;
  /** One line. */
  readonly message: string;
  readonly hint: string;
}

export type Check = (policy: NetworkPolicy, context: LintContext) => readonly Warning[];

/** What the checks look things up in. */
export class LintContext {
  readonly inventory: Inventory;
  readonly engine: PolicyEngine;
  readonly namespaces: ReadonlySet<string>;
  private readonly workloads: ReadonlyMap<string, readonly NetworkPeer[]>;
  private readonly labels: ReadonlyMap<string, Labels>;

  constructor(inventory: Inventory, engine: PolicyEngine) {
    this.inventory = inventory;
    this.engine = engine;
    this.namespaces = namespacesOf(inventory);
    this.workloads = Map.groupBy(inventory.peers, ({ namespace }) => namespace);
    this.labels = new Map(inventory.namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  }

  workloadsIn(namespace: string): readonly NetworkPeer[] {
    return this.workloads.get(namespace) ?? [];
  }

  /** Of a namespace without an object, its name alone. */
  namespaceLabels(namespace: string): Labels {
    return { ...this.labels.get(namespace), [namespaceNameLabel]: namespace };
  }

  selectedBy({ metadata, spec }: NetworkPolicy): readonly NetworkPeer[] {
    return this.workloadsIn(metadata.namespace ?? 'default').filter((workload) => hasPod(workload, spec?.podSelector ?? {}));
  }

  /** The workloads that an entry of `from` or `to` names. */
  namedBy({ namespaceSelector, podSelector, ipBlock }: NetworkPolicyPeer, policy: NetworkPolicy): readonly NetworkPeer[] {
    if (ipBlock !== undefined) return [];
    const own = policy.metadata.namespace ?? 'default';
    const namespaces =
      namespaceSelector === undefined
        ? [own]
        : [...this.namespaces].filter((name) => matchesSelector(namespaceSelector, this.namespaceLabels(name)));
    return namespaces
      .flatMap((name) => this.workloadsIn(name))
      .filter((workload) => podSelector === undefined || hasPod(workload, podSelector));
  }
}

const hasPod = ({ pods }: NetworkPeer, selector: NonNullable<NetworkPolicyPeer['podSelector']>): boolean =>
  pods.some(({ peer }) => matchesSelector(selector, peer.labels));

/** A rule of either direction, and where it is. */
export interface PlacedRule {
  readonly direction: 'ingress' | 'egress';
  readonly path: JsonPath;
  readonly peersPath: JsonPath;
  readonly peers: readonly NetworkPolicyPeer[];
  readonly ports: readonly NetworkPolicyPort[];
}

export const rulesOf = ({ spec }: NetworkPolicy): readonly PlacedRule[] => [
  ...(spec?.ingress ?? []).map(({ from, ports }, index) => placed('ingress', index, 'from', from, ports)),
  ...(spec?.egress ?? []).map(({ to, ports }, index) => placed('egress', index, 'to', to, ports)),
];

const placed = (
  direction: PlacedRule['direction'],
  index: number,
  field: string,
  peers: readonly NetworkPolicyPeer[] | null | undefined,
  ports: readonly NetworkPolicyPort[] | null | undefined,
): PlacedRule => ({
  direction,
  path: ['spec', direction, index],
  peersPath: ['spec', direction, index, field],
  peers: (peers ?? []).map(withoutNulls),
  ports: ports ?? [],
});

/** `null` is a field that is absent. */
const withoutNulls = (peer: NetworkPolicyPeer): NetworkPolicyPeer =>
  Object.fromEntries(Object.entries(peer).filter(([, value]) => value !== null));

export const isEmptySelector = (selector: NetworkPolicyPeer['podSelector']): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0;
