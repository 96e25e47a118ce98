import { parentOf } from './container-path.ts';
import type { LayerEntry } from './layer-entry.ts';

/** Together, for all layers of a search: 8 bytes each, and as much again for room. */
export class NameBudget {
  left: number;

  constructor(names: number) {
    this.left = names;
  }
}

/**
 * Hashes of the names in one layer, so that a second path (a link's target) does not need it read again where it has nothing on that path.
 *
 * Hashes may collide: "has" means perhaps, "has not" is certain. Once the budget is used up, every name is perhaps there.
 */
export class NameIndex {
  readonly #budget: NameBudget;
  readonly #directories = new HashSet();
  readonly #others = new HashSet();
  #isFull = false;
  #lastParent = '';

  constructor(budget: NameBudget) {
    this.#budget = budget;
  }

  add(entry: LayerEntry): void {
    if (this.#isFull) return;
    if (entry.kind === 'directory') this.#addTo(this.#directories, entry.path);
    else this.#addTo(this.#others, entry.path);
    const parent = parentOf(entry.path);
    if (parent === this.#lastParent) return;
    this.#lastParent = parent;
    for (let path = parent; path !== '' && this.#addTo(this.#directories, path); path = parentOf(path));
  }

  /**
   * How many of the path's components the layer may have as directories, if it has certainly nothing else on the path (no file, no link, no
   * whiteout, no opaque mark). Undefined: it may have.
   */
  directoriesIfQuiet(prefixes: readonly string[]): number | undefined {
    if (this.#isFull || this.#others.has(hashOf(''))) return undefined;
    if (prefixes.some((prefix) => this.#others.has(hashOf(prefix)))) return undefined;
    const first = prefixes.findIndex((prefix) => !this.#directories.has(hashOf(prefix)));
    return first === -1 ? prefixes.length : first;
  }

  #addTo(set: HashSet, path: string): boolean {
    const isNew = set.add(hashOf(path));
    if (isNew && --this.#budget.left < 0) this.#isFull = true;
    return isNew;
  }
}

/** 52 bits, never 0. */
const hashOf = (path: string): number => {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < path.length; index++) {
    const code = path.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0) + 1;
};

/** Open addressing in one typed array: a `Set` takes five times as much. */
class HashSet {
  #slots = new Float64Array(64);
  #count = 0;

  has(hash: number): boolean {
    return this.#slots[this.#slotOf(hash)] === hash;
  }

  /** Returns false if it was there already. */
  add(hash: number): boolean {
    const slot = this.#slotOf(hash);
    if (this.#slots[slot] === hash) return false;
    this.#slots[slot] = hash;
    if (++this.#count * 3 > this.#slots.length * 2) this.#grow();
    return true;
  }

  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash / 2 ** 32)) & mask;
    for (let found = this.#slots[slot]; found !== 0 && found !== hash; found = this.#slots[slot]) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (const hash of old) if (hash !== 0) this.#slots[this.#slotOf(hash)] = hash;
  }
}
