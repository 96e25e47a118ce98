import type { IncomingHttpHeaders } from 'node:http';

/** A request as it came over the wire, with its whole body. */
export interface ServerRequest {
  readonly method: string;
  /** Decoded segments of the path: `['api', 'v1', 'pods']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Aborts when the client has gone or the server ends. */
  readonly signal: AbortSignal;
}

/** What goes back. Pure data, except for a watch, whose events are still to come. */
export type ServerAnswer = WholeAnswer | { readonly kind: 'watch'; readonly events: AsyncIterable<unknown>; readonly timeoutMs: number };

export type WholeAnswer =
  | { readonly kind: 'json'; readonly code: number; readonly body: unknown; readonly type?: string; readonly warnings?: readonly string[] }
  | { readonly kind: 'text'; readonly code: number; readonly body: string };

export const json = (code: number, body: unknown): WholeAnswer => ({ kind: 'json', code, body });

export const text = (code: number, body: string): WholeAnswer => ({ kind: 'text', code, body });
