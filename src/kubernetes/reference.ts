import { qualifiedName, type Resource } from './resource.ts';

/** Names one object in a cluster. `namespace` is absent exactly for cluster-scoped resources. */
export interface ObjectReference {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * A set of objects of one resource: one namespace or all, and narrowed by selectors.
 *
 * Source: Kubernetes API concepts, "Retrieving large results sets in chunks", "Field selectors", "Labels and selectors".
 */
export interface Selection {
  readonly resource: Resource;
  /** Absent: all namespaces, or a cluster-scoped resource. */
  readonly namespace?: string;
  /** In the API's syntax: `app=clef-serve,tier in (a, b)`. */
  readonly labelSelector?: string;
  /** In the API's syntax: `metadata.name=clef-serve`. */
  readonly fieldSelector?: string;
}

/** `deployment/clef-serve` for people; the namespace is said where it matters. */
export const shortName = (reference: ObjectReference): string => `${reference.resource.kind.toLowerCase()}/${reference.name}`;

/** `deployment/clef-serve.llm-serving`: the form in which references are typed and printed in full. */
export const fullName = (reference: ObjectReference): string =>
  reference.namespace === undefined ? shortName(reference) : `${shortName(reference)}.${reference.namespace}`;

/** Equal exactly for references to the same object. */
export const referenceKey = (reference: ObjectReference): string =>
  `${qualifiedName(reference.resource)}/${reference.namespace ?? ''}/${reference.name}`;

/** Equal exactly for the same selection. */
export const selectionKey = (selection: Selection): string =>
  [
    `${qualifiedName(selection.resource)}/${selection.resource.version}`,
    selection.namespace ?? '',
    selection.labelSelector ?? '',
    selection.fieldSelector ?? '',
  ].join('|');
