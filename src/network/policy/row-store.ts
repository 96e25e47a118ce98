import { getOrAdd } from './distinctions.ts';
import type { PlaceValues } from './place-values.ts';

/**
 * The rows worked out so far, by what they depend on. A store for divided classes takes over those of the whole ones: what held for a
 * class holds for its parts.
 */
export class RowStore {
  private readonly rows = new Map<string, PlaceValues>();
  private readonly before: { readonly store: RowStore; readonly partsOf: PartsOf } | undefined;

  constructor(before?: { readonly store: RowStore; readonly partsOf: PartsOf }) {
    this.before = before;
  }

  rowFor(key: string, evaluate: () => PlaceValues): PlaceValues {
    return getOrAdd(this.rows, key, () => this.takeOver(key) ?? pack(evaluate()));
  }

  private takeOver(key: string): PlaceValues | undefined {
    if (this.before === undefined) return undefined;
    const { store, partsOf } = this.before;
    const row = store.rows.get(key) ?? store.takeOver(key);
    return row === undefined ? undefined : pack(spread(row, partsOf));
  }
}

/** For a place before the division, the places of its parts. */
export type PartsOf = ReadonlyMap<number, readonly number[]>;

const spread = ({ rest, places, values }: PlaceValues, partsOf: PartsOf): PlaceValues => {
  const entries = Array.from(places, (place, index) =>
    (partsOf.get(place) ?? []).map((part): [number, number] => [part, values[index] ?? rest]),
  )
    .flat()
    .toSorted(([a], [b]) => a - b);
  return { rest, places: entries.map(([place]) => place), values: entries.map(([, value]) => value) };
};

const pack = ({ rest, places, values }: PlaceValues): PlaceValues => ({
  rest,
  places: Uint32Array.from(places),
  values: Uint32Array.from(values),
});
