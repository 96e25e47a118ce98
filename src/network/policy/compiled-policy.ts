import type { Requirements } from '../../kubernetes/label-selector.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { AddressSet } from './address-set.ts';
import type { PolicyInput } from './policy-input.ts';

export type Direction = 'Ingress' | 'Egress';

/** Tiers are asked in this order. A NetworkPolicy has no priority: all that select a pod are one union. */
export type Tier = 'Admin' | 'NetworkPolicy' | 'Baseline';

/** A policy of any kind, its selectors read once, and the API's many ways to say "all" made one. */
export interface CompiledPolicy {
  /** Different for every policy that an engine and those made from it have seen. */
  readonly id: number;
  readonly input: PolicyInput;
  readonly tier: Tier;
  /** 0 where the kind has none. */
  readonly priority: number;
  readonly subject: PeerEntry;
  /** Absent: it says nothing of the direction. */
  readonly ingress?: readonly CompiledRule[];
  readonly egress?: readonly CompiledRule[];
}

export interface CompiledRule {
  /** Index in the object's `ingress` or `egress`. */
  readonly index: number;
  readonly action: 'allow' | 'deny' | 'pass';
  readonly peers: CompiledPeers;
  readonly ports: CompiledPorts;
}

export interface CompiledPeers {
  /** Equal for equal peers. */
  readonly key: string;
  /** Alternatives. */
  readonly entries: readonly PeerEntry[];
}

export type PeerEntry =
  | { readonly kind: 'everyone' }
  | {
      readonly kind: 'pods';
      readonly namespaces: NamespaceChoice;
      readonly pods: Requirements;
      /** What of pods on the host's network: NetworkPolicy leaves it to the network plugin. */
      readonly hostNetwork: 'plugin' | 'never';
    }
  | {
      readonly kind: 'addresses';
      /** As written, for people. */
      readonly text: string;
      readonly set: AddressSet;
      /** An ipBlock is meant for addresses outside of the cluster; whether it covers pods is left to the network plugin. */
      readonly pods: 'plugin' | 'covered';
    }
  | { readonly kind: 'nodes'; readonly nodes: Requirements }
  | { readonly kind: 'domainNames'; readonly names: readonly string[] }
  /** What an API server refuses, or an implementation may read otherwise: matches perhaps. */
  | { readonly kind: 'unclear'; readonly what: string }
  | { readonly kind: 'nobody' };

export type NamespaceChoice =
  | { readonly kind: 'own'; readonly namespace: string }
  | { readonly kind: 'selected'; readonly requirements: Requirements };

export interface CompiledPorts {
  /** Alternatives; `all` stands for every port of every protocol. */
  readonly entries: 'all' | readonly PortEntry[];
  /** Whether it depends on the destination pod's port names. */
  readonly named: boolean;
  /** As written, for people: `TCP 8080-8090, UDP dns`. */
  readonly text: string;
}

export type PortEntry =
  | { readonly kind: 'range'; readonly protocol: Protocol; readonly from: number; readonly to: number }
  /** Without protocol: in any. */
  | { readonly kind: 'name'; readonly name: string; readonly protocol?: Protocol }
  | { readonly kind: 'unclear'; readonly what: string };

export const rulesOf = (policy: CompiledPolicy, direction: Direction): readonly CompiledRule[] | undefined =>
  direction === 'Ingress' ? policy.ingress : policy.egress;
