import { isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { groupOf } from '../../manifests/object-identity.ts';
import { takeInventory, type Inventory } from '../inventory/inventory.ts';
import { peerId } from '../inventory/peers.ts';
import { podTemplateKindOf } from '../inventory/pod-template-kinds.ts';
import { namespaceOf, type SourceObject } from '../inventory/source-object.ts';
import type { NetworkState } from '../matrix/network-state.ts';
import { policyInputOf, policyKey } from '../policy/policy-input.ts';

/** What is there, as objects and as they were understood. */
export interface PresentNetwork {
  readonly objects: readonly SourceObject[];
  readonly state: NetworkState;
  /** Judges objects from anew, with the same facts and the same addresses outside. */
  readonly evaluate: (inventory: Inventory) => NetworkState;
}

/**
 * The network after an apply of the objects: those of a name that is there are replaced. Policies alone change the engine that is there;
 * with anything else among them a new one is made. Pods of a workload whose template changes are taken for replaced by such as it
 * describes.
 */
export const applyObjects = (present: PresentNetwork, applied: readonly SourceObject[]): NetworkState =>
  applied.every(({ object }) => policyInputOf(object) !== undefined)
    ? applyPolicies(present.state, applied)
    : applyAnything(present, applied);

const applyPolicies = ({ inventory, engine }: NetworkState, applied: readonly SourceObject[]): NetworkState => {
  const policies = new Map(inventory.policies.map((policy) => [policyKey(policy), policy]));
  const policySources = new Map(inventory.policySources);
  let changed = engine;
  for (const source of applied) {
    const policy = policyInputOf(source.object);
    if (policy === undefined) continue;
    changed = changed.withPolicy(policy);
    policies.set(policyKey(policy), policy);
    policySources.set(policyKey(policy), source);
  }
  return { inventory: { ...inventory, policies: [...policies.values()], policySources }, engine: changed };
};

const applyAnything = ({ objects, state, evaluate }: PresentNetwork, applied: readonly SourceObject[]): NetworkState => {
  const old = new Map(objects.map((source) => [keyOf(source.object), source.object]));
  const keys = new Set(applied.map(({ object }) => keyOf(object)));
  const replaced = new Set(
    applied.filter(({ object }) => changesPods(old.get(keyOf(object)), object)).map(({ object }) => workloadId(object)),
  );
  const gone = new Set(
    state.inventory.peers
      .filter(({ id }) => replaced.has(id))
      .flatMap(({ pods }) => pods.map(({ peer }) => `${peer.namespace}/${peer.name}`)),
  );
  const kept = objects.filter(
    ({ object }) => !keys.has(keyOf(object)) && !(object.kind === 'Pod' && gone.has(`${namespaceOf(object)}/${object.metadata.name}`)),
  );
  return evaluate(takeInventory([...kept, ...applied], state.inventory.gaps));
};

const changesPods = (old: KubernetesObject | undefined, applied: KubernetesObject): boolean => {
  const kind = podTemplateKindOf(applied);
  if (kind === undefined || old === undefined) return false;
  const labelsOf = (object: KubernetesObject): string =>
    JSON.stringify(kind.templates(object).map(({ template }) => [template.metadata?.labels, portsOf(template.spec)]));
  return labelsOf(old) !== labelsOf(applied);
};

/** What policies see of a pod besides its labels. */
const portsOf = (spec: unknown): unknown => {
  const { hostNetwork, containers } = isJsonObject(spec) ? spec : {};
  return [
    hostNetwork ?? false,
    Array.isArray(containers) ? containers.map((container: unknown) => (isJsonObject(container) ? container['ports'] : undefined)) : [],
  ];
};

const workloadId = (object: KubernetesObject): string => peerId(namespaceOf(object), object.metadata.name, object.kind);

const keyOf = (object: KubernetesObject): string =>
  `${groupOf(object.apiVersion)} ${object.kind} ${namespaceOf(object)}/${object.metadata.name}`;
