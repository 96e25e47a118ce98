import { LayerTrouble } from '../layer-trouble.ts';
import { sizeText } from '../layer-limits.ts';
import { numberOf, parsePaxRecords, type PaxRecords } from './pax-records.ts';
import { sparseBody } from './sparse-body.ts';
import { checkSparseMap, oldGnuPieces, parseSparseMap, sparseFormatOf, sparseMapOf, type SparsePiece } from './sparse-map.ts';
import type { TarBody, TarEntry, TarType } from './tar-entry.ts';
import { blockBytes, isZeroBlock, parseHeader, parseNumber, textOf, type RawHeader } from './tar-header.ts';

/** Of an extended header, a long name or a sparse map; Go and libarchive refuse more. */
const maxSpecialBytes = 2 ** 20;

const noRecords: PaxRecords = new Map();

type State = 'header' | 'special' | 'sparse-extension' | 'sparse-map' | 'body' | 'padding' | 'ended';

/**
 * Reads a tar archive chunk by chunk. Headers are parsed where they lie; bodies that nobody wants are stepped over.
 *
 * The rules are those of Go's archive/tar (docs/adr/0010): what containerd, CRI-O, Docker, Podman and buildah would unpack. So nothing counts
 * that stands after the end mark, and a global PAX header changes no file.
 *
 * Source: POSIX pax; GNU tar manual, "Tar Internals"; Go, archive/tar.
 */
export class TarReader {
  readonly #onEntry: (entry: TarEntry) => TarBody | undefined;
  #state: State = 'header';
  /** A block, a special header or a map that is not complete. */
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #left = 0; // of special, body or padding
  #padding = 0;
  #sawZeroBlock = false;

  // What the next file's header is changed by.
  #specialType = '';
  #records: PaxRecords = noRecords;
  #longName = '';
  #longLinkName = '';

  // The file whose sparse map is being read.
  #pending: TarEntry | undefined;
  #pieces: SparsePiece[] = [];
  #mapBlocks: Buffer[] = [];
  #mapLines = 0;
  #mapLinesWanted = 1;

  #body: TarBody | undefined;

