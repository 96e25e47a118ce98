/** A process to start in a container. */
export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Started as it is: no shell is between. */
  readonly command: readonly string[];
  /** It may be written to. Without: its stdin is empty. */
  readonly stdin?: boolean;
  /** Closes the session. */
  readonly signal?: AbortSignal;
}

/**
 * A process that runs in a container, over one connection.
 *
 * Source: Kubernetes API reference, Pod v1 core, "connect GET requests to exec of Pod".
 */
export interface ExecSession {
  /**
   * What it writes, and how it ends. One reader. The last event is `exit`, unless the session is closed here first: then they just end.
   *
   * @throws ConnectionError when the connection broke: what became of the process is not known.
   */
  readonly events: AsyncIterable<ExecEvent>;
  /** To its stdin. What comes after its end is dropped. */
  write(text: string): void;
  /** Leaves it. A process that reads its stdin finds the end of it; one that does not goes on. */
  close(): void;
}

export type ExecEvent =
  /** Of one stream in the order in which it was written; between the two there is no order. */
  | { readonly type: 'stdout' | 'stderr'; readonly data: Uint8Array }
  | { readonly type: 'exit'; readonly code: number }
  /** It was not started, or its end is not known: the words of the server and the container runtime. */
  | { readonly type: 'failed'; readonly message: string };
