import type { ClusterIdentity } from '../cluster/cluster.ts';
import type { Inventory } from '../network/inventory/inventory.ts';
import type { SourceObject } from '../network/inventory/source-object.ts';
import type { ClusterFlags } from './open-cluster.ts';

/** What is asked: manifests alone, or a cluster (live, or the twin). */
export type NetworkSource =
  | { readonly kind: 'manifests'; readonly path: string; readonly namespace?: string }
  | { readonly kind: 'cluster'; readonly flags: ClusterFlags };

/** Where an answer comes from, for whoever reads it. */
export type NetworkOrigin = ClusterIdentity | { readonly kind: 'manifests'; readonly name: string };

/** What a source says of its network. Everything that it depends on is read: nothing has to be closed. */
export interface LoadedNetwork {
  readonly origin: NetworkOrigin;
  readonly objects: readonly SourceObject[];
  readonly inventory: Inventory;
  /** What could not be used, each with its place: `policy.yaml:7: endPort without port (...)`. */
  readonly problems: readonly string[];
  /** Of what is named without one. */
  readonly namespace: string;
}
