import { matchesFields, parseFieldSelector } from '../../src/kubernetes/field-selector.ts';
import { matchesRequirements, parseLabelSelector } from '../../src/kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { selectionKey, type ObjectReference, type Selection } from '../../src/kubernetes/reference.ts';
import { apiVersionOf, type Resource } from '../../src/kubernetes/resource.ts';
import type { Access, ClusterState, Input, Reading, StepKind, Unavailable } from '../../src/steps/step-kind.ts';
import { noon } from './objects.ts';

export interface StateWish {
  /** Milliseconds since the Unix epoch. */
  readonly now?: number;
  /** Kinds, or selections by their key, that may not be listed, that the cluster does not have, or of which it has no answer. */
  readonly unavailable?: Readonly<Record<string, Unavailable['reason']>>;
}

/** These objects, as far as `access` may see them: reading anything else throws, as it would in the engine. */
export const stateOf = (
  objects: readonly KubernetesObject[],
  access: Access,
  { now = noon, unavailable = {} }: StateWish = {},
): ClusterState => {
  const declared = new Map<string, Reading>([...access.reads, ...(access.once ?? [])].map((reading) => [selectionKey(reading), reading]));
  const allowed = (selection: Selection): Reading => {
    const reading = declared.get(selectionKey(selection));
    if (reading === undefined) throw new Error(`not declared in access: ${selectionKey(selection)}`);
    return reading;
  };
  const reason = (selection: Selection): Unavailable['reason'] | undefined =>
    unavailable[selection.resource.kind] ?? unavailable[selectionKey(selection)];
  return {
    now,
    get<T>(reference: ObjectReference): T | undefined {
      const covering = [...declared.values()].filter(
        (selection) =>
          selection.keep === undefined &&
          selection.resource.kind === reference.resource.kind &&
          [undefined, reference.namespace].includes(selection.namespace),
      );
      if (covering.length === 0) throw new Error(`not declared in access: ${reference.resource.plural} ${reference.name}`);
      return objects.find(
        (object) =>
          isOf(reference.resource, object) && object.metadata.name === reference.name && object.metadata.namespace === reference.namespace,
      ) as T | undefined;
    },
    has: (selection) => declared.has(selectionKey(selection)),
    list<T>(selection: Selection): readonly T[] {
      const { keep = (object: KubernetesObject) => object } = allowed(selection);
      if (reason(selection) !== undefined) return [];
      const selected = objects.filter((object) => isOf(selection.resource, object) && matches(selection, object));
      return selected.flatMap((object) => keep(object) ?? []) as unknown as readonly T[];
    },
    unavailable(selection) {
      const why = reason(allowed(selection));
      return why === undefined ? undefined : { reason: why, message: `${selection.resource.plural} is ${why}` };
    },
  };
};

const isOf = (resource: Resource, { apiVersion, kind }: KubernetesObject): boolean =>
  kind === resource.kind && apiVersion === apiVersionOf(resource);

const matches = ({ namespace, labelSelector, fieldSelector }: Selection, object: KubernetesObject): boolean =>
  (namespace === undefined || namespace === object.metadata.namespace) &&
  (labelSelector === undefined || matchesRequirements(parseLabelSelector(labelSelector), object.metadata.labels)) &&
  (fieldSelector === undefined || matchesFields(parseFieldSelector(fieldSelector), object));

/** What a kind reads of these objects in the end, with what they themselves make it read besides. */
export const accessTo = <Raw extends object, Observed>(
  kind: StepKind<Raw, Observed>,
  input: Input<Raw>,
  objects: readonly KubernetesObject[],
  wish?: StateWish,
): Access => {
  const { reads, once = [], writes } = kind.access(input);
  const listed = [...once];
  for (;;) {
    const access = { reads, once: listed, writes };
    const state = stateOf(objects, access, wish);
    const named = [...(kind.alsoOnce?.(input, state) ?? []), ...(kind.alsoReads?.(input, state) ?? [])];
    const unread = named.filter((reading) => !state.has(reading));
    if (unread.length === 0) return access;
    listed.push(...unread);
  }
};

/** What a kind observes of these objects. */
export const observe = <Raw extends object, Observed>(
  kind: StepKind<Raw, Observed>,
  input: Input<Raw>,
  objects: readonly KubernetesObject[],
  wish?: StateWish,
): Observed => kind.observe(input, stateOf(objects, accessTo(kind, input, objects, wish), wish));
