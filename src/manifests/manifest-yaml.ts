import { load, loadAll, YAMLException, type LoadOptions } from 'js-yaml';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import { isAliasBomb } from './alias-expansion.ts';
import { splitDocuments, type DocumentText } from './document-text.ts';
import { createSpanFinder } from './event-position.ts';
import { kubectlSchema } from './kubectl-schema.ts';
import type { ManifestProblem, Position } from './position.ts';
import { lineStarts, positionAt, type SourceText } from './source-text.ts';
import { parseYamlStream, type ParsedYamlStream, type YamlDocument } from './yaml.ts';

/** Of collections: deeper than any API object, and shallower than what a stack holds. */
const maxDepth = 500;

/** The parser holds a token of everything that it reads at once. */
const atOnceLength = 1_000_000;

const options: LoadOptions = { schema: kubectlSchema, maxDepth, json: true };

/** A document above this is not read by the slow, exact parser only for a better word about a mistake in it. */
const explainedLength = 100_000;

/**
 * Reads a file of manifests as kubectl does: what it accepts is accepted and means the same, whatever YAML 1.2 says (`parseYaml` is the
 * strict reader). Positions cost a second pass over a document and are found only when one is asked for.
 *
 * Source: `kubectl`, by test; k8s.io/apimachinery, util/yaml: a file that begins with `{` is JSON, others are split at `---`.
 */
export const readManifestYaml = (text: string, file: string): ParsedYamlStream => {
  const source = lazySource(text, file);
  const json = readJson(text);
  if (json !== undefined) return { documents: [documentOf(json, wholeText(text), source)], problems: [] };
  const parts = splitDocuments(text).filter(({ content }) => content >= 0);
  const values = text.length > atOnceLength ? undefined : loadTogether(text, parts.length);
  const documents: YamlDocument[] = [];
  const problems: ManifestProblem[] = [];
  for (const [index, part] of parts.entries()) {
    try {
      const value = values === undefined ? load(part.text, options) : values[index];
      if (hasAliases(part.text) && isAliasBomb(value, part.text.length)) problems.push(aliasBomb(source(), part));
      else if (value !== null) documents.push(documentOf(value, part, source));
    } catch (error) {
      problems.push(problemIn(source(), part, error));
    }
  }
  return { documents, problems };
};

/** Most have none, and need not be walked through. */
const hasAliases = (text: string): boolean => text.includes('&') && /\*[^\s*]/.test(text);

/** All documents in one go, which is quicker; `undefined` when one of them needs a closer look. */
const loadTogether = (text: string, expected: number): readonly unknown[] | undefined => {
  try {
    const values = loadAll(text, options).filter((value) => value !== null);
    return values.length === expected ? values : undefined;
  } catch {
    return undefined;
  }
};

const lazySource = (text: string, file: string): (() => SourceText) => {
  let source: SourceText | undefined;
  return () => (source ??= { file, text, lines: lineStarts(text) });
};

const readJson = (text: string): unknown => {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it may be a flow map of YAML
  }
};

const wholeText = (text: string): DocumentText => ({ text, offset: 0, content: text.indexOf('{') });

const documentOf = (value: unknown, part: DocumentText, source: () => SourceText): YamlDocument => {
  let find: ReturnType<typeof createSpanFinder> | undefined;
  return {
    value,
    get line() {
      return startOf(source(), part).line;
    },
    positionOf(path: JsonPath, key = 'value'): Position {
      find ??= createSpanFinder(part.text, maxDepth);
      const { start, end } = find(path, key);
      return positionAt(source(), part.offset + start, part.offset + end);
    },
  };
};

const startOf = (source: SourceText, { offset, content }: DocumentText): Position => positionAt(source, offset + content, offset + content);

const aliasBomb = (source: SourceText, part: DocumentText): ManifestProblem => ({
  ...startOf(source, part),
  message: 'its aliases stand for more values than can be read',
  hint: 'write the values out: a few lines of aliases can stand for billions of values, or for one that contains itself',
});

const problemIn = (source: SourceText, part: DocumentText, error: unknown): ManifestProblem => {
  const template = part.text.indexOf('{{');
  if (template >= 0) {
    return {
      ...positionAt(source, part.offset + template, part.offset + template + 2),
      message: 'a template, which is not rendered here',
      hint: 'give what comes out of it: helm template CHART > FOLDER/rendered.yaml',
    };
  }
  const explained = part.text.length > explainedLength ? undefined : explain(source, part);
  if (explained !== undefined) return explained;
  const at = part.offset + (error instanceof YAMLException ? (error.mark?.position ?? part.content) : part.content);
  const message = error instanceof YAMLException ? error.reason : error instanceof Error ? error.message : String(error);
  return { ...positionAt(source, at, at), message: `not YAML: ${message}`, hint: 'check quotes and indentation around here' };
};

/** The strict reader's word on a syntax error, which comes with what usually causes it. */
const explain = (source: SourceText, { text, offset }: DocumentText): ManifestProblem | undefined => {
  const problem = parseYamlStream(text, source.file).problems.find(({ message }) => message.startsWith('not YAML'));
  return problem === undefined ? undefined : { ...problem, line: problem.line + positionAt(source, offset, offset).line - 1 };
};
