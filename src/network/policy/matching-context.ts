import type { Labels } from '../../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { parseAddressRange, type AddressFamily, type AddressRange } from './address-set.ts';
import type { CniFacts } from './cni-facts.ts';

/** The label that every namespace carries, set by the API server; manifests need not write it. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** What matching needs to know beside the two ends. */
export interface MatchingContext {
  /** `undefined` for a namespace whose object is not there. */
  readonly namespaceLabels: (namespace: string) => Labels | undefined;
  /** `undefined` when no nodes are known. */
  readonly nodes: readonly KnownNode[] | undefined;
  readonly cni: CniFacts | undefined;
  readonly family: AddressFamily;
}

export interface KnownNode {
  readonly name: string;
  readonly labels: Labels;
  readonly addresses: readonly AddressRange[];
}

export const namespaceLabelsOf = (namespaces: readonly KubernetesObject[]): MatchingContext['namespaceLabels'] => {
  const labels = new Map<string, Labels>();
  for (const { metadata } of namespaces) labels.set(metadata.name, { ...metadata.labels, [namespaceNameLabel]: metadata.name });
  return (namespace) => labels.get(namespace);
};

export const knownNodes = (nodes: readonly KubernetesObject[]): readonly KnownNode[] =>
  nodes.map((node) => ({ name: node.metadata.name, labels: node.metadata.labels ?? {}, addresses: addressesOf(node) }));

/** Source: Kubernetes API reference, NodeAddress v1 core; host names are left out. */
const addressesOf = (node: KubernetesObject & { readonly status?: { readonly addresses?: readonly { readonly address?: string }[] } }) =>
  (node.status?.addresses ?? []).flatMap(({ address = '' }) => {
    const range = parseAddressRange(address);
    return range === undefined ? [] : [range];
  });
