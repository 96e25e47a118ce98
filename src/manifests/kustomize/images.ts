import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import { transformEach, type Transformation } from './built-object.ts';
import type { ImageEntry } from './kustomization.ts';

/**
 * Changes name, tag or digest of every container's image that has the entry's name.
 *
 * Source: kustomize API reference, `images`.
 */
export const setImages = (entry: ImageEntry): Transformation =>
  transformEach((object) => (object.kind === 'CustomResourceDefinition' ? object : { ...object, ...inFieldsOf(object, entry) }));

const inFieldsOf = (object: JsonObject, entry: ImageEntry): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([key, field]) => {
      const replaced = inValue(field, entry);
      const isContainers = (key === 'containers' || key === 'initContainers') && isJsonArray(replaced);
      return [key, isContainers ? replaced.map((container) => withImage(container, entry)) : replaced];
    }),
  );

const inValue = (value: unknown, entry: ImageEntry): unknown => {
  if (isJsonArray(value)) return value.map((item) => inValue(item, entry));
  return isJsonObject(value) ? inFieldsOf(value, entry) : value;
};

const withImage = (container: unknown, entry: ImageEntry): unknown => {
  if (!isJsonObject(container) || typeof container['image'] !== 'string') return container;
  return { ...container, image: replaceImage(container['image'], entry) };
};

/** `name[:tag][@digest]`. A new tag or digest takes the place of both; a new name alone keeps them. */
export const replaceImage = (image: string, { name, newName = name, newTag, digest }: ImageEntry): string => {
  const rest = image.startsWith(name) ? image.slice(name.length) : undefined;
  if (rest === undefined || !/^(?::[\w.-]*)?(?:@sha256:[\w.-]*)?$/.test(rest)) return image;
  if (newTag === undefined && digest === undefined) return newName + rest;
  return `${newName}${newTag === undefined ? '' : `:${newTag}`}${digest === undefined ? '' : `@${digest}`}`;
};
