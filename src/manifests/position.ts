/** A place in a file, for a person and an editor. */
export interface Position {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units as editors count. */
  readonly column: number;
  /** Units up to the end of what stands there, or of its first line; what a caret underlines. */
  readonly length: number;
}

/** Something in a file that cannot be used as it stands. */
export interface ManifestProblem extends Position {
  /** What is wrong, in one line. */
  readonly message: string;
  /** What to write instead, or where to look. */
  readonly hint: string;
  /** What is left out for it: an object of this kind, or nothing. Absent: nobody knows what stands there. */
  readonly leavesOut?: { readonly kind?: string };
}
