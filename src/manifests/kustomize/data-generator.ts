import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Position } from '../position.ts';
import { builtObject, type BuiltObject } from './built-object.ts';
import type { ConfigMapEntry, GeneratorOptions, SecretEntry } from './kustomization.ts';

/** The content of a file that the entry names; throws an Error that says why it cannot be had. */
export type ReadFile = (path: string) => Promise<Uint8Array>;

export type DataEntry =
  | { readonly kind: 'ConfigMap'; readonly entry: ConfigMapEntry }
  | { readonly kind: 'Secret'; readonly entry: SecretEntry };

/**
 * Makes the ConfigMap or Secret of an entry. Its name gets its suffix at the very end of the build.
 *
 * Throws an Error that says what is wrong with the entry, and never what stands in it. Source: kustomize API reference,
 * `configMapGenerator` and `secretGenerator`.
 */
export const generateData = async (
  { kind, entry }: DataEntry,
  common: GeneratorOptions | undefined,
  readFile: ReadFile,
  position: Position,
): Promise<BuiltObject> => {
  const pairs = await readPairs(entry, readFile);
  const repeated = pairs.find(([key], index) => pairs.findIndex(([other]) => other === key) !== index);
  if (repeated !== undefined) throw new Error(`key ${repeated[0]} a second time`);
  const options = mergeOptions(entry.options, common);
  const object: KubernetesObject = {
    apiVersion: 'v1',
    kind,
    metadata: {
      name: entry.name,
      ...(entry.namespace === undefined ? {} : { namespace: entry.namespace }),
      ...(options.labels === undefined ? {} : { labels: options.labels }),
      ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
    },
    ...(kind === 'Secret' ? { type: entry.type ?? 'Opaque', ...mapOf('data', pairs, base64) } : configMapData(pairs)),
    ...(options.immutable === true ? { immutable: true } : {}),
  };
  const built = builtObject({ object, file: position.file, line: position.line, positionOf: () => position });
  return { ...built, needsHash: options.disableNameSuffixHash !== true };
};

type Pair = readonly [key: string, value: Uint8Array];

const readPairs = async ({ env, envs = [], literals = [], files = [] }: ConfigMapEntry, readFile: ReadFile): Promise<readonly Pair[]> => {
  const [ofEnvironment, ofFiles] = await Promise.all([
    Promise.all([...(env === undefined ? [] : [env]), ...envs].map(async (path) => environment(path, textOf(path, await readFile(path))))),
    Promise.all(files.map((source) => fileEntry(source, readFile))),
  ]);
  return [...ofEnvironment.flat(), ...literals.map(literal), ...ofFiles];
};

const configMapData = (pairs: readonly Pair[]): Record<string, unknown> => ({
  ...mapOf(
    'data',
    pairs.filter(([, value]) => isUtf8(value)),
    plain,
  ),
  ...mapOf(
    'binaryData',
    pairs.filter(([, value]) => !isUtf8(value)),
    base64,
  ),
});

const mapOf = (field: string, pairs: readonly Pair[], write: (value: Uint8Array) => string): Record<string, unknown> =>
  pairs.length === 0 ? {} : { [field]: Object.fromEntries(pairs.map(([key, value]) => [key, write(value)])) };

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

const plain = (value: Uint8Array): string => Buffer.from(value).toString('utf8');

/** What is longer than a line is broken into lines. Source: kustomize, api/internal/generators, "encodeBase64". */
const base64 = (value: Uint8Array): string => {
  const encoded = Buffer.from(value).toString('base64');
  return encoded.length <= 70 ? encoded : encoded.replaceAll(/.{1,70}/g, '$&\n');
};

const textOf = (path: string, content: Uint8Array): string => {
  if (!isUtf8(content)) throw new Error(`${path} is no text`);
  return plain(content).replace(/^\uFEFF/, '');
};

/** `KEY=VALUE` lines; empty ones and comments are none. */
const environment = (path: string, text: string): readonly Pair[] =>
  text.split(/\r?\n/).flatMap((line, index): readonly Pair[] => {
    const content = line.trimStart();
    if (content === '' || content.startsWith('#')) return [];
    const [key = '', ...value] = content.split('=');
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key)) throw new Error(`line ${index + 1} of ${path} begins with no name of a variable`);
    return [[key, bytes(value.join('='))]];
  });

/** `key=value`; quotes around the value are taken off. */
const literal = (source: string, index: number): Pair => {
  const equals = source.indexOf('=');
  if (equals < 1) throw new Error(`literal ${index} is not KEY=VALUE`);
  return [source.slice(0, equals), bytes(withoutQuotes(source.slice(equals + 1)))];
};

const withoutQuotes = (text: string): string => {
  const first = text.at(0);
  return text.length > 1 && first === text.at(-1) && (first === '"' || first === "'") ? text.slice(1, -1) : text;
};

/** `[key=]path`; the key is the file's own name otherwise. */
const fileEntry = async (source: string, readFile: ReadFile): Promise<Pair> => {
  const equals = source.indexOf('=');
  const path = source.slice(equals + 1);
  return [equals < 0 ? basename(path) : source.slice(0, equals), await readFile(path)];
};

const mergeOptions = (own: GeneratorOptions | undefined, common: GeneratorOptions | undefined): GeneratorOptions => {
  const labels = { ...common?.labels, ...own?.labels };
  const annotations = { ...common?.annotations, ...own?.annotations };
  return {
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    disableNameSuffixHash: own?.disableNameSuffixHash === true || common?.disableNameSuffixHash === true,
    immutable: own?.immutable === true || common?.immutable === true,
  };
};
