import { createHash } from 'node:crypto';
import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';

const letters: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

/**
 * The suffix that the name of a generated ConfigMap or Secret gets from its content: ten characters.
 *
 * Source: kustomize, api/hasher: SHA-256 over kind and data as Go writes JSON, spelled without letters that make words.
 */
export const contentHash = (object: KubernetesObject): string => {
  const { kind } = object;
  const more =
    kind === 'Secret' ? { type: object['type'] ?? '' } : object['binaryData'] === undefined ? {} : { binaryData: object['binaryData'] };
  // kustomize looks the name up under a key that is never there, so it is always empty.
  const content = { data: object['data'] ?? '', kind, name: '', ...more };
  const digest = createHash('sha256').update(goJson(content)).digest('hex');
  return digest.slice(0, 10).replaceAll(/[013ae]/g, (letter) => letters[letter] ?? letter);
};

/** JSON as Go's encoding/json writes it: keys in byte order (which JavaScript's objects cannot keep), HTML escaped. */
const goJson = (value: unknown): string => {
  if (isJsonArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (isJsonObject(value)) {
    const keys = Object.keys(value).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${keys.map((key) => `${goText(key)}:${goJson(value[key])}`).join(',')}}`;
  }
  return typeof value === 'string' ? goText(value) : JSON.stringify(value);
};

const goText = (text: string): string =>
  JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
