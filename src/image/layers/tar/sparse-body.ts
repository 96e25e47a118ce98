import type { SparsePiece } from './sparse-map.ts';
import type { TarBody } from './tar-entry.ts';

/** Puts the holes back between the pieces. The map has been checked. */
export const sparseBody = (body: TarBody, pieces: readonly SparsePiece[], fileBytes: number): TarBody => {
  let at = 0; // in the file
  let index = 0;
  const fillUpTo = (offset: number): void => {
    if (offset > at) body.hole(offset - at);
    at = Math.max(at, offset);
  };
  return {
    data(bytes) {
      for (let taken = 0; taken < bytes.length;) {
        const piece = pieces[index];
        if (piece === undefined) return;
        fillUpTo(piece.offset);
        const length = Math.min(piece.offset + piece.length - at, bytes.length - taken);
        if (length > 0) body.data(bytes.subarray(taken, taken + length));
        at += length;
        taken += length;
        if (at === piece.offset + piece.length) index++;
      }
    },
    hole: (bytes) => body.hole(bytes),
    end() {
      fillUpTo(fileBytes);
      body.end();
    },
  };
};