  constructor(onEntry: (entry: TarEntry) => TarBody | undefined) {
    this.#onEntry = onEntry;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      switch (this.#state) {
        case 'ended':
          return;
        case 'body': {
          const length = Math.min(this.#left, chunk.length - at);
          if (this.#body !== undefined) this.#body.data(chunk.subarray(at, at + length));
          at += length;
          this.#left -= length;
          if (this.#left === 0) this.#endBody();
          break;
        }
        case 'padding': {
          const length = Math.min(this.#left, chunk.length - at);
          at += length;
          this.#left -= length;
          if (this.#left === 0) this.#state = 'header';
          break;
        }
        case 'special': {
          const length = Math.min(this.#left, chunk.length - at);
          this.#keep(chunk, at, length);
          at += length;
          this.#left -= length;
          if (this.#left === 0) this.#endSpecial();
          break;
        }
        case 'header':
        case 'sparse-extension':
        case 'sparse-map':
          at = this.#takeBlock(chunk, at);
      }
    }
  }

  /** Throws where the archive is cut off. An end without the end mark is one, as for Go. */
  end(): void {
    const isComplete = this.#state === 'ended' || this.#state === 'padding' || (this.#state === 'header' && this.#partialBytes === 0);
    if (!isComplete) throw new LayerTrouble('ends in the middle of a tar entry');
  }

  #takeBlock(chunk: Buffer, at: number): number {
    if (this.#partialBytes === 0 && at + blockBytes <= chunk.length) {
      this.#onBlock(chunk, at);
      return at + blockBytes;
    }
    const length = Math.min(blockBytes - this.#partialBytes, chunk.length - at);
    this.#keep(chunk, at, length);
    if (this.#partialBytes === blockBytes) this.#onBlock(this.#takePartial(), 0);
    return at + length;
  }

  #onBlock(block: Buffer, at: number): void {
    if (this.#state === 'sparse-extension') this.#onSparseExtension(block, at);
    else if (this.#state === 'sparse-map') this.#onSparseMap(block, at);
    else this.#onHeader(block, at);
  }

  #onHeader(block: Buffer, at: number): void {
    if (block[at] === 0 && isZeroBlock(block, at)) {
      if (this.#sawZeroBlock) this.#state = 'ended';
      this.#sawZeroBlock = true;
      return;
    }
    if (this.#sawZeroBlock) throw new LayerTrouble('goes on after half of a tar end mark');
    const header = parseHeader(block, at);
    if ('xgLK'.includes(header.type)) {
      if (header.size > maxSpecialBytes) throw new LayerTrouble(`has a tar header of ${sizeText(header.size)}; more than 1 MiB is refused`);
      this.#specialType = header.type;
      this.#padding = paddingOf(header.size);
      this.#left = header.size;
      this.#state = 'special';
      if (header.size === 0) this.#endSpecial();
      return;
    }
    this.#onFile(header, block, at);
  }

  #endSpecial(): void {
    const content = this.#takePartial();
    switch (this.#specialType) {
      case 'x':
        this.#records = parsePaxRecords(content);
        break;
      case 'g': // counts for no file, but must be sound
        parsePaxRecords(content);
        this.#forgetSpecials();
        break;
      case 'L':
        this.#longName = textOf(content, 0, content.length);
        break;
      default:
        this.#longLinkName = textOf(content, 0, content.length);
    }
    this.#startPadding();
  }

  #onFile(header: RawHeader, block: Buffer, at: number): void {
    const records = this.#records;
    const name = this.#longName || valueOf(records, 'path') || header.name;
    const linkName = this.#longLinkName || valueOf(records, 'linkpath') || header.linkName;
    const size = numberOf(records, 'size') ?? header.size;
    this.#forgetSpecials();

    const type = typeOf(header.type, name);
    const hasBody = type === 'file';
    const stored = hasBody ? size : 0;
    const isOldSparse = header.type === 'S';
    const format = sparseFormatOf(records);
    if (format !== undefined && !hasBody) throw new LayerTrouble('has a sparse file that is no file');
    this.#left = stored;
    this.#padding = paddingOf(stored);

    if (isOldSparse) {
      if (!header.isGnu) throw new LayerTrouble('has a sparse file of a format that runtimes refuse (star)');
      this.#pending = { type, name, linkName: '', size: parseNumber(block, at + 483, 12) };
      this.#pieces = [...oldGnuPieces(block, at + 386, 4)];
      if ((block[at + 482] ?? 0) > 0) this.#state = 'sparse-extension';
      else this.#startSparseBody();
    } else if (format !== undefined) {
      const realSize = numberOf(records, 'GNU.sparse.size') ?? numberOf(records, 'GNU.sparse.realsize') ?? size;
      this.#pending = { type, name: valueOf(records, 'GNU.sparse.name') || name, linkName: '', size: realSize };
      this.#pieces = format === '0.1' ? [...sparseMapOf(records)] : [];
      if (format === '0.1') this.#startSparseBody();
      else this.#state = 'sparse-map';
    } else {
      const isLink = type === 'hard-link' || type === 'symbolic-link';
      this.#body = this.#onEntry({ type, name, linkName: isLink ? linkName : '', size: stored });
      this.#startBody();
    }
  }

  #onSparseExtension(block: Buffer, at: number): void {
    this.#pieces.push(...oldGnuPieces(block, at, 21));
    if (this.#pieces.length * 24 > maxSpecialBytes) throw new LayerTrouble('has a sparse file whose map is larger than 1 MiB');
    if ((block[at + 504] ?? 0) === 0) this.#startSparseBody();
  }

  /** The map's blocks are the first of the body. */
  #onSparseMap(block: Buffer, at: number): void {
    if (this.#left < blockBytes) throw new LayerTrouble('has a sparse file whose map is cut off');
    this.#left -= blockBytes;
    this.#mapBlocks.push(Buffer.from(block.subarray(at, at + blockBytes)));
    if (this.#mapBlocks.length * blockBytes > maxSpecialBytes) throw new LayerTrouble('has a sparse file whose map is larger than 1 MiB');
    for (let index = at; index < at + blockBytes; index++) if (block[index] === 0x0a) this.#mapLines++;
    if (this.#mapLines < this.#mapLinesWanted) return;
    const map = parseSparseMap(Buffer.concat(this.#mapBlocks));
    this.#mapLinesWanted = map.linesWanted;
    if (this.#mapLines < map.linesWanted) return;
    this.#pieces = [...map.pieces];
    this.#startSparseBody();
  }

  #startSparseBody(): void {
    const entry = this.#pending;
    if (entry === undefined) throw new Error('no sparse file is being read');
    const pieces = this.#pieces;
    checkSparseMap(pieces, entry.size, this.#left);
    const body = this.#onEntry(entry);
    this.#body = body === undefined ? undefined : sparseBody(body, pieces, entry.size);
    this.#pending = undefined;
    this.#pieces = [];
    this.#mapBlocks = [];
    this.#mapLines = 0;
    this.#mapLinesWanted = 1;
    this.#startBody();
  }

  #startBody(): void {
    this.#state = 'body';
    if (this.#left === 0) this.#endBody();
  }

  #endBody(): void {
    this.#body?.end();
    this.#body = undefined;
    this.#startPadding();
  }

  #startPadding(): void {
    this.#left = this.#padding;
    this.#state = this.#left === 0 ? 'header' : 'padding';
  }

  #forgetSpecials(): void {
    this.#records = noRecords;
    this.#longName = '';
    this.#longLinkName = '';
  }

  #keep(chunk: Buffer, at: number, length: number): void {
    this.#partial.push(Buffer.from(chunk.subarray(at, at + length)));
    this.#partialBytes += length;
  }

  #takePartial(): Buffer {
    const bytes = Buffer.concat(this.#partial);
    this.#partial = [];
    this.#partialBytes = 0;
    return bytes;
  }
}

const paddingOf = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes;

const valueOf = (records: PaxRecords, key: string): string => records.get(key) ?? '';

const typeOf = (type: string, name: string): TarType => {
  switch (type) {
    case '\0': // from before POSIX: a slash marks directories
      return name.endsWith('/') ? 'directory' : 'file';
    case '0':
    case '7':
    case 'S':
      return 'file';
    case '1':
      return 'hard-link';
    case '2':
      return 'symbolic-link';
    case '3':
    case '4':
      return 'device';
    case '5':
      return 'directory';
    case '6':
      return 'fifo';
    default:
      throw new LayerTrouble(`has a tar entry of type ${JSON.stringify(type)}, which runtimes refuse`);
  }
};
