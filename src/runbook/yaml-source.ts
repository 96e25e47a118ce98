import { isAlias, isMap, isScalar, isSeq, parseDocument, type Node, type Pair, type Scalar } from 'yaml';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import { diagnose, type Diagnostic, type Finding, type TextRange } from './diagnostic.ts';

/** A YAML document as plain values, and where each of them is in the text. */
export interface YamlSource {
  readonly file: string;
  readonly text: string;
  /** Mappings, lists and scalars of what could be read; `undefined` for an empty document. */
  readonly value: unknown;
  /** What YAML leaves to guessing, and what is no YAML. */
  readonly diagnostics: readonly Diagnostic[];
  /** The value at a path, or the nearest thing around it. */
  valueRange(path: JsonPath): TextRange;
  /** The key that the path ends with, or the nearest thing around it. */
  keyRange(path: JsonPath): TextRange;
  /** Where characters `start` to `end` of a text value are written: quotes, escapes and folded lines are accounted for. */
  rangeInText(path: JsonPath, start: number, end: number): TextRange;
}

interface Place {
  readonly key?: TextRange;
  readonly value: TextRange;
  readonly scalar?: Scalar;
}

/**
 * Reads one YAML 1.2 document. What different readers of YAML take for different things is reported, never guessed: duplicate
 * keys, merge keys, anchors and aliases, tags, `no` and `on`, numbers with leading zeros, keys that are no text, a second document.
 */
export const readYaml = (file: string, text: string): YamlSource => {
  const reader = new Reader(file, text);
  const document = parseDocument(text, { version: '1.2', merge: false, uniqueKeys: true, prettyErrors: false, logLevel: 'error' });
  for (const error of document.errors) reader.syntaxError(error.code, error.message, { start: error.pos[0], end: error.pos[1] });
  if (text.startsWith('%')) reader.report({ start: 0, end: lineEnd(text, 0) }, { code: 'YamlDirective', message: 'YAML directives are not used here: delete the line' });
  const value = document.contents === null ? undefined : reader.read(document.contents, []);
  return { file, text, value, diagnostics: reader.diagnostics, ...reader.ranges() };
};

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  private readonly file: string;
  private readonly text: string;
  private readonly places = new Map<string, Place>();

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  report(range: TextRange, finding: Finding): void {
    this.diagnostics.push(diagnose(this.file, this.text, range, finding));
  }

  syntaxError(code: string, message: string, range: TextRange): void {
    if (code === 'DUPLICATE_KEY') return; // reported with the key's name while reading
    if (code === 'MULTIPLE_DOCS') this.report(range, { code: 'YamlSecondDocument', message: 'a second YAML document begins here; a file holds one' });
    else if (code === 'RESOURCE_EXHAUSTION') this.report(range, { code: 'YamlSyntax', message: 'nested too deeply' });
    else if (code !== 'TAG_RESOLVE_FAILED') this.report(range, { code: 'YamlSyntax', message: `not valid YAML: ${message}` });
  }

  read(node: Node, path: JsonPath, key?: TextRange): unknown {
    const range = this.rangeOf(node);
    this.places.set(placeKey(path), { ...(key === undefined ? {} : { key }), value: range, ...(isScalar(node) ? { scalar: node } : {}) });
    if (isAlias(node)) {
      this.report(range, { code: 'YamlAlias', message: `aliases are not used here: write the value itself instead of *${node.source}` });
      return undefined;
    }
    this.checkProperties(node, range);
    if (isMap(node)) return this.readMap(node.items as Pair<unknown, unknown>[], path);
    if (isSeq(node)) return node.items.map((item, index) => (isNode(item) ? this.read(item, [...path, index]) : undefined));
    if (!isScalar(node)) return undefined;
    this.checkScalar(node, range);
    return node.value;
  }

  private readMap(pairs: readonly Pair<unknown, unknown>[], path: JsonPath): Readonly<Record<string, unknown>> {
    const map: Record<string, unknown> = {};
    const seen = new Map<string, TextRange>();
    for (const { key, value } of pairs) {
      const name = this.readKey(key);
      if (name === undefined || !isNode(key)) continue;
      const range = this.rangeOf(key);
      const first = seen.get(name);
      if (first !== undefined) {
        this.report(range, { code: 'DuplicateKey', message: `'${name}' is here twice, first in line ${diagnose(this.file, this.text, first, { code: '', message: '' }).line}` });
        continue;
      }
      seen.set(name, range);
      const read = isNode(value) ? this.read(value, [...path, name], range) : null;
      if (!isNode(value)) this.places.set(placeKey([...path, name]), { key: range, value: range });
      Object.defineProperty(map, name, { value: read, enumerable: true, configurable: true, writable: true });
    }
    return map;
  }

  private readKey(key: unknown): string | undefined {
    if (!isScalar(key)) {
      if (isNode(key)) this.report(this.rangeOf(key), { code: 'YamlKey', message: 'a key must be plain text' });
      return undefined;
    }
    const range = this.rangeOf(key);
    this.checkProperties(key, range);
    const name = key.source ?? String(key.value);
    if (name === '<<') {
      this.report(range, { code: 'YamlMergeKey', message: 'merge keys are not used here: write the fields themselves' });
      return undefined;
    }
    if (typeof key.value === 'string') this.checkScalar(key, range);
    else this.report(range, { code: 'YamlKey', message: `the key ${name} is read as something else than text: put it in quotes` });
    return name;
  }

  private checkProperties(node: Node, range: TextRange): void {
    const before = { start: this.text.lastIndexOf('\n', range.start - 1) + 1, end: range.start };
    if ('anchor' in node && typeof node.anchor === 'string') {
      const start = Math.max(this.text.lastIndexOf(`&${node.anchor}`, range.start), before.start);
      this.report({ start, end: start + node.anchor.length + 1 }, { code: 'YamlAnchor', message: `anchors are not used here: delete &${node.anchor}` });
    }
    if (typeof node.tag === 'string' && hasWrittenTag(this.text, range.start)) {
      const start = this.text.lastIndexOf('!', range.start);
      this.report({ start, end: range.start }, { code: 'YamlTag', message: 'a value that begins with ! is a YAML tag: put it in quotes' });
    }
  }

  private checkScalar(scalar: Scalar, range: TextRange): void {
    if (scalar.type !== 'PLAIN') return;
    const source = scalar.source ?? '';
    if (/^(?:y|n|yes|no|on|off)$/i.test(source)) {
      const boolean = /^(?:y|yes|on)$/i.test(source);
      this.report(range, {
        code: 'YamlBoolean',
        message: `'${source}' is text to some readers of YAML and ${boolean} to others`,
        expected: `${boolean}, or '${source}' in quotes`,
      });
    } else if (/^[-+]?0[0-9_]+$/.test(source) || /^[-+]?\d+(?::[0-5]?\d)+$/.test(source) || /^[-+]?\d[\d]*_[\d_]*$/.test(source)) {
      this.report(range, { code: 'YamlNumber', message: `${source} is one number to some readers of YAML and another, or text, to others`, expected: 'plain decimal digits, or quotes' });
    } else if (typeof scalar.value === 'number' && (!Number.isFinite(scalar.value) || Math.abs(scalar.value) > Number.MAX_SAFE_INTEGER)) {
      this.report(range, { code: 'YamlNumber', message: `${source} cannot be held exactly`, expected: `a number up to ${Number.MAX_SAFE_INTEGER}` });
    }
  }

  private rangeOf(node: Node): TextRange {
    const [start, end] = node.range ?? [0, 0, 0];
    return { start, end: Math.max(end, start) };
  }

  ranges(): Pick<YamlSource, 'valueRange' | 'keyRange' | 'rangeInText'> {
    const around = (path: JsonPath): Place => {
      for (let length = path.length; length >= 0; length--) {
        const place = this.places.get(placeKey(path.slice(0, length)));
        if (place !== undefined) return place;
      }
      return { value: { start: 0, end: lineEnd(this.text, 0) } };
    };
    return {
      valueRange: (path) => around(path).value,
      keyRange: (path) => {
        const place = around(path);
        return place.key ?? { start: place.value.start, end: Math.min(place.value.end, lineEnd(this.text, place.value.start)) };
      },
      rangeInText: (path, start, end) => {
        const { scalar, value } = around(path);
        return scalar === undefined || typeof scalar.value !== 'string' ? value : locateInScalar(this.text, value, scalar.type, scalar.value, start, end);
      },
    };
  }
}

