import { matchesRequirements, parseLabelSelector } from '../../src/kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { selectionKey, type ObjectReference, type Selection } from '../../src/kubernetes/reference.ts';
import { apiVersionOf, type Resource } from '../../src/kubernetes/resource.ts';
import type { Access, ClusterState, Input, StepKind, Unavailable } from '../../src/steps/step-kind.ts';
import { noon } from './objects.ts';

export interface StateWish {
  /** Milliseconds since the Unix epoch. */
  readonly now?: number;
  /** Kinds that may not be listed, or that the cluster does not have. */
  readonly unavailable?: Readonly<Record<string, Unavailable['reason']>>;
}

/** These objects, as far as `access` may see them: reading anything else throws, as it would in the engine. */
export const stateOf = (
  objects: readonly KubernetesObject[],
  access: Access,
  { now = noon, unavailable = {} }: StateWish = {},
): ClusterState => {
  const declared = new Map([...access.reads, ...(access.once ?? [])].map((selection) => [selectionKey(selection), selection]));
  const allowed = (selection: Selection): Selection => {
    if (!declared.has(selectionKey(selection))) throw new Error(`not declared in access: ${selectionKey(selection)}`);
    return selection;
  };
  const reason = ({ resource }: Selection): Unavailable['reason'] | undefined => unavailable[resource.kind];
  return {
    now,
    get<T>(reference: ObjectReference): T | undefined {
      const covering = [...declared.values()].filter(
        (selection) =>
          selection.resource.kind === reference.resource.kind && [undefined, reference.namespace].includes(selection.namespace),
      );
      if (covering.length === 0) throw new Error(`not declared in access: ${reference.resource.plural} ${reference.name}`);
      return objects.find(
        (object) =>
          isOf(reference.resource, object) && object.metadata.name === reference.name && object.metadata.namespace === reference.namespace,
      ) as T | undefined;
    },
    list<T>(selection: Selection): readonly T[] {
      if (reason(allowed(selection)) !== undefined) return [];
      return objects.filter((object) => isOf(selection.resource, object) && matches(selection, object)) as unknown as readonly T[];
    },
    unavailable(selection) {
      const why = reason(allowed(selection));
      return why === undefined ? undefined : { reason: why, message: `${selection.resource.plural} is ${why}` };
    },
  };
};

const isOf = (resource: Resource, { apiVersion, kind }: KubernetesObject): boolean =>
  kind === resource.kind && apiVersion === apiVersionOf(resource);

const matches = ({ namespace, labelSelector }: Selection, { metadata }: KubernetesObject): boolean =>
  (namespace === undefined || namespace === metadata.namespace) &&
  (labelSelector === undefined || matchesRequirements(parseLabelSelector(labelSelector), metadata.labels));

/** What a kind observes of these objects. */
export const observe = <Raw extends object, Observed>(
  kind: StepKind<Raw, Observed>,
  input: Input<Raw>,
  objects: readonly KubernetesObject[],
  wish?: StateWish,
): Observed => kind.observe(input, stateOf(objects, kind.access(input), wish));
