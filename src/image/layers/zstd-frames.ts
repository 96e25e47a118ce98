import { LayerTrouble } from './layer-trouble.ts';
import { sizeText } from './layer-limits.ts';

const frameMagic = 0xfd2fb528;
const isSkippable = (magic: number): boolean => (magic & 0xfffffff0) >>> 0 === 0x184d2a50;

type State = 'magic' | 'descriptor' | 'header' | 'skippable-size' | 'skipped' | 'block' | 'block-body' | 'checksum';

/**
 * Cuts a zstd stream where its frames end, and leaves out the skippable ones, without decoding any.
 *
 * Node's decoder silently ends after the first frame if it is given more than that in one write. Given one frame's bytes at a time it
 * goes on with the next, so that native code decodes all of them.
 *
 * Source: RFC 8878, 3.1.
 */
export class ZstdFrames {
  readonly #maxWindowBytes: number;
  #state: State = 'magic';
  /** Bytes of a field that lies across two chunks, or not yet complete. */
  readonly #field = Buffer.alloc(16);
  #fieldLength = 0;
  #fieldWanted = 4;
  #skipLeft = 0;
  #descriptor = 0;
  #isLastBlock = false;

  constructor(maxWindowBytes: number) {
    this.#maxWindowBytes = maxWindowBytes;
  }

  /** Parts of `chunk`, in order, none of which reaches beyond the end of a frame. */
  split(chunk: Buffer): readonly Buffer[] {
    const pieces: Buffer[] = [];
    let from = 0; // where what is not handed out yet begins
    let at = 0;
    const emit = (end: number): void => {
      if (end > from) pieces.push(chunk.subarray(from, end));
      from = end;
    };
    for (;;) {
      if (this.#state === 'skipped' || this.#state === 'block-body' || this.#state === 'checksum') {
        const length = Math.min(this.#skipLeft, chunk.length - at);
        this.#skipLeft -= length;
        at += length;
        if (this.#state === 'skipped') from = at;
        if (this.#skipLeft > 0) break;
        if (this.#afterSkip()) emit(at);
        continue;
      }
      if (at === chunk.length) break;
      const length = Math.min(this.#fieldWanted - this.#fieldLength, chunk.length - at);
      chunk.copy(this.#field, this.#fieldLength, at, at + length);
      this.#fieldLength += length;
      at += length;
      const isHeldBack = this.#state === 'magic' || this.#state === 'skippable-size'; // until it is known to be a frame's
      if (isHeldBack) from = at;
      if (this.#fieldLength < this.#fieldWanted) break;
      const isFrame = this.#afterField();
      if (isFrame && length === 4) from = at - 4;
      else if (isFrame) pieces.push(Buffer.from(this.#field.subarray(0, 4)));
    }
    emit(at);
    return pieces;
  }

  /** Throws if the stream ends within a frame. */
  end(): void {
    if (this.#state !== 'magic' || this.#fieldLength > 0) throw new LayerTrouble('ends within a zstd frame');
  }

  /** Tells whether it was the magic number of a frame. */
  #afterField(): boolean {
    const field = this.#field.subarray(0, this.#fieldLength);
    switch (this.#state) {
      case 'magic': {
        const magic = field.readUInt32LE(0);
        if (isSkippable(magic)) {
          this.#want('skippable-size', 4);
          return false;
        }
        if (magic !== frameMagic) throw new LayerTrouble('has something after a zstd frame that is none');
        this.#want('descriptor', 1);
        return true;
      }
      case 'skippable-size':
        this.#skip('skipped', field.readUInt32LE(0));
        return false;
      case 'descriptor':
        this.#descriptor = field[0] ?? 0;
        this.#want('header', headerLength(this.#descriptor));
        return false;
      case 'header':
        this.#checkHeader(field);
        this.#want('block', 3);
        return false;
      case 'block': {
        const header = field.readUIntLE(0, 3);
        const type = (header >> 1) & 3;
        if (type === 3) throw new LayerTrouble('has a zstd block of a type that does not exist');
        this.#isLastBlock = (header & 1) === 1;
        this.#skip('block-body', type === 1 ? 1 : header >> 3); // of a repeated byte only that one is there
        return false;
      }
      case 'skipped':
      case 'block-body':
      case 'checksum':
        return false;
    }
  }

  /** Tells whether a frame has ended. */
  #afterSkip(): boolean {
    if (this.#state === 'block-body' && !this.#isLastBlock) {
      this.#want('block', 3);
      return false;
    }
    if (this.#state === 'block-body' && (this.#descriptor & 0b100) !== 0) {
      this.#skip('checksum', 4);
      return false;
    }
    const wasFrame = this.#state !== 'skipped';
    this.#want('magic', 4);
    return wasFrame;
  }

  #checkHeader(header: Buffer): void {
    const isSingleSegment = (this.#descriptor & 0b100000) !== 0;
    const dictionaryLength = [0, 1, 2, 4][this.#descriptor & 3] ?? 0;
    const dictionaryAt = isSingleSegment ? 0 : 1;
    const contentSizeAt = dictionaryAt + dictionaryLength;
    if (dictionaryLength > 0 && header.readUIntLE(dictionaryAt, dictionaryLength) !== 0) {
      throw new LayerTrouble('needs a zstd dictionary, which no OCI layer does');
    }
    const windowBytes = isSingleSegment ? contentSize(header.subarray(contentSizeAt)) : windowSize(header[0] ?? 0);
    if (windowBytes > this.#maxWindowBytes) {
      throw new LayerTrouble(
        `needs ${sizeText(windowBytes)} of memory to decode (its zstd window); more than ${sizeText(this.#maxWindowBytes)} is refused`,
      );
    }
  }

  #want(state: State, length: number): void {
    this.#state = state;
    this.#fieldWanted = length;
    this.#fieldLength = 0;
  }

  #skip(state: State, length: number): void {
    this.#state = state;
    this.#skipLeft = length;
    this.#fieldLength = 0;
  }
}

/** What follows the descriptor: window, dictionary and content size. */
const headerLength = (descriptor: number): number => {
  const isSingleSegment = (descriptor & 0b100000) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const contentSizeLength = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  return (isSingleSegment ? 0 : 1) + dictionary + contentSizeLength;
};

const windowSize = (descriptor: number): number => {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
};

const contentSize = (field: Buffer): number => {
  if (field.length === 8) return Number(field.readBigUInt64LE(0));
  if (field.length === 4) return field.readUInt32LE(0);
  if (field.length === 2) return field.readUInt16LE(0) + 256;
  return field[0] ?? 0;
};
