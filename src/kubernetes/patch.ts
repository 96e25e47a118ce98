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
 * A configuration to apply: the fields that the sender wants to own. `force` takes those that others own with another value.
 *
 * Source: Kubernetes API concepts, "Server-Side Apply".
 */
export interface ApplyPatch {
  readonly type: 'apply';
  readonly body: unknown;
  readonly force?: boolean;
}

/**
 * The patch formats of the Kubernetes API.
 *
 * Source: Kubernetes API concepts, "Patch and apply"; RFC 6902 (json), RFC 7386 (merge).
 */
export type Patch =
  | { readonly type: 'json'; readonly operations: JsonPatch }
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown };

export const patchContentTypes: Readonly<Record<Patch['type'] | ApplyPatch['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
