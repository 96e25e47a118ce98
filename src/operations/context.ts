/** What an operation needs from the world besides a cluster. Passed in; no terminal: what a person sees is the views' business. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. Relative paths and `runbooks/` are looked up from here. */
  readonly workingDirectory: string;
  /** Absolute. */
  readonly homeDirectory: string;
  /** Absolute: poimen's own folder, where the shipped runbooks are. */
  readonly packageDirectory: string;
  /** `user@host`: who runs this, for the journal. */
  readonly operator: string;
  /** Bytes that differ from run to run, for run names. */
  randomBytes(count: number): Uint8Array;
}
