import { componentsOf, shownPath } from './container-path.ts';
import type { LayerEntry } from './layer-entry.ts';
import { bothThereAndGone } from './layer-links.ts';
import { LayerTrouble } from './layer-trouble.ts';

/** A regular file's bytes. */
export interface FileContent {
  readonly sha256: string;
  readonly size: number;
}

/** What is no directory. */
export type Leaf<Content extends FileContent = FileContent> =
  /** `content` is there when the path is the one that is looked for, and only when its layer was read to the end. */
  | { readonly kind: 'file'; content?: Content }
  | { readonly kind: 'special' }
  | { readonly kind: 'symbolic-link'; readonly target: string }
  /** To what `target` was before entry number `entryNumber` of the same layer. */
  | { readonly kind: 'hard-link'; readonly target: string; readonly entryNumber: number };

/** What one layer says of one component of the path. */
export interface Level<Content extends FileContent = FileContent> {
  /** `implied`: something is in it, but it has no entry of its own. */
  state: 'nothing' | 'implied' | 'directory' | Leaf<Content>;
  /** What is below in lower layers is gone: the name (`whiteout`), or what is in the directory (`opaque`). */
  whiteout: boolean;
  opaque: boolean;
  /** A directory now, after the same layer had made something else of it or had removed it. */
  isRemade: boolean;
}

/**
 * What one layer says of one path: the state of each of its components, after the entries so far, later ones winning.
 *
 * `content` of a file is set by whoever reads its body. Pure but for that.
 */
export class PathTrace<Content extends FileContent = FileContent> {
  readonly path: string;
  /** Of the path's components, outermost first; the root has none. */
  readonly levels: readonly Level<Content>[];
  readonly rootIsOpaque: () => boolean;
  /** Entries from this number on do not count. */
  readonly #until: number;
  readonly #components: readonly string[];
  #rootOpaque = false;

  constructor(path: string, until = Number.POSITIVE_INFINITY) {
    this.path = path;
    this.#until = until;
    this.#components = componentsOf(path);
    this.levels = this.#components.map(() => ({ state: 'nothing', whiteout: false, opaque: false, isRemade: false }));
    this.rootIsOpaque = () => this.#rootOpaque;
  }

  /** Returns the leaf if the entry is a regular file at the path itself: its content is wanted. */
  apply(entry: LayerEntry, entryNumber: number): { readonly kind: 'file'; content?: Content } | undefined {
    if (entryNumber >= this.#until) return undefined;
    const common = this.#commonWith(entry.path);
    const depth = entry.path === '' ? 0 : depthOf(entry.path, common, this.path);
    const isOnPath = depth === common;
    const isThere = entry.kind === 'opaque';
    this.#imply(isThere ? common : Math.min(common, depth - 1), entry);
    if (!isOnPath) return undefined;
    if (entry.kind === 'opaque') {
      const level = this.levels[depth - 1];
      if (level === undefined) this.#rootOpaque = true;
      else level.opaque = true;
      return undefined;
    }
    const level = this.levels[depth - 1];
    if (level === undefined) return undefined;
    if (entry.kind === 'whiteout') {
      if (level.state !== 'nothing') throw bothThereAndGone(entry.path);
      level.whiteout = true;
      return undefined;
    }
    if (entry.kind === 'directory') {
      if (level.whiteout || typeof level.state === 'object') level.isRemade = true;
      level.state = 'directory';
      return undefined;
    }
    const leaf = leafOf<Content>(entry, entryNumber);
    level.state = leaf;
    for (const deeper of this.levels.slice(depth))
      Object.assign(deeper, { state: 'nothing', whiteout: false, opaque: false, isRemade: false });
    return leaf.kind === 'file' && depth === this.levels.length ? leaf : undefined;
  }

  /** How many components the two begin with. */
  #commonWith(other: string): number {
    const { path } = this;
    let common = 0;
    let index = 0;
    const shorter = Math.min(path.length, other.length);
    for (; index < shorter; index++) {
      if (path.charCodeAt(index) !== other.charCodeAt(index)) return common;
      if (path.charCodeAt(index) === slash) common++;
    }
    const isWhole = (text: string): boolean => text.length === index || text.charCodeAt(index) === slash;
    return shorter > 0 && isWhole(path) && isWhole(other) ? common + 1 : common;
  }

  #imply(count: number, entry: LayerEntry): void {
    for (let index = 0; index < count; index++) {
      const level = this.levels[index];
      if (level === undefined) return;
      if (typeof level.state === 'object') {
        throw new LayerTrouble(`has ${shownPath(entry.path)} below something that is no directory`);
      }
      if (level.state !== 'nothing') continue;
      level.state = 'implied';
      if (level.whiteout) level.isRemade = true;
    }
  }
}

const slash = '/'.charCodeAt(0);

/** Of `path`, as far as it matters: how many components, or one more than are common. */
const depthOf = (path: string, common: number, own: string): number => {
  if (path.length <= own.length && (own === path || own.startsWith(`${path}/`))) return common;
  return common + 1;
};

type LeafEntry = Exclude<LayerEntry, { kind: 'directory' | 'whiteout' | 'opaque' }>;

const leafOf = <Content extends FileContent>(entry: LeafEntry, entryNumber: number): Leaf<Content> => {
  if (entry.kind === 'symbolic-link') return { kind: 'symbolic-link', target: entry.target };
  if (entry.kind === 'hard-link') return { kind: 'hard-link', target: entry.target, entryNumber };
  return { kind: entry.kind };
};
