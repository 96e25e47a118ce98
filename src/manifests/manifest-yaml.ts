import { load, YAMLException, type LoadOptions } from 'js-yaml';
import type { JsonPath } from '../kubernetes/json-pointer.ts';
import { isAliasBomb } from './alias-expansion.ts';
import { splitDocuments, type DocumentSpan } from './document-text.ts';
import { createSpanFinder } from './event-position.ts';
import { kubectlSchema } from './kubectl-schema.ts';
import type { ManifestProblem, Position } from './position.ts';
import { lineStarts, positionAt, type SourceText } from './source-text.ts';
import { readPlainDocuments } from './plain-documents.ts';
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
  if (json !== undefined) {
    const whole = { start: 0, end: text.length, content: text.indexOf('{') };
    return { documents: [new ManifestDocument(json, whole, source)], problems: [] };
  }
  const spans = splitDocuments(text);
  const values = text.length > atOnceLength ? undefined : loadTogether(text, spans.length);
  const mayHaveAliases = text.includes('&'); // most have none, and need not be walked through
  const documents: YamlDocument[] = [];
  const problems: ManifestProblem[] = [];
  for (const [index, span] of spans.entries()) {
    try {
      const value = values === undefined ? load(text.slice(span.start, span.end), options) : values[index];
      if (mayHaveAliases && isAliasBomb(value, span.end - span.start)) problems.push(aliasBomb(source(), span));
      else if (value !== null) documents.push(new ManifestDocument(value, span, source));
    } catch (error) {
      problems.push(problemIn(source(), span, error));
    }
  }
  return { documents, problems };
};

/** All documents in one go, which is quicker; `undefined` when one of them needs a closer look: then each is read alone. */
const loadTogether = (text: string, expected: number): readonly unknown[] | undefined => {
  try {
    const values = readPlainDocuments(text, maxDepth).filter((value) => value !== null);
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

/** A class, of which thousands are made quickly. */
class ManifestDocument implements YamlDocument {
  readonly value: unknown;
  private readonly span: DocumentSpan;
  private readonly source: () => SourceText;
  private find: ReturnType<typeof createSpanFinder> | undefined;

  constructor(value: unknown, span: DocumentSpan, source: () => SourceText) {
    this.value = value;
    this.span = span;
    this.source = source;
    this.find = undefined;
  }

  get line(): number {
    return startOf(this.source(), this.span).line;
  }

  positionOf(path: JsonPath, key: 'value' | 'key' = 'value'): Position {
    const source = this.source();
    this.find ??= createSpanFinder(source.text.slice(this.span.start, this.span.end), maxDepth);
    const { start, end } = this.find(path, key);
    return positionAt(source, this.span.start + start, this.span.start + end);
  }
}

const startOf = (source: SourceText, { content }: DocumentSpan): Position => positionAt(source, content, content);

const aliasBomb = (source: SourceText, span: DocumentSpan): ManifestProblem => ({
  ...startOf(source, span),
  message: 'its aliases stand for more values than can be read',
  hint: 'write the values out: a few lines of aliases can stand for billions of values, or for one that contains itself',
});

const problemIn = (source: SourceText, span: DocumentSpan, error: unknown): ManifestProblem => {
  const text = source.text.slice(span.start, span.end);
  const template = text.indexOf('{{');
  if (template >= 0) {
    return {
      ...positionAt(source, span.start + template, span.start + template + 2),
      message: 'a template, which is not rendered here',
      hint: 'give what comes out of it: helm template CHART > FOLDER/rendered.yaml',
    };
  }
  const explained = text.length > explainedLength ? undefined : explain(source, text, span);
  if (explained !== undefined) return explained;
  const mark = error instanceof YAMLException ? error.mark?.position : undefined;
  const at = mark === undefined ? span.content : span.start + mark;
  const message = error instanceof YAMLException ? error.reason : error instanceof Error ? error.message : String(error);
  return { ...positionAt(source, at, at), message: `not YAML: ${message}`, hint: 'check quotes and indentation around here' };
};

/** The strict reader's word on a syntax error, which comes with what usually causes it. */
const explain = (source: SourceText, text: string, { start }: DocumentSpan): ManifestProblem | undefined => {
  const problem = parseYamlStream(text, source.file).problems.find(({ message }) => message.startsWith('not YAML'));
  return problem === undefined ? undefined : { ...problem, line: problem.line + positionAt(source, start, start).line - 1 };
};
