import { isJsonArray, isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../kubernetes/json-pointer.ts';
import { isKubernetesObject, type KubernetesObject } from '../kubernetes/object.ts';
import type { ManifestProblem, Position } from './position.ts';
import type { YamlDocument } from './yaml.ts';

/** An object as manifests describe it, and where they do. */
export interface ManifestObject {
  readonly object: KubernetesObject;
  readonly file: string;
  /** Where the object begins, from 1. */
  readonly line: number;
  /** Where a field of the object stands. What patches and other transformations set stands nowhere: the nearest thing around it. */
  positionOf(path: JsonPath, part?: 'value' | 'key'): Position;
}

export interface ManifestObjects {
  readonly objects: readonly ManifestObject[];
  readonly problems: readonly ManifestProblem[];
}

/** The objects of a document: one, or those of a List. */
export const objectsOf = (document: YamlDocument, file: string): ManifestObjects => {
  const found = itemsOf(document.value, []).map((path) => objectAt(document, file, path));
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  return { objects: found.flatMap(({ objects }) => objects), problems: found.flatMap(({ problems }) => problems) };
};

/** Source: `kubectl apply` flattens any kind that ends in List and has items. */
const itemsOf = (value: unknown, path: JsonPath): readonly JsonPath[] => {
  if (!isJsonObject(value) || typeof value['kind'] !== 'string' || !value['kind'].endsWith('List') || !isJsonArray(value['items']))
    return [path];
  return value['items'].flatMap((item, index) => itemsOf(item, [...path, 'items', index]));
};

const objectAt = (document: YamlDocument, file: string, path: JsonPath): ManifestObjects => {
  const value = valueAt(document.value, path);
  if (isSound(value)) return { objects: [manifestObject(document, file, path, value)], problems: [] };
  const problems: ManifestProblem[] = [];
  const complain = (field: JsonPath, message: string, hint: string): void => {
    problems.push({ ...document.positionOf([...path, ...field]), message, hint });
  };

  if (!isJsonObject(value)) {
    complain([], 'not a Kubernetes object', 'apiVersion, kind and metadata.name are expected');
    return { objects: [], problems };
  }
  for (const field of [['apiVersion'], ['kind'], ['metadata', 'name']]) {
    const content = valueAt(value, field);
    if (content === undefined)
      complain(field, `${field.join('.')} is missing`, 'every Kubernetes object has apiVersion, kind and metadata.name');
    else if (typeof content !== 'string' || content === '') complain(field, `${field.join('.')} has to be a text`, 'quote it');
  }
  if (!['string', 'undefined'].includes(typeof valueAt(value, ['metadata', 'namespace']))) {
    complain(['metadata', 'namespace'], 'metadata.namespace has to be a text', 'quote it, or leave it out');
  }
  for (const field of ['labels', 'annotations']) {
    for (const [key, content] of Object.entries(mapAt(value, ['metadata', field]))) {
      if (typeof content !== 'string') complain(['metadata', field, key], `${field} are texts`, `write ${key}: '${String(content)}'`);
    }
  }
  return { objects: [], problems };
};

/** The same as no complaint, and the way of almost every object. */
const isSound = (value: unknown): value is KubernetesObject =>
  isKubernetesObject(value) &&
  value.apiVersion !== '' &&
  value.kind !== '' &&
  value.metadata.name !== '' &&
  ['string', 'undefined'].includes(typeof value.metadata.namespace) &&
  hasTexts(value.metadata.labels) &&
  hasTexts(value.metadata.annotations);

const hasTexts = (map: unknown): boolean => !isJsonObject(map) || Object.values(map).every((content) => typeof content === 'string');

const manifestObject = (document: YamlDocument, file: string, path: JsonPath, object: KubernetesObject): ManifestObject => ({
  object,
  file,
  get line() {
    return path.length === 0 ? document.line : document.positionOf(path).line;
  },
  positionOf: (field, part) => document.positionOf([...path, ...field], part),
});

const mapAt = (value: unknown, path: JsonPath): JsonObject => {
  const map = valueAt(value, path);
  return isJsonObject(map) ? map : {};
};