const isNode = (value: unknown): value is Node => isMap(value) || isSeq(value) || isScalar(value) || isAlias(value);

const placeKey = (path: JsonPath): string => JSON.stringify(path);

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** A tag that the text says, as opposed to one that the parser gives every node of its kind. */
const hasWrittenTag = (text: string, valueStart: number): boolean => /!\S*\s*$/.test(text.slice(text.lastIndexOf('\n', valueStart - 1) + 1, valueStart));

/**
 * Walks the value and its source side by side. White space in a value may be a line break with indentation in the source, so only
 * the other characters are matched; nothing that a caret points at begins with white space.
 */
const locateInScalar = (text: string, range: TextRange, type: Scalar['type'], value: string, start: number, end: number): TextRange => {
  let position = range.start;
  if (type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE') position++;
  if (type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL') position = lineEnd(text, position);
  let located = position;
  let locatedEnd = position;
  for (let index = 0; index <= end && index < value.length; index++) {
    if (!/\s/.test(value.charAt(index))) {
      while (position < range.end && /\s/.test(text.charAt(position))) position++;
      if (index <= start) located = position;
      position += sourceLength(text, position, type);
      if (index < end) locatedEnd = position;
    }
  }
  if (start >= value.trimEnd().length) located = position;
  return { start: located, end: Math.max(located + 1, locatedEnd) };
};

/** How many characters of the source stand for one of the value. */
const sourceLength = (text: string, position: number, type: Scalar['type']): number => {
  if (type === 'QUOTE_SINGLE' && text.startsWith("''", position)) return 2;
  if (type !== 'QUOTE_DOUBLE' || text.charAt(position) !== '\\') return 1;
  return { x: 4, u: 6, U: 10 }[text.charAt(position + 1)] ?? 2;
};
