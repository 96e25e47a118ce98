import { isJsonArray, isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import { isDigest } from './digest.ts';
import type { Descriptor, Platform } from './image-source.ts';

/**
 * A descriptor out of a document; `undefined` where it is none that can be used: digest, size or media type are missing or malformed.
 *
 * Source: OCI Image specification 1.1, "Content descriptors".
 */
export const readDescriptor = (value: unknown): Descriptor | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { mediaType, digest, size, artifactType, data } = value;
  if (typeof mediaType !== 'string' || typeof digest !== 'string' || !isDigest(digest)) return undefined;
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined;
  const annotations = readAnnotations(value['annotations']);
  const platform = readPlatform(value['platform']);
  return {
    mediaType,
    digest,
    size,
    ...(typeof artifactType === 'string' ? { artifactType } : {}),
    ...(annotations === undefined ? {} : { annotations }),
    ...(platform === undefined ? {} : { platform }),
    ...(typeof data === 'string' ? { data } : {}),
  };
};

/** Those of a list (`manifests`, `layers`), without the ones that cannot be used. `undefined` where there is no list. */
export const readDescriptors = (document: JsonObject, field: string): readonly Descriptor[] | undefined => {
  const list = document[field];
  return isJsonArray(list) ? list.flatMap((each) => readDescriptor(each) ?? []) : undefined;
};

/** Values that are no text are left out: nothing is to be read into them. */
export const readAnnotations = (value: unknown): Readonly<Record<string, string>> | undefined => {
  if (!isJsonObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
};

const readPlatform = (value: unknown): Platform | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { os, architecture, variant } = value;
  const osVersion = value['os.version'];
  if (typeof os !== 'string' || typeof architecture !== 'string') return undefined;
  return {
    os,
    architecture,
    ...(typeof variant === 'string' ? { variant } : {}),
    ...(typeof osVersion === 'string' ? { 'os.version': osVersion } : {}),
  };
};
