import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { BuildInfo } from './build-info/build-info.ts';
import { KeptBinary } from './build-info/kept-binary.ts';
import { readBuildInfo } from './build-info/read-build-info.ts';
import { sizeText, type LayerLimits } from './layer-limits.ts';
import { LayerTrouble } from './layer-trouble.ts';
import type { FileContent } from './path-trace.ts';
import type { TarBody } from './tar/tar-entry.ts';

/** A regular file of a layer, read to its end. */
export interface ReadContent extends FileContent {
  readonly buildInfo?: BuildInfo;
  /** Why there is none, where one could have been expected. */
  readonly buildInfoProblem?: string;
}

type Part =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'hole'; readonly length: number }
  | { readonly kind: 'end' };

const zeros = Buffer.alloc(64 * 1024);
const elfMagic = Buffer.from('\x7fELF', 'latin1');

/**
 * Hashes one file that a tar reader hands out, and keeps it on disk meanwhile if its build info is wanted and it is an ELF binary.
 *
 * The tar reader is not held up: `settle` works off what it gave since the last time, and has to be awaited before the next chunk.
 */
export class FileIntake implements TarBody {
  readonly #limits: LayerLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #onContent: (content: ReadContent) => void;
  readonly #hash = createHash('sha256');
  readonly #size: number;
  #parts: Part[] = [];
  #wantsBuildInfo: boolean;
  #start = Buffer.alloc(0);
  #binary: KeptBinary | undefined;
  #problem: string | undefined;

  constructor(size: number, wantsBuildInfo: boolean, limits: LayerLimits, onContent: (content: ReadContent) => void, signal?: AbortSignal) {
    if (size > limits.maxUnpackedBytes) {
      throw new LayerTrouble(`says that the file has ${sizeText(size)}; more than ${sizeText(limits.maxUnpackedBytes)} is refused`);
    }
    this.#size = size;
    this.#wantsBuildInfo = wantsBuildInfo;
    this.#limits = limits;
    this.#onContent = onContent;
    this.#signal = signal;
  }

  data(bytes: Buffer): void {
    this.#parts.push({ kind: 'data', bytes });
  }

  hole(length: number): void {
    this.#parts.push({ kind: 'hole', length });
  }

  end(): void {
    this.#parts.push({ kind: 'end' });
  }

  /** Returns true once the file is complete. */
  async settle(): Promise<boolean> {
    const parts = this.#parts;
    this.#parts = [];
    let isComplete = false;
    for (const part of parts) {
      if (part.kind === 'data') await this.#take(part.bytes);
      else if (part.kind === 'hole') await this.#takeHole(part.length);
      else {
        await this.#finish();
        isComplete = true;
      }
    }
    return isComplete;
  }

  async discard(): Promise<void> {
    const binary = this.#binary;
    this.#binary = undefined;
    await binary?.discard();
  }

  async #take(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    if (!this.#wantsBuildInfo) return;
    if (this.#binary !== undefined) {
      await this.#binary.append(bytes);
      return;
    }
    this.#start = Buffer.concat([this.#start, bytes]);
    if (this.#start.length < elfMagic.length) return;
    this.#wantsBuildInfo = this.#start.subarray(0, elfMagic.length).equals(elfMagic);
    if (this.#wantsBuildInfo && this.#size > this.#limits.maxBinaryBytes) {
      this.#wantsBuildInfo = false;
      this.#problem = `not read: the binary is larger than ${sizeText(this.#limits.maxBinaryBytes)}`;
    }
    if (this.#wantsBuildInfo) {
      this.#binary = await KeptBinary.create();
      await this.#binary.append(this.#start);
    }
    this.#start = Buffer.alloc(0);
  }

  async #takeHole(length: number): Promise<void> {
    if (this.#binary === undefined) this.#wantsBuildInfo = false;
    else await this.#binary.appendHole(length);
    for (let left = length, rounds = 1; left > 0; left -= zeros.length, rounds++) {
      this.#hash.update(left < zeros.length ? zeros.subarray(0, left) : zeros);
      if (rounds % 256 !== 0) continue;
      await setImmediate(); // a file of nothing but holes must not keep a deadline from being heard
      this.#signal?.throwIfAborted();
    }
  }

  async #finish(): Promise<void> {
    const read = this.#binary === undefined ? {} : await buildInfoOf(this.#binary);
    await this.discard();
    this.#onContent({
      sha256: this.#hash.digest('hex'),
      size: this.#size,
      ...(this.#problem === undefined ? {} : { buildInfoProblem: this.#problem }),
      ...read,
    });
  }
}

const buildInfoOf = async (binary: KeptBinary): Promise<Pick<ReadContent, 'buildInfo' | 'buildInfoProblem'>> => {
  try {
    const buildInfo = await readBuildInfo(binary);
    return buildInfo === undefined ? {} : { buildInfo };
  } catch (error) {
    return { buildInfoProblem: `broken: ${error instanceof Error ? error.message : String(error)}` };
  }
};
