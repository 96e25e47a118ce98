/** A number for every place of a list: `rest` but for the places named, which are ascending and have another. */
export interface PlaceValues {
  readonly rest: number;
  readonly places: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

export const everywhere = (rest: number): PlaceValues => ({ rest, places: [], values: [] });

export const valueAtPlace = ({ rest, places, values }: PlaceValues, place: number): number => {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return places[low] === place ? (values[low] ?? rest) : rest;
};

/** Place by place. */
export const combinePlaces = (a: PlaceValues, b: PlaceValues, combine: (a: number, b: number) => number): PlaceValues => {
  const rest = combine(a.rest, b.rest);
  const places: number[] = [];
  const values: number[] = [];
  let [indexA, indexB] = [0, 0];
  while (indexA < a.places.length || indexB < b.places.length) {
    const placeA = a.places[indexA] ?? Infinity;
    const placeB = b.places[indexB] ?? Infinity;
    const value = combine(
      placeA <= placeB ? (a.values[indexA++] ?? a.rest) : a.rest,
      placeB <= placeA ? (b.values[indexB++] ?? b.rest) : b.rest,
    );
    if (value === rest) continue;
    places.push(Math.min(placeA, placeB));
    values.push(value);
  }
  return { rest, places, values };
};

export const mapPlaces = (along: PlaceValues, map: (value: number) => number): PlaceValues => {
  const rest = map(along.rest);
  const places: number[] = [];
  const values: number[] = [];
  for (let index = 0; index < along.places.length; index++) {
    const value = map(along.values[index] ?? along.rest);
    if (value === rest) continue;
    places.push(along.places[index] ?? 0);
    values.push(value);
  }
  return { rest, places, values };
};

/** The most frequent value becomes the rest: there may be many places, and lists are to be short. */
export const placesOf = (size: number, known: ReadonlyMap<number, number>, others: number): PlaceValues => {
  const rest = 2 * known.size <= size ? others : mostFrequent(known.values(), others, size - known.size);
  const entries =
    rest === others ? [...known] : Array.from({ length: size }, (_, place): [number, number] => [place, known.get(place) ?? others]);
  const different = entries.filter(([, value]) => value !== rest).toSorted(([a], [b]) => a - b);
  return { rest, places: different.map(([place]) => place), values: different.map(([, value]) => value) };
};

const mostFrequent = (values: Iterable<number>, others: number, otherCount: number): number => {
  const counts = new Map([[others, otherCount]]);
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [[most] = [others]] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most;
};

/** Of the places before `end`, those whose value is not 0. */
export const listPlaces = (along: PlaceValues, end: number): readonly (readonly [place: number, value: number])[] => {
  if (along.rest !== 0) {
    const all = Array.from({ length: end }, (_, place): [number, number] => [place, valueAtPlace(along, place)]);
    return all.filter(([, value]) => value !== 0);
  }
  return Array.from(along.places, (place, index): [number, number] => [place, along.values[index] ?? 0]).filter(([place]) => place < end);
};
