import type { ObjectReference } from '../kubernetes/reference.ts';

/** One question put on the wire: a new connection from a client's pod. */
export interface ProbeQuestion {
  /** The workload (or pod) from whose side it is asked. */
  readonly client: ObjectReference;
  readonly target: ProbeTarget;
  /** HTTP GET of this path where given, else a bare TCP connect. */
  readonly path?: string;
  readonly timeoutMs: number;
}

export type ProbeTarget =
  | {
      readonly kind: 'pod';
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly ip: string;
      readonly port: number;
    }
  /** `port` is the Service's own, as a client dials it. */
  | { readonly kind: 'service'; readonly namespace: string; readonly name: string; readonly port: number };

export type ProbeAnswer =
  /** A connection was made. `status` and `body` where a path was asked for; `podUid` where the prober knows who answered. */
  | { readonly kind: 'answered'; readonly status?: number; readonly body?: string; readonly podUid?: string; readonly latencyMs: number }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'timeout'; readonly detail: string }
  | { readonly kind: 'unresolved'; readonly detail: string }
  /** The question could not be asked at all: no client pod runs, no tool in it. */
  | { readonly kind: 'unasked'; readonly detail: string };

/** Asks from a client's side. The twin's answers from its own model; a live one execs in real pods. */
export interface Prober {
  ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer>;
}
