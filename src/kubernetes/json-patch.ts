import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { isJsonObject } from './json.ts';
import { parsePointer, valueAt } from './json-pointer.ts';
import { PatchError, type PatchErrorCode } from './patch-error.ts';
import type { JsonPatch, JsonPatchOperation } from './patch.ts';

/**
 * Applies a JSON Patch to a copy of the document. All or nothing.
 *
 * Where the API server is laxer than the RFC, so is this: `test` against null passes on an absent key, and `replace` of an
 * absent key adds it.
 *
 * Throws `PatchError`.
 * Source: RFC 6902; Kubernetes 1.34 applies it with evanphx/json-patch v4.
 */
export const applyJsonPatch = (document: object, operations: JsonPatch): unknown => {
  let patched: unknown = structuredClone(document);
  for (const operation of operations) {
    const asServed = withServersLaxity(patched, operation);
    if (asServed === undefined) continue;
    try {
      patched = fastJsonPatch.applyOperation(patched, structuredClone(asServed) as Operation, true).newDocument;
    } catch (error) {
      throw new PatchError(codeOf(error), messageOf(error, operation), operation.path);
    }
  }
  return patched;
};

/** `undefined` when the operation holds already. */
const withServersLaxity = (document: unknown, operation: JsonPatchOperation): JsonPatchOperation | undefined => {
  if (operation.op !== 'test' && operation.op !== 'replace') return operation;
  const keys = parsePointer(operation.path);
  const parent = valueAt(document, keys.slice(0, -1));
  const key = keys.at(-1);
  if (key === undefined || !isJsonObject(parent) || Object.hasOwn(parent, key)) return operation;
  if (operation.op === 'replace') return { ...operation, op: 'add' };
  return operation.value === null ? undefined : operation;
};

const codeOf = (error: unknown): PatchErrorCode => {
  switch (error instanceof Error ? error.name : '') {
    case 'TEST_OPERATION_FAILED':
      return 'TestFailed';
    case 'OPERATION_PATH_UNRESOLVABLE':
    case 'OPERATION_FROM_UNRESOLVABLE':
    case 'OPERATION_PATH_CANNOT_ADD':
    case 'OPERATION_PATH_ILLEGAL_ARRAY_INDEX':
    case 'OPERATION_VALUE_OUT_OF_BOUNDS':
      return 'PathMissing';
    default:
      return 'Malformed';
  }
};

const messageOf = (error: unknown, operation: JsonPatchOperation): string => {
  switch (codeOf(error)) {
    case 'TestFailed':
      return `testing value ${operation.path} failed`;
    case 'PathMissing':
      return `${operation.op} operation does not apply: the document has no ${operation.path}`;
    default:
      return `malformed JSON Patch: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
  }
};
