import { getOrAdd } from './distinctions.ts';

/** Numbers of verdicts, by place. */
export type Row = Uint16Array | Uint32Array;

/**
 * The rows worked out so far, by what they depend on. A store for divided classes takes over those of the whole ones: what held for a
 * class holds for its parts.
 */
export class RowStore {
  private readonly rows = new Map<string, Row>();
  private readonly before: { readonly store: RowStore; readonly placeBefore: ArrayLike<number> } | undefined;

  constructor(before?: { readonly store: RowStore; readonly placeBefore: ArrayLike<number> }) {
    this.before = before;
  }

  rowFor(key: string, evaluate: () => Uint32Array): Row {
    return getOrAdd(this.rows, key, () => this.takeOver(key) ?? pack(evaluate()));
  }

  private takeOver(key: string): Row | undefined {
    if (this.before === undefined) return undefined;
    const { store, placeBefore } = this.before;
    const row = store.rows.get(key) ?? store.takeOver(key);
    return row === undefined ? undefined : pack(Uint32Array.from(placeBefore, (place) => row[place] ?? 0));
  }
}

const pack = (row: Uint32Array): Row => {
  let largest = 0;
  for (const number of row) if (number > largest) largest = number;
  return largest < 65_536 ? Uint16Array.from(row) : row;
};
