import { isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import type { Position } from './position.ts';
import { positionAt, type SourceText } from './source-text.ts';

/** Where a value, or its key, stands in the text; for one that is not there, the nearest thing around it that is. */
export const positionIn = (source: SourceText, root: Node | null, path: JsonPath, part: 'value' | 'key'): Position => {
  let found = root;
  let key: Node | undefined;
  for (const step of path) {
    const child = childOf(found, step);
    if (child === undefined) break;
    key = child.key;
    found = child.value ?? child.key ?? found;
  }
  const shown = part === 'key' ? (key ?? found) : found;
  const [start, end] = shown?.range ?? [0, 0];
  return positionAt(source, start, end);
};

const childOf = (parent: Node | null, step: string | number): { readonly key?: Node; readonly value: Node | null } | undefined => {
  if (isSeq<Node>(parent)) {
    const value = parent.items[Number(step)];
    return value === undefined ? undefined : { value };
  }
  if (!isMap<Node, Node>(parent)) return undefined;
  const pair = parent.items.find(({ key }) => keyText(key) === String(step));
  return pair === undefined ? undefined : { key: pair.key, value: valueOf(pair) };
};

const valueOf = ({ value }: Pair<Node, Node>): Node | null => value;

/** A key as JSON has it: the text that was written. `undefined` for a key that is no scalar. */
export const keyText = (key: unknown): string | undefined => {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
};
