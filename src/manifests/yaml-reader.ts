import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { ambiguityOf } from './ambiguous-scalar.ts';
import type { ManifestProblem } from './position.ts';
import { positionAt, type SourceText } from './source-text.ts';
import { keyText } from './yaml-position.ts';

/** Turns a document's nodes into JSON and reports what readers of YAML disagree about. */
export const readNode = (source: SourceText, node: Node | null, report: (problem: ManifestProblem) => void): unknown => {
  const problem = (at: Node, message: string, hint: string): void => {
    const [start, end] = at.range ?? [0, 0];
    report({ ...positionAt(source, start, end), message, hint });
  };

  const read = (current: Node | null): unknown => {
    if (current === null) return null;
    if (isAlias(current)) {
      problem(current, `*${current.source} is an alias`, 'write the value out: aliases hide what a file says');
      return null;
    }
    if (current.anchor !== undefined)
      problem(current, `&${current.anchor} is an anchor`, 'remove it, and write the value out where it is used');
    if (current.tag !== undefined)
      problem(current, `${current.tag.replace('tag:yaml.org,2002:', '!!')} is a tag`, 'remove it; quote the value if a text is meant');
    if (isMap<Node, Node | null>(current)) return readMap(current.items);
    if (isSeq<Node>(current)) return current.items.map(read);
    return isScalar(current) ? readScalar(current) : null;
  };

  const readMap = (pairs: readonly { readonly key: Node; readonly value: Node | null }[]): unknown => {
    const entries = new Map<string, unknown>();
    const firstLine = new Map<string, number>();
    for (const { key, value } of pairs) {
      const name = readKey(key);
      if (name === undefined) continue;
      const first = firstLine.get(name);
      if (first === undefined) firstLine.set(name, source.lines.linePos(key.range?.[0] ?? 0).line);
      else problem(key, `duplicate key ${name}`, `it is already set in line ${first}: keep one`);
      const content = read(value);
      if (first === undefined) entries.set(name, content);
    }
    return Object.fromEntries(entries);
  };

  const readKey = (key: Node): string | undefined => {
    const name = keyText(key);
    if (name === undefined || !isScalar(key)) {
      problem(key, 'a key that is not a text', 'write KEY: VALUE');
      return undefined;
    }
    if (name === '<<' && isPlain(key)) {
      problem(key, '<< is a merge key', 'write the keys out: YAML 1.2 has no merge keys');
      return undefined;
    }
    if (key.value === null) problem(key, 'a key is missing', 'write KEY: VALUE; quote the key if it is meant as a text');
    read(key);
    return name;
  };

  const readScalar = (scalar: Scalar): unknown => {
    if (isPlain(scalar)) {
      const ambiguity = ambiguityOf(scalar.source ?? '');
      if (ambiguity !== undefined) problem(scalar, ambiguity.message, ambiguity.hint);
    }
    if (typeof scalar.value === 'number' && !isExact(scalar.value)) {
      problem(
        scalar,
        `${scalar.source ?? scalar.value} is not a number that JSON can hold exactly`,
        `write '${scalar.source ?? ''}' if a text is meant`,
      );
    }
    return scalar.value;
  };

  return read(node);
};

const isPlain = (scalar: Scalar): boolean => scalar.type === 'PLAIN';

const isExact = (value: number): boolean => Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
