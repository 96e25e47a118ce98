/** A file of which parts are read at will. */
export interface RandomAccess {
  /** In bytes. */
  readonly size: number;
  /** Fewer bytes at the end of the file, none beyond it. */
  read(offset: number, length: number): Promise<Buffer>;
}
