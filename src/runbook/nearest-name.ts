/**
 * The known name that a person most likely meant: the one the fewest edits away (insertion, deletion, replacement, two neighbours
 * swapped), if those are at most a third of the longer name's length. Upper and lower case count as the same.
 */
export const nearestName = (name: string, known: Iterable<string>): string | undefined => {
  let nearest: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest && edits <= Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3))) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
};

/** Optimal string alignment distance. */
const editDistance = (left: string, right: string): number => {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) edits = Math.min(edits, at(beforePrevious, column - 2) + 1);
      current.push(edits);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
};

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
