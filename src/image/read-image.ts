import { isJsonArray, isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import type { BlobDescriptor, Descriptor, ImageSource, Manifest, Platform } from '../registry/image-source.ts';
import { parseImageConfig, type ImageConfig } from './image-config.ts';
import type { ImageDigests } from './image-digests.ts';
import { indexMediaTypes, manifestMediaTypes } from './media-types.ts';
import { childFor, platformText, usualPlatform } from './platform.ts';

/** One image for one platform: from its name down to its config, every part hashed. */
export interface Image {
  readonly digests: ImageDigests;
  readonly platform: Platform;
  /** Absent: the name leads to a manifest directly. */
  readonly index?: Manifest;
  readonly manifest: Manifest;
  readonly config: ImageConfig;
  /** Lowest first. */
  readonly layers: readonly Descriptor[];
}

export type ReadImage =
  | { readonly kind: 'image'; readonly image: Image }
  /** The source said that it has no such tag or digest. */
  | { readonly kind: 'absent'; readonly what: string }
  | { readonly kind: 'noSuchPlatform'; readonly wanted: Platform; readonly has: readonly Platform[] }
  /** There, and no image that a container is started from. */
  | { readonly kind: 'notAnImage'; readonly reason: string };

/** Of a config: far more than any real one. */
const maxConfigBytes = 8 * 1024 * 1024;

/** An index in an index is allowed by the specification, and met; deeper is an attempt to keep somebody busy. */
const maxIndexDepth = 3;

export interface ReadImageOptions {
  /** Of the node that it runs on. Absent: `linux/amd64`, or the only one there is. */
  readonly platform?: Platform;
  /** Called as soon as the top of the graph is known, before the rest is asked for: what else is to be asked goes side by side with it. */
  readonly onTop?: (top: Manifest, child: Descriptor | undefined) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads an image by tag or digest: one request a step of the chain index -> manifest -> config.
 *
 * @throws what `ImageSource` throws: trouble while looking is not an answer.
 */
export const readImage = async (source: ImageSource, reference: string, options: ReadImageOptions = {}): Promise<ReadImage> => {
  const { platform, onTop, signal } = options;
  const top = await source.getManifest(reference, signal);
  if (top === undefined) return { kind: 'absent', what: reference };
  let current = top;
  for (let depth = 0; indexMediaTypes.has(current.mediaType); depth++) {
    if (depth === maxIndexDepth)
      return { kind: 'notAnImage', reason: `${reference} is an index in an index, more than ${maxIndexDepth} deep` };
    const children = platformChildren(current.document);
    const child = chosenChild(children, platform);
    if (child === undefined) {
      const has = children.flatMap(({ platform: its }) => (its === undefined ? [] : [its]));
      return { kind: 'noSuchPlatform', wanted: platform ?? usualPlatform, has };
    }
    if (depth === 0) onTop?.(top, child);
    const next = await source.getManifest(child.digest, signal);
    if (next === undefined) return { kind: 'absent', what: `${child.digest}, which the index ${current.digest} names` };
    current = next;
  }
  if (current === top) onTop?.(top, undefined);
  if (!manifestMediaTypes.has(current.mediaType))
    return { kind: 'notAnImage', reason: `${reference} is ${current.mediaType}, not an image manifest` };
  return readFrom(source, { top, manifest: current, signal });
};

interface Found {
  readonly top: Manifest;
  readonly manifest: Manifest;
  readonly signal: AbortSignal | undefined;
}

const readFrom = async (source: ImageSource, { top, manifest, signal }: Found): Promise<ReadImage> => {
  const configDescriptor = blobOf(manifest.document['config']);
  if (configDescriptor === undefined) return { kind: 'notAnImage', reason: `the manifest ${manifest.digest} names no config` };
  const bytes = await source.getBlob(configDescriptor, maxConfigBytes, signal);
  if (bytes === undefined)
    return { kind: 'absent', what: `${configDescriptor.digest}, the config that the manifest ${manifest.digest} names` };
  const config = parseImageConfig(bytes);
  if (config === undefined) return { kind: 'notAnImage', reason: `${configDescriptor.digest} is no config of a container image` };
  const hasIndex = top !== manifest;
  return {
    kind: 'image',
    image: {
      digests: { ...(hasIndex ? { index: top.digest } : {}), manifest: manifest.digest, config: configDescriptor.digest },
      platform: config.platform,
      ...(hasIndex ? { index: top } : {}),
      manifest,
      config,
      layers: descriptorsIn(manifest.document['layers']),
    },
  };
};

/**
 * Attestations are left out by their annotation, not by their platform: real children may lack one, too.
 *
 * Source: BuildKit, "Image attestation storage".
 */
const platformChildren = (index: JsonObject): readonly Descriptor[] =>
  descriptorsIn(index['manifests']).filter(({ annotations }) => annotations?.['vnd.docker.reference.type'] !== 'attestation-manifest');

const chosenChild = (children: readonly Descriptor[], platform: Platform | undefined): Descriptor | undefined => {
  const fitting = childFor(children, platform ?? usualPlatform);
  if (fitting !== undefined) return fitting;
  const [only, ...others] = children;
  if (only === undefined || others.length > 0) return undefined;
  return platform === undefined || only.platform === undefined ? only : undefined;
};

/** For `noSuchPlatform`: `linux/amd64, linux/arm64`. */
export const platformList = (platforms: readonly Platform[]): string =>
  platforms.length === 0 ? 'none that says which platform it is for' : platforms.map(platformText).join(', ');

export const descriptorsIn = (list: unknown): readonly Descriptor[] =>
  isJsonArray(list)
    ? list.flatMap((item) => {
        const blob = blobOf(item);
        return blob === undefined || !isJsonObject(item) || typeof item['mediaType'] !== 'string'
          ? []
          : [{ ...blob, mediaType: item['mediaType'], ...optionalFields(item) }];
      })
    : [];

const optionalFields = (item: JsonObject): Pick<Descriptor, 'annotations' | 'artifactType' | 'platform'> => {
  const { annotations, artifactType, platform } = item;
  return {
    ...(typeof artifactType === 'string' ? { artifactType } : {}),
    ...(isJsonObject(annotations)
      ? {
          annotations: Object.fromEntries(
            Object.entries(annotations).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
          ),
        }
      : {}),
    ...(isJsonObject(platform) && typeof platform['os'] === 'string' && typeof platform['architecture'] === 'string'
      ? {
          platform: {
            os: platform['os'],
            architecture: platform['architecture'],
            ...(typeof platform['variant'] === 'string' && platform['variant'] !== '' ? { variant: platform['variant'] } : {}),
          },
        }
      : {}),
  };
};

const blobOf = (value: unknown): BlobDescriptor | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { digest, size } = value;
  return typeof digest === 'string' && typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? { digest, size } : undefined;
};
