import type { WatchedSource } from './image-source.ts';
import { LayoutSource } from './layout/layout-source.ts';
import type { ImageReference } from './reference.ts';
import type { RegistryClient } from './registry-client.ts';

/** Where an image is, and under which tag or digest it is asked for there. */
export interface OpenedImage {
  readonly source: WatchedSource;
  readonly reference: string;
}

/**
 * The place that a reference names. The digest decides where both are there; without either it is `latest`, or in a layout on disk the
 * one image that is in it.
 */
export const openImageSource = async (
  reference: ImageReference,
  client: RegistryClient,
  workingDirectory: string,
): Promise<OpenedImage> => {
  const named = reference.digest ?? reference.tag;
  if (reference.kind === 'registry') return { source: client.source(reference), reference: named ?? 'latest' };
  const source = new LayoutSource(reference.directory, workingDirectory);
  return { source, reference: named ?? (await source.onlyImage()) };
};
