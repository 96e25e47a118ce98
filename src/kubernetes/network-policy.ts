import type { LabelSelector } from './label-selector.ts';
import type { KubernetesObject } from './object.ts';
import type { Protocol } from './pod.ts';

/**
 * A NetworkPolicy, in full.
 *
 * Source: Kubernetes API reference, NetworkPolicy v1 networking.k8s.io.
 */
export interface NetworkPolicy extends KubernetesObject {
  /** Absent: nothing is selected in either direction but by the defaults of an empty spec. */
  readonly spec?: NetworkPolicySpec;
}

export interface NetworkPolicySpec {
  /** Empty or absent: every pod of the policy's namespace. */
  readonly podSelector?: LabelSelector;
  /** Absent: Ingress always, Egress if `egress` has a rule. */
  readonly policyTypes?: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly NetworkPolicyIngressRule[] | null;
  readonly egress?: readonly NetworkPolicyEgressRule[] | null;
}

export interface NetworkPolicyIngressRule {
  /** Empty or absent: every source. */
  readonly from?: readonly NetworkPolicyPeer[] | null;
  /** Empty or absent: every port of every protocol. */
  readonly ports?: readonly NetworkPolicyPort[] | null;
}

export interface NetworkPolicyEgressRule {
  /** Empty or absent: every destination. */
  readonly to?: readonly NetworkPolicyPeer[] | null;
  readonly ports?: readonly NetworkPolicyPort[] | null;
}

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] | null };
}

export interface NetworkPolicyPort {
  readonly protocol?: Protocol;
  /** A number, or the name of a port of the destination pod. Absent: every port of the protocol. */
  readonly port?: number | string;
  /** Last port of a range; only beside a numeric `port`. */
  readonly endPort?: number;
}
