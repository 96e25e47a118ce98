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

/** Adds the objects of a document to `objects`: one, or those of a List. What is none is a problem. */
export const collectObjects = (document: YamlDocument, file: string, objects: ManifestObject[], problems: ManifestProblem[]): void => {
  if (isSound(document.value) && !isList(document.value)) {
    objects.push(new FoundObject(document.value, file, document, wholeDocument));
    return;
  }
  for (const path of itemsOf(document.value, wholeDocument)) {
    const found = objectAt(document, file, path);
    objects.push(...found.objects);
    problems.push(...found.problems);
  }
};

const wholeDocument: JsonPath = [];

/** Source: `kubectl apply` flattens any kind that ends in List and has items. */
const isList = (value: unknown): value is { readonly items: readonly unknown[] } =>
  isJsonObject(value) && typeof value['kind'] === 'string' && value['kind'].endsWith('List') && isJsonArray(value['items']);

const itemsOf = (value: unknown, path: JsonPath): readonly JsonPath[] => {
  if (!isList(value)) return [path];
  return value.items.flatMap((item, index) => itemsOf(item, [...path, 'items', index]));
};

const objectAt = (document: YamlDocument, file: string, path: JsonPath): ManifestObjects => {
  const value = valueAt(document.value, path);
  if (isSound(value)) return { objects: [new FoundObject(value, file, document, path)], problems: [] };
  const problems: ManifestProblem[] = [];
  const kind = valueAt(value, ['kind']);
  const leavesOut = typeof kind === 'string' && kind !== '' ? { kind } : {}; // what is no object is nothing to a cluster
  const complain = (field: JsonPath, message: string, hint: string): void => {
    problems.push({ ...document.positionOf([...path, ...field]), message, hint, leavesOut });
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

/** A class, of which thousands are made quickly. */
class FoundObject implements ManifestObject {
  readonly object: KubernetesObject;
  readonly file: string;
  private readonly document: YamlDocument;
  private readonly path: JsonPath;

  constructor(object: KubernetesObject, file: string, document: YamlDocument, path: JsonPath) {
    this.object = object;
    this.file = file;
    this.document = document;
    this.path = path;
  }

  get line(): number {
    return this.path.length === 0 ? this.document.line : this.document.positionOf(this.path).line;
  }

  positionOf(field: JsonPath, part?: 'value' | 'key'): Position {
    return this.document.positionOf([...this.path, ...field], part);
  }
}

const mapAt = (value: unknown, path: JsonPath): JsonObject => {
  const map = valueAt(value, path);
  return isJsonObject(map) ? map : {};
};
