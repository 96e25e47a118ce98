import { basename } from 'node:path';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Position } from '../position.ts';
import type { BuiltObject } from './built-object.ts';
import type { ConfigMapEntry, GeneratorOptions } from './kustomization.ts';

/** The text of a file that the entry names; throws an Error that says why it cannot be had. */
export type ReadFileText = (path: string) => Promise<string>;

/**
 * Makes the ConfigMap of an entry. Its name gets its suffix at the very end of the build.
 *
 * Throws an Error that says what is wrong with the entry. Source: kustomize API reference, `configMapGenerator`.
 */
export const generateConfigMap = async (
  entry: ConfigMapEntry,
  common: GeneratorOptions | undefined,
  readFileText: ReadFileText,
  position: Position,
): Promise<BuiltObject> => {
  const pairs = [
    ...(entry.literals ?? []).map(literal),
    ...(await Promise.all((entry.files ?? []).map((source) => fileEntry(source, readFileText)))),
  ];
  const repeated = pairs.find(([key], index) => pairs.findIndex(([other]) => other === key) !== index);
  if (repeated !== undefined) throw new Error(`key ${repeated[0]} a second time`);
  const options = mergeOptions(entry.options, common);
  const object: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: entry.name,
      ...(entry.namespace === undefined ? {} : { namespace: entry.namespace }),
      ...(options.labels === undefined ? {} : { labels: options.labels }),
      ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
    },
    ...(pairs.length === 0 ? {} : { data: Object.fromEntries(pairs) }),
    ...(options.immutable === true ? { immutable: true } : {}),
  };
  return {
    object,
    file: position.file,
    line: position.line,
    positionOf: () => position,
    namespaces: [entry.namespace],
    needsHash: options.disableNameSuffixHash !== true,
  };
};

/** `key=value`; quotes around the value are taken off. */
const literal = (source: string): readonly [string, string] => {
  const equals = source.indexOf('=');
  if (equals < 1) throw new Error(`literal "${source}" is not KEY=VALUE`);
  return [source.slice(0, equals), withoutQuotes(source.slice(equals + 1))];
};

const withoutQuotes = (text: string): string => {
  const first = text.at(0);
  return text.length > 1 && first === text.at(-1) && (first === '"' || first === "'") ? text.slice(1, -1) : text;
};

/** `[key=]path`; the key is the file's own name otherwise. */
const fileEntry = async (source: string, readFileText: ReadFileText): Promise<readonly [string, string]> => {
  const equals = source.indexOf('=');
  const path = source.slice(equals + 1);
  const content = await readFileText(path);
  return [equals < 0 ? basename(path) : source.slice(0, equals), content];
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
