import { isJsonArray, isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import type { Platform } from '../registry/image-source.ts';
import type { ImageCommand } from './process-origin.ts';

/**
 * What poimen reads of an image's config.
 *
 * Source: OCI Image specification 1.1, "Image configuration".
 */
export interface ImageConfig {
  readonly platform: Platform;
  /** RFC 3339, as the builder says. */
  readonly created?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly command: ImageCommand;
  /** Digests of the layers' uncompressed content, lowest layer first. */
  readonly diffIds: readonly string[];
}

/** Undefined: it is no config of an image that a container could be started from. */
export const parseImageConfig = (bytes: Uint8Array): ImageConfig | undefined => {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
  if (!isJsonObject(document)) return undefined;
  const { os, architecture, variant, created } = document;
  if (typeof os !== 'string' || typeof architecture !== 'string') return undefined;
  const config = objectOf(document['config']);
  const workingDirectory = config['WorkingDir'];
  return {
    platform: { os, architecture, ...(typeof variant === 'string' && variant !== '' ? { variant } : {}) },
    ...(typeof created === 'string' ? { created } : {}),
    labels: Object.fromEntries(
      Object.entries(objectOf(config['Labels'])).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
    command: {
      entrypoint: textsOf(config['Entrypoint']),
      cmd: textsOf(config['Cmd']),
      ...(typeof workingDirectory === 'string' && workingDirectory !== '' ? { workingDirectory } : {}),
      env: textsOf(config['Env']),
    },
    diffIds: textsOf(objectOf(document['rootfs'])['diff_ids']),
  };
};

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const textsOf = (value: unknown): readonly string[] =>
  isJsonArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
