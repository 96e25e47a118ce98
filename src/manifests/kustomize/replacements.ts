import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { isKubernetesObject } from '../../kubernetes/object.ts';
import { readPlainScalar } from '../kubectl-schema.ts';
import { groupOf, versionOf } from '../object-identity.ts';
import type { BuiltObject } from './built-object.ts';
import { splitFieldPath, updateField, valuesAt } from './field-path.ts';
import type { ReplacementEntry } from './kustomization.ts';
import { isTarget } from './patch-target.ts';

type Source = NonNullable<ReplacementEntry['source']>;
type Options = Source['options'];

const nameField = 'metadata.name';

/**
 * Copies a value of one object into fields of others. Throws an Error that says what is wrong with the entry.
 *
 * Source: kustomize API reference, `replacements`.
 */
export const replaceValues = (
  objects: readonly BuiltObject[],
  { source, sourceValue, targets }: ReplacementEntry,
): readonly BuiltObject[] => {
  if ((source === undefined) === (sourceValue === undefined)) throw new Error('one of source and sourceValue is expected');
  const value = source === undefined ? sourceValue : readSource(objects, source);
  return targets.reduce((current, { select, reject = [], fieldPaths = [nameField], options }) => {
    const rejects = reject.filter((selector) => Object.keys(selector).length > 0);
    return current.map((built) => {
      if (!isTarget(select, built) || rejects.some((selector) => isTarget(selector, built))) return built;
      return { ...built, object: fieldPaths.reduce((object, path) => withValue(object, path, value, options), built.object) };
    });
  }, objects);
};

/** Unlike a target's, the source's fields are whole values, not expressions. */
const readSource = (objects: readonly BuiltObject[], source: Source): unknown => {
  const { group, version, kind, name, namespace, fieldPath = nameField, options } = source;
  const isMeant = ({ object, identities }: BuiltObject): boolean =>
    isEqual(group, groupOf(object.apiVersion)) &&
    isEqual(version, versionOf(object.apiVersion)) &&
    isEqual(kind, object.kind) &&
    identities.some((identity) => isEqual(name, identity.name) && isEqual(namespace, identity.namespace ?? 'default'));
  const [found, ...more] = objects.filter(isMeant);
  if (found === undefined) throw new Error('no object is the source');
  if (more.length > 0) throw new Error(`${more.length + 1} objects may be the source`);
  const [value] = valuesAt(found.object, splitFieldPath(fieldPath));
  if (value === undefined || value === null) throw new Error(`the source has no ${fieldPath}`);
  if (options?.delimiter === undefined) return value;
  const part = textOf(value).split(options.delimiter)[options.index ?? 0];
  if (part === undefined) throw new Error(`the source's ${fieldPath} has no part ${options.index ?? 0}`);
  return part;
};

const isEqual = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === '' || wanted === value;

const withValue = (object: BuiltObject['object'], path: string, value: unknown, options: Options): BuiltObject['object'] => {
  const { value: changed, count } = updateField(object, splitFieldPath(path), options?.create === true, (old) =>
    replaced(old, value, options),
  );
  if (count === 0) throw new Error(`${object.kind} ${object.metadata.name} has no ${path} (options.create makes one)`);
  if (!isKubernetesObject(changed)) throw new Error('it leaves no object with apiVersion, kind and metadata.name');
  return changed;
};

/** A scalar takes the text of a scalar; a text stays one, anything else is what the text reads as. */
const replaced = (old: unknown, value: unknown, options: Options): unknown => {
  const { delimiter = '', index = 0 } = options ?? {};
  const isWhole = delimiter === '';
  if (isWhole && (isStructure(old) || isStructure(value))) return value;
  const text = isWhole ? textOf(value) : placed(old === undefined ? '' : textOf(old), textOf(value), delimiter, index);
  return typeof old === 'string' ? text : readPlainScalar(text);
};

const isStructure = (value: unknown): boolean => isJsonArray(value) || isJsonObject(value);

const placed = (old: string, part: string, delimiter: string, index: number): string => {
  const parts = old.split(delimiter);
  if (index < 0) return [part, ...parts].join(delimiter);
  return index >= parts.length ? [...parts, part].join(delimiter) : parts.with(index, part).join(delimiter);
};

const textOf = (value: unknown): string => {
  if (isStructure(value)) throw new Error('a delimiter parts texts only');
  return String(value);
};
