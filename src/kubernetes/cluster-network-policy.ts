import type { LabelSelector } from './label-selector.ts';
import type { KubernetesObject } from './object.ts';

/**
 * The fields of a ClusterNetworkPolicy.
 *
 * Source: network-policy-api v0.3.0, policy.networking.k8s.io v1beta1 and v1alpha2 (the same fields).
 */
export interface ClusterNetworkPolicy extends KubernetesObject {
  readonly spec?: ClusterNetworkPolicySpec;
}

export interface ClusterNetworkPolicySpec {
  /** Before the NetworkPolicies, or after them. */
  readonly tier: 'Admin' | 'Baseline';
  /** 0 to 1000 within its tier; the lower one goes first. */
  readonly priority: number;
  readonly subject: ClusterPolicySubject;
  /** The first that matches decides. Absent or empty: the policy says nothing of this direction. */
  readonly ingress?: readonly ClusterPolicyIngressRule[] | null;
  readonly egress?: readonly ClusterPolicyEgressRule[] | null;
}

/** One of the two; pods on the host's network are never among them. */
export interface ClusterPolicySubject {
  readonly namespaces?: LabelSelector;
  readonly pods?: NamespacedPods;
}

export interface NamespacedPods {
  readonly namespaceSelector?: LabelSelector;
  readonly podSelector?: LabelSelector;
}

interface ClusterPolicyRule {
  readonly name?: string;
  readonly action: 'Accept' | 'Deny' | 'Pass';
  /** Absent: all traffic. */
  readonly protocols?: readonly ClusterPolicyProtocol[] | null;
}

export interface ClusterPolicyIngressRule extends ClusterPolicyRule {
  readonly from: readonly ClusterPolicyPeer[];
}

export interface ClusterPolicyEgressRule extends ClusterPolicyRule {
  readonly to: readonly ClusterPolicyPeer[];
}

/** Exactly one field. None that is known: an implementation fails closed. */
export interface ClusterPolicyPeer {
  readonly namespaces?: LabelSelector;
  readonly pods?: NamespacedPods;
  /** Egress only: the addresses of nodes. Experimental. */
  readonly nodes?: LabelSelector;
  /** Egress only: CIDRs; other than `ipBlock`, they match pods too. */
  readonly networks?: readonly string[];
  /** Egress only, with Accept only. Experimental. */
  readonly domainNames?: readonly string[];
}

/** Exactly one field. */
export interface ClusterPolicyProtocol {
  readonly tcp?: { readonly destinationPort?: DestinationPort };
  readonly udp?: { readonly destinationPort?: DestinationPort };
  readonly sctp?: { readonly destinationPort?: DestinationPort };
  /** The name of a port of the destination pod, in any protocol. Experimental. */
  readonly destinationNamedPort?: string;
}

/** One of the two. */
export interface DestinationPort {
  readonly number?: number;
  readonly range?: { readonly start: number; readonly end: number };
}
