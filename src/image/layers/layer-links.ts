import { componentsOf, joined, parentOf, shownPath, baseOf } from './container-path.ts';
import type { LayerEntry } from './layer-entry.ts';
import { sizeText } from './layer-limits.ts';
import { LayerTrouble } from './layer-trouble.ts';

/** As many as Linux follows before it gives up (ELOOP). */
export const maxLinks = 40;

/**
 * The symbolic links of one layer so far, and where its entries land because of them: a name below one of its own symbolic links is unpacked
 * where that points. Links of lower layers do not count: each layer is unpacked into a directory of its own (overlayfs).
 *
 * Source: containerd, archive.Apply with an overlay's parents; Docker and containers/storage, overlay's ApplyDiff.
 */
export class LayerLinks {
  readonly #maxBytes: number;
  readonly #targets = new Map<string, string>();
  /** Directories that have links somewhere below. */
  readonly #above = new Set<string>();
  #bytes = 0;

  // Entries of one directory follow each other.
  #lastParent = '';
  #lastReal = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The entry where it lands. Has to be called for every entry, in order. */
  place(entry: LayerEntry): LayerEntry {
    const path = entry.kind === 'opaque' ? this.#follow(entry.path) : this.#realPath(entry.path);
    const placed: LayerEntry =
      entry.kind === 'hard-link'
        ? { ...entry, path, target: this.#realPath(entry.target) }
        : path === entry.path
          ? entry
          : { ...entry, path };
    this.#remember(placed);
    return placed;
  }

  #realPath(path: string): string {
    if (this.#targets.size === 0) return path;
    const parent = parentOf(path);
    if (parent === '') return path;
    if (parent !== this.#lastParent) {
      this.#lastReal = this.#follow(parent);
      this.#lastParent = parent;
    }
    return this.#lastReal === parent ? path : joined(this.#lastReal, baseOf(path));
  }

  /** All of it, the last component too. */
  #follow(path: string): string {
    if (this.#targets.size === 0) return path;
    const left = [...componentsOf(path)].toReversed();
    let real = '';
    let followed = 0;
    for (let component = left.pop(); component !== undefined; component = left.pop()) {
      if (component === '..') {
        real = parentOf(real);
        continue;
      }
      const next = joined(real, component);
      const target = this.#targets.get(next);
      if (target === undefined) {
        real = next;
        continue;
      }
      if (++followed > maxLinks) throw new LayerTrouble(`has an entry below a loop of symbolic links (${shownPath(path)})`);
      if (target.startsWith('/')) real = '';
      left.push(...componentsOf(target).toReversed());
    }
    return real;
  }

  #remember(entry: LayerEntry): void {
    if (entry.kind === 'opaque') return;
    const { path } = entry;
    if (entry.kind === 'whiteout') {
      if (this.#targets.has(path) || this.#above.has(path)) throw bothThereAndGone(path);
      return;
    }
    if (entry.kind !== 'directory' && this.#above.has(path)) this.#forgetBelow(path);
    const target = entry.kind === 'symbolic-link' ? entry.target : entry.kind === 'hard-link' ? this.#targets.get(entry.target) : undefined;
    if (target === undefined) {
      if (this.#targets.delete(path)) this.#lastParent = '';
      return;
    }
    this.#bytes += path.length + target.length;
    if (this.#bytes > this.#maxBytes) {
      throw new LayerTrouble(`has so many symbolic links that their names take more than ${sizeText(this.#maxBytes)}`);
    }
    this.#targets.set(path, target);
    for (let parent = parentOf(path); parent !== '' && !this.#above.has(parent); parent = parentOf(parent)) this.#above.add(parent);
    this.#lastParent = '';
  }

  /** A directory was replaced by something else, links in it and all. */
  #forgetBelow(path: string): void {
    for (const link of this.#targets.keys()) if (link.startsWith(`${path}/`)) this.#targets.delete(link);
    this.#lastParent = '';
  }
}

/** Runtimes differ in whether the file or its removal wins. */
export const bothThereAndGone = (path: string): LayerTrouble =>
  new LayerTrouble(`has ${shownPath(path)} and then its removal: what a container sees depends on the runtime`);
