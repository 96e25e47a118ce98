import type { AdminNetworkPolicy, BaselineAdminNetworkPolicy } from '../../kubernetes/admin-network-policy.ts';
import type { ClusterNetworkPolicy } from '../../kubernetes/cluster-network-policy.ts';
import type { NetworkPolicy } from '../../kubernetes/network-policy.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';

/** A policy that the engine evaluates, and where it comes from. */
export type PolicyInput = (
  | { readonly kind: 'NetworkPolicy'; readonly object: NetworkPolicy }
  | { readonly kind: 'ClusterNetworkPolicy'; readonly object: ClusterNetworkPolicy }
  | { readonly kind: 'AdminNetworkPolicy'; readonly object: AdminNetworkPolicy }
  | { readonly kind: 'BaselineAdminNetworkPolicy'; readonly object: BaselineAdminNetworkPolicy }
) & { readonly source?: PolicySource };

/** Where a manifest says it. A policy of a live cluster has none. */
export interface PolicySource {
  readonly file: string;
  /** First line of the document, from 1. */
  readonly line: number;
}

/** `undefined` for an object of any other kind, those of network plugins included: the engine does not evaluate them. */
export const policyInputOf = (object: KubernetesObject, source?: PolicySource): PolicyInput | undefined => {
  const from = source === undefined ? {} : { source };
  switch (`${object.apiVersion} ${object.kind}`) {
    case 'networking.k8s.io/v1 NetworkPolicy':
      return { kind: 'NetworkPolicy', object, ...from };
    case 'policy.networking.k8s.io/v1beta1 ClusterNetworkPolicy':
    case 'policy.networking.k8s.io/v1alpha2 ClusterNetworkPolicy':
      return { kind: 'ClusterNetworkPolicy', object, ...from };
    case 'policy.networking.k8s.io/v1alpha1 AdminNetworkPolicy':
      return { kind: 'AdminNetworkPolicy', object, ...from };
    case 'policy.networking.k8s.io/v1alpha1 BaselineAdminNetworkPolicy':
      return { kind: 'BaselineAdminNetworkPolicy', object, ...from };
    default:
      return undefined;
  }
};

/** `llm-serving/clef`, or `deny-all` for a kind without namespace. */
export const policyName = ({ kind, object: { metadata } }: PolicyInput): string =>
  kind === 'NetworkPolicy' ? `${metadata.namespace ?? 'default'}/${metadata.name}` : metadata.name;

/** Unique over all kinds: `NetworkPolicy llm-serving/clef`. */
export const policyKey = (policy: PolicyInput): string => `${policy.kind} ${policyName(policy)}`;
