import { componentsOf, shownPath } from './container-path.ts';
import { LayerTrouble } from './layer-trouble.ts';
import type { FileContent, Leaf, PathTrace } from './path-trace.ts';

/** What one layer says: traced, or only that it has nothing on the path but perhaps its first directories (from an index of hashed names). */
export type LayerSays<Content extends FileContent> =
  | { readonly kind: 'traced'; readonly trace: PathTrace<Content> }
  | { readonly kind: 'quiet'; readonly directories: number };

export type LookupAnswer<Content extends FileContent> =
  /** The first `depth` components lead to something that is no directory; layer `layer` has it. */
  | { readonly kind: 'leaf'; readonly depth: number; readonly layer: number; readonly leaf: Leaf<Content> }
  | { readonly kind: 'directory' }
  | { readonly kind: 'absent' };

export type LookupStep<Content extends FileContent> =
  | { readonly kind: 'decided'; readonly answer: LookupAnswer<Content> }
  | { readonly kind: 'next-layer' }
  /** It hangs on whether this layer, which was only said to be quiet, really has the directory. */
  | { readonly kind: 'trace-first'; readonly layer: number };

interface Directory {
  /** Some layer has an entry for it. */
  isExplicit: boolean;
  /** The topmost layer that was only said to have it, if no traced one has. */
  guessedFrom: number | undefined;
}

/**
 * One path looked up in the layers, topmost first, as overlayfs merges them: a directory's content is that of all layers down to the first
 * that has something else there, hides it (whiteout) or begins it anew (opaque); anything else hides what is below.
 *
 * Follows no links. Where runtimes that apply layers in another way would come to another answer, it throws a `LayerTrouble`.
 *
 * Source: OCI Image specification 1.1, "Image layer filesystem changeset"; Linux, overlayfs.
 */
export class LayerLookup<Content extends FileContent> {
  readonly #path: string;
  readonly #depth: number;
  readonly #directories: (Directory | undefined)[];
  /** Lower layers do not count from this level on (0: not at all). */
  #hiddenFrom = Number.POSITIVE_INFINITY;

  constructor(path: string) {
    this.#path = path;
    this.#depth = componentsOf(path).length;
    this.#directories = Array.from({ length: this.#depth }, () => undefined);
  }

  step(layer: number, says: LayerSays<Content>): LookupStep<Content> {
    if (this.#depth === 0) return decided({ kind: 'directory' });
    return says.kind === 'quiet' ? this.#takeQuiet(layer, says.directories) : this.#takeTrace(layer, says.trace);
  }

  #takeQuiet(layer: number, directories: number): LookupStep<Content> {
    for (let index = 0; index < directories && index < this.#hiddenFrom; index++) {
      this.#directories[index] ??= { isExplicit: false, guessedFrom: layer };
    }
    return this.#isDirectoryForSure() ? decided({ kind: 'directory' }) : { kind: 'next-layer' };
  }

  #takeTrace(layer: number, trace: PathTrace<Content>): LookupStep<Content> {
    let hidden = this.#hiddenFrom;
    if (trace.rootIsOpaque()) hidden = 0;
    for (const [index, level] of trace.levels.entries()) {
      if (index >= this.#hiddenFrom) break;
      const above = this.#directories[index];
      if (level.state === 'nothing') {
        if (level.whiteout) hidden = Math.min(hidden, index);
        break;
      }
      if (typeof level.state === 'object') {
        if (above?.guessedFrom !== undefined) return { kind: 'trace-first', layer: above.guessedFrom };
        if (above === undefined) return decided({ kind: 'leaf', depth: index + 1, layer, leaf: level.state });
        if (!above.isExplicit && level.state.kind !== 'file' && level.state.kind !== 'special') throw this.#throughOrOver(index);
        hidden = Math.min(hidden, index + 1);
        break;
      }
      this.#directories[index] = {
        isExplicit: above?.isExplicit === true || level.state === 'directory',
        guessedFrom: undefined,
      };
      if (level.whiteout || level.opaque) hidden = Math.min(hidden, index + 1);
      if (level.isRemade && index + 1 < this.#depth && !this.#isSettledIn(trace, index + 1)) throw this.#remade(index);
    }
    this.#hiddenFrom = hidden;
    const firstMissing = this.#directories.indexOf(undefined);
    if (firstMissing === -1) return this.#isDirectoryForSure() ? decided({ kind: 'directory' }) : { kind: 'next-layer' };
    return firstMissing >= hidden ? this.#absent() : { kind: 'next-layer' };
  }

  /** When all layers have been asked. */
  atBottom(): LookupStep<Content> {
    if (this.#directories.includes(undefined)) return this.#absent();
    const guessedFrom = this.#directories.at(-1)?.guessedFrom;
    return guessedFrom === undefined ? decided({ kind: 'directory' }) : { kind: 'trace-first', layer: guessedFrom };
  }

  #absent(): LookupStep<Content> {
    return decided({ kind: 'absent' });
  }

  #isDirectoryForSure(): boolean {
    const last = this.#directories.at(-1);
    return last !== undefined && last.guessedFrom === undefined;
  }

  /** Whether the layer itself has the next component: then it does not matter what lies below. */
  #isSettledIn(trace: PathTrace<Content>, index: number): boolean {
    const state = trace.levels[index]?.state;
    return (
      state !== undefined &&
      state !== 'nothing' &&
      (typeof state === 'object' || index + 1 === this.#depth || this.#isSettledIn(trace, index + 1))
    );
  }

  #prefix(index: number): string {
    return shownPath(
      componentsOf(this.#path)
        .slice(0, index + 1)
        .join('/'),
    );
  }

  #throughOrOver(index: number): LayerTrouble {
    return new LayerTrouble(
      `has a link at ${this.#prefix(index)}, and a higher layer has files below that name without the directory itself: whether they replace the link or go through it depends on the runtime`,
    );
  }

  #remade(index: number): LayerTrouble {
    return new LayerTrouble(
      `removes or replaces ${this.#prefix(index)} and then makes it a directory again: what of lower layers stays in it depends on the runtime`,
    );
  }
}

const decided = <Content extends FileContent>(answer: LookupAnswer<Content>): LookupStep<Content> => ({ kind: 'decided', answer });
