import type { ProbeAnswer } from '../../cluster/prober.ts';
import type { Dial } from './dial.ts';

/** A program in a client's container that can ask. How to use it, and how to read what it says: pure. */
export interface Tool {
  /** `curl`; `wget (busybox)`. */
  readonly name: string;
  /** Its own words for its version, where it has any. */
  readonly version: string | undefined;
  /** Whether it can ask for an HTTP path, and whether it can make a connection without sending anything. */
  readonly can: { readonly http: boolean; readonly tcp: boolean };
  /** Ends by itself, at the latest a moment after the dial's timeout. */
  command(dial: Dial): readonly string[];
  read(dial: Dial, result: ToolResult): ProbeAnswer;
}

/** What became of a tool's process. */
export interface ToolResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  /** `undefined`: it wrote more than was to be read, and was left. */
  readonly exitCode: number | undefined;
  /** Seen from here: with the way to the pod and back. */
  readonly tookMs: number;
}

/** A program that was found in a container. */
export interface FoundProgram {
  /** As it was looked for: `nc`. */
  readonly name: string;
  readonly path: string;
  /** What it says about itself. */
  readonly about: string;
}

export const isTcpOnly = ({ path }: Dial): boolean => path === undefined;
