import { baseOf, cleanName, joined, parentOf, shownPath } from './container-path.ts';
import { LayerTrouble } from './layer-trouble.ts';
import type { TarEntry } from './tar/tar-entry.ts';

/** What one tar entry does to the file system that the layers below make. Paths are clean, but may still lead through symbolic links. */
export type LayerEntry =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'directory'; readonly path: string }
  /** A device, a pipe or a socket. */
  | { readonly kind: 'special'; readonly path: string }
  | { readonly kind: 'symbolic-link'; readonly path: string; readonly target: string }
  | { readonly kind: 'hard-link'; readonly path: string; readonly target: string }
  /** What lower layers have at `path` is gone. */
  | { readonly kind: 'whiteout'; readonly path: string }
  /** What lower layers have in the directory `path` is gone. */
  | { readonly kind: 'opaque'; readonly path: string };

const whiteoutPrefix = '.wh.';
const metaPrefix = '.wh..wh.';
const opaqueName = '.wh..wh..opq';

/**
 * Undefined: nothing that a container would see (the root's own entry, leftovers of AUFS).
 *
 * Throws for names outside the image: some runtimes refuse them, others write somewhere else.
 *
 * Source: OCI Image specification 1.1, "Image layer filesystem changeset", Whiteouts.
 */
export const layerEntryOf = (entry: TarEntry): LayerEntry | undefined => {
  const path = cleanName(entry.name);
  if (path === undefined) throw new LayerTrouble(`has an entry outside the image (${JSON.stringify(entry.name)})`);
  if (path === '') {
    if (entry.type !== 'directory') throw new LayerTrouble('replaces the root directory');
    return undefined;
  }
  const base = baseOf(path);
  if (base.startsWith(whiteoutPrefix)) return removal(path, base);
  switch (entry.type) {
    case 'file':
      return { kind: 'file', path, size: entry.size };
    case 'directory':
      return { kind: 'directory', path };
    case 'device':
    case 'fifo':
      return { kind: 'special', path };
    case 'symbolic-link':
      if (entry.linkName === '') throw new LayerTrouble(`has a symbolic link to nothing (${shownPath(path)})`);
      return { kind: 'symbolic-link', path, target: entry.linkName };
    case 'hard-link': {
      const target = cleanName(entry.linkName);
      if (target === undefined || target === '') throw new LayerTrouble(`has a hard link out of the image (${shownPath(path)})`);
      return { kind: 'hard-link', path, target };
    }
  }
};

const removal = (path: string, base: string): LayerEntry | undefined => {
  if (base === opaqueName) return { kind: 'opaque', path: parentOf(path) };
  if (base.startsWith(metaPrefix)) return undefined;
  const name = base.slice(whiteoutPrefix.length);
  if (name === '' || name === '.' || name === '..') throw new LayerTrouble(`has a whiteout of no name (${shownPath(path)})`);
  return { kind: 'whiteout', path: joined(parentOf(path), name) };
};
