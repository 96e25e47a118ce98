import type { KubernetesObject } from '../../kubernetes/object.ts';
import { policyInputOf, policyKey, type PolicyInput } from '../policy/policy-input.ts';
import type { Doubt } from './doubt.ts';
import { takeEntrances, type Entrance } from './entrances.ts';
import { doubtsOfGaps, type Gap } from './gap.ts';
import { takePeers, type NetworkPeer } from './peers.ts';
import { takeServices, type ServiceEntry } from './service-entry.ts';
import { namespaceOf, type SourceObject } from './source-object.ts';
import { takeUnevaluatedPolicies } from './unevaluated-policies.ts';

/** What the objects of a folder, a cluster or the twin mean for the network. */
export interface Inventory {
  readonly peers: readonly NetworkPeer[];
  readonly namespaces: readonly KubernetesObject[];
  readonly nodes: readonly KubernetesObject[];
  readonly services: readonly ServiceEntry[];
  /** Those that can be evaluated. */
  readonly policies: readonly PolicyInput[];
  /** Where a policy of `policies` was found, by `policyKey`. */
  readonly policySources: ReadonlyMap<string, SourceObject>;
  /** What may overthrow a verdict: policies of other kinds, and what could not be read. */
  readonly doubts: readonly Doubt[];
  readonly gaps: readonly Gap[];
  readonly entrances: readonly Entrance[];
}

/** Pure. */
export const takeInventory = (objects: readonly SourceObject[], gaps: readonly Gap[] = []): Inventory => {
  const peers = takePeers(objects);
  const services = takeServices(objects);
  const found = objects.flatMap((source) => {
    const policy = policyInputOf(source.object);
    return policy === undefined ? [] : [{ policy, source }];
  });
  return {
    peers,
    namespaces: objectsOf(objects, 'Namespace'),
    nodes: objectsOf(objects, 'Node'),
    services,
    policies: found.map(({ policy }) => policy),
    policySources: new Map(found.map(({ policy, source }) => [policyKey(policy), source])),
    doubts: [...doubtsOfGaps(gaps), ...takeUnevaluatedPolicies(objects)],
    gaps,
    entrances: takeEntrances(objects, services, peers),
  };
};

const objectsOf = (objects: readonly SourceObject[], kind: string): readonly KubernetesObject[] =>
  objects.map(({ object }) => object).filter((object) => object.kind === kind && object.apiVersion === 'v1');

/** Those that have an object, and those in which something is. */
export const namespacesOf = ({ namespaces, peers, services, policies }: Inventory): ReadonlySet<string> =>
  new Set([
    ...namespaces.map(({ metadata }) => metadata.name),
    ...peers.map(({ namespace }) => namespace),
    ...services.map(({ namespace }) => namespace),
    ...policies.flatMap(({ kind, object }) => (kind === 'NetworkPolicy' ? [namespaceOf(object)] : [])),
  ]);
