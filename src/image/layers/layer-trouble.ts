/**
 * Why a layer, or what it says of a path, cannot be believed. Never "not there": who asked gets `unreadable` and this reason.
 *
 * The message is the rest of a sentence that begins with the layer: `layer 3 (sha256:...) ...`.
 */
export class LayerTrouble extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? {} : { cause });
    this.name = 'LayerTrouble';
  }
}
