/**
 * A write as poimen sends it: a JSON Patch whose leading `test` operations are its preconditions.
 *
 * Source: RFC 6902.
 */
export type JsonPatch = readonly JsonPatchOperation[];

export type JsonPatchOperation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The patch formats of the Kubernetes API.
 *
 * Source: Kubernetes API concepts, "Patch and apply"; RFC 6902 (json), RFC 7386 (merge).
 */
export type Patch =
  | { readonly type: 'json'; readonly operations: JsonPatch }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown };

export const patchContentTypes: Readonly<Record<Patch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};
