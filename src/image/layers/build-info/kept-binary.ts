import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RandomAccess } from './random-access.ts';

/**
 * A binary that is kept in a temporary file of its own while its build info is read: what is wanted lies at places that only its end tells,
 * and it may be larger than memory. `discard` removes it.
 */
export class KeptBinary implements RandomAccess {
  readonly #folder: string;
  readonly #file: FileHandle;
  size = 0;

  private constructor(folder: string, file: FileHandle) {
    this.#folder = folder;
    this.#file = file;
  }

  static async create(): Promise<KeptBinary> {
    const folder = await mkdtemp(join(tmpdir(), 'poimen-layer-'));
    try {
      return new KeptBinary(folder, await open(join(folder, 'binary'), 'wx+', 0o600));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.size);
      written += bytesWritten;
      this.size += bytesWritten;
    }
  }

  /** Zeros, which take no room. */
  async appendHole(bytes: number): Promise<void> {
    this.size += bytes;
    await this.#file.truncate(this.size);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    if (wanted === 0) return Buffer.alloc(0);
    const buffer = Buffer.alloc(wanted);
    const { bytesRead } = await this.#file.read(buffer, 0, wanted, offset);
    return buffer.subarray(0, bytesRead);
  }

  async discard(): Promise<void> {
    await this.#file.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
