export type TarType = 'file' | 'directory' | 'symbolic-link' | 'hard-link' | 'device' | 'fifo';

/** One file of an archive, extended headers applied. Names are byte strings (latin1), as the archive has them. */
export interface TarEntry {
  readonly type: TarType;
  readonly name: string;
  /** Empty for all but links. */
  readonly linkName: string;
  /** Of the file, holes included, in bytes. */
  readonly size: number;
}

/** Who wants a file's content. What is given is valid only until the next chunk is pushed. */
export interface TarBody {
  data(bytes: Buffer): void;
  /** Zeros that the archive does not hold. */
  hole(bytes: number): void;
  /** All of it was given. */
  end(): void;
}
