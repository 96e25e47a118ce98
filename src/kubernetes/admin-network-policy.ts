import type { ClusterPolicyPeer, ClusterPolicySubject } from './cluster-network-policy.ts';
import type { KubernetesObject } from './object.ts';
import type { Protocol } from './pod.ts';

/**
 * The fields of an AdminNetworkPolicy: what ClusterNetworkPolicy's Admin tier was before.
 *
 * Source: network-policy-api v0.1.7, policy.networking.k8s.io v1alpha1.
 */
export interface AdminNetworkPolicy extends KubernetesObject {
  readonly spec?: AdminNetworkPolicySpec;
}

export interface AdminNetworkPolicySpec {
  /** 0 to 1000; the lower one goes first. */
  readonly priority: number;
  readonly subject: ClusterPolicySubject;
  readonly ingress?: readonly AdminPolicyIngressRule[] | null;
  readonly egress?: readonly AdminPolicyEgressRule[] | null;
}

/** There is one, named `default`: what ClusterNetworkPolicy's Baseline tier was before. */
export interface BaselineAdminNetworkPolicy extends KubernetesObject {
  readonly spec?: Omit<AdminNetworkPolicySpec, 'priority'>;
}

interface AdminPolicyRule {
  readonly name?: string;
  /** `Pass` in an AdminNetworkPolicy only. */
  readonly action: 'Allow' | 'Deny' | 'Pass';
  /** Absent: all traffic. */
  readonly ports?: readonly AdminPolicyPort[] | null;
}

export interface AdminPolicyIngressRule extends AdminPolicyRule {
  readonly from: readonly ClusterPolicyPeer[];
}

export interface AdminPolicyEgressRule extends AdminPolicyRule {
  readonly to: readonly ClusterPolicyPeer[];
}

/** Exactly one field. */
export interface AdminPolicyPort {
  readonly portNumber?: { readonly protocol?: Protocol; readonly port: number };
  /** The name of a port of the destination pod, in any protocol. Experimental. */
  readonly namedPort?: string;
  readonly portRange?: { readonly protocol?: Protocol; readonly start: number; readonly end: number };
}
