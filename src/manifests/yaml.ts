import { isScalar, parseAllDocuments, type Node } from 'yaml';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import type { ManifestProblem, Position } from './position.ts';
import { lineStarts, positionAt, type SourceText } from './source-text.ts';
import { positionIn } from './yaml-position.ts';
import { readNode } from './yaml-reader.ts';
import { syntaxProblem } from './yaml-syntax-problem.ts';

export type { ManifestProblem, Position } from './position.ts';

/** What a document says, as JSON, and where it says it. */
export interface YamlDocument {
  readonly value: unknown;
  /** Where what it says begins, from 1. */
  readonly line: number;
  /**
   * Where the value at a path stands, or its key. For a path that is not there, the nearest thing around it that is: the place
   * to complain about something missing.
   */
  positionOf(path: JsonPath, part?: 'value' | 'key'): Position;
}

export interface ParsedYaml extends YamlDocument {
  /** `undefined` when the text cannot be read as YAML; a value may stand beside problems, for more of them to be found in it. */
  readonly value: unknown;
  readonly problems: readonly ManifestProblem[];
}

export interface ParsedYamlStream {
  /** Empty documents and unreadable ones are left out. */
  readonly documents: readonly YamlDocument[];
  readonly problems: readonly ManifestProblem[];
}

/**
 * Reads a text that holds one document. All problems come together, each with its place. What readers of YAML disagree about
 * is a problem and not a guess: duplicate keys, merge keys, anchors, tags, ambiguous booleans and numbers.
 *
 * Source: YAML 1.2.2 with the core schema.
 */
export const parseYaml = (text: string, file: string): ParsedYaml => {
  const { documents, problems } = parseYamlStream(text, file);
  const [first, second] = documents;
  if (first === undefined) {
    const start: Position = { file, line: 1, column: 1, length: 1 };
    const empty: ManifestProblem = { ...start, message: 'there is nothing in it', hint: 'write the document that is expected here' };
    return { value: undefined, problems: problems.length > 0 ? problems : [empty], line: 1, positionOf: () => start };
  }
  if (second === undefined) return { ...first, problems };
  const extra: ManifestProblem = {
    ...second.positionOf([]),
    message: 'a second document',
    hint: 'one document is expected here: remove the "---", or split the file',
  };
  return { ...first, problems: [...problems, extra] };
};

/** Reads a text of any number of documents, separated by `---`. */
export const parseYamlStream = (text: string, file: string): ParsedYamlStream => {
  const source: SourceText = { file, text, lines: lineStarts(text) };
  const problems: ManifestProblem[] = [];
  const documents: YamlDocument[] = [];
  // Duplicate keys are found by readNode, which says where the first one is.
  for (const parsed of parseAllDocuments(text, { schema: 'core', uniqueKeys: false, prettyErrors: false })) {
    problems.push(...parsed.errors.map((error) => syntaxProblem(source, error)));
    if (parsed.directives.yaml.explicit === true) problems.push(directiveProblem(source, parsed.range[0]));
    const root: Node | null = parsed.contents;
    if (parsed.errors.length > 0 || isEmpty(root)) continue;
    documents.push({
      value: readNode(source, root, (problem) => problems.push(problem)),
      line: positionIn(source, root, [], 'value').line,
      positionOf: (path, part = 'value') => positionIn(source, root, path, part),
    });
  }
  return { documents, problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column) };
};

const isEmpty = (root: Node | null): boolean => root === null || (isScalar(root) && root.value === null && root.source === '');

const directiveProblem = (source: SourceText, documentStart: number): ManifestProblem => {
  const start = Math.max(source.text.lastIndexOf('%YAML', documentStart), 0);
  return { ...positionAt(source, start, start + 1), message: 'a %YAML directive', hint: 'remove it: every file is read as YAML 1.2' };
};
