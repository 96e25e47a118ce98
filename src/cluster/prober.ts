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
  | {
      readonly kind: 'service';
      readonly namespace: string;
      readonly name: string;
      readonly port: number;
      /** Where the name must lead: tells a name that does not resolve from an address that does not answer. */
      readonly clusterIP?: string;
    };

export type ProbeAnswer =
  /**
   * A connection was made. `status` and `body` where a path was asked for and HTTP came back, else `detail` says what became of it. `podUid`
   * where the prober knows who answered. The latency is that of the first byte of the answer, or of the bare connection.
   */
  | {
      readonly kind: 'answered';
      readonly status?: number;
      readonly body?: string;
      readonly detail?: string;
      readonly podUid?: string;
      readonly latencyMs: number;
    }
  | { readonly kind: 'refused'; readonly detail: string }
  /** No way there: no route, or somebody on the way says so. */
  | { readonly kind: 'unreachable'; readonly detail: string }
  | { readonly kind: 'timeout'; readonly detail: string }
  | { readonly kind: 'unresolved'; readonly detail: string }
  /** The question could not be asked at all: no client pod runs, no tool in it. */
  | { readonly kind: 'unasked'; readonly detail: string };

/** Asks from a client's side. The twin's answers from its own model; a live one execs in real pods. */
export interface Prober {
  ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer>;

  /** From where and with what it asks for this client. Absent: there is nothing to say of it, and it can. */
  means?(client: ObjectReference, signal?: AbortSignal): Promise<ProbeMeans>;

  /** The TCP connections that are established on the client's side now; undefined where that cannot be seen. Absent: it never can. */
  connections?(client: ObjectReference, signal?: AbortSignal): Promise<ClientConnections | undefined>;

  close?(): void;
}

export type ProbeMeans =
  | {
      readonly kind: 'able';
      readonly client: ObjectReference;
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      /** All that were found and can ask, the best first. */
      readonly tools: readonly ProbeTool[];
      /** The one that is used for HTTP, and for bare connections. Absent: none can. */
      readonly http?: string;
      readonly tcp?: string;
    }
  | {
      readonly kind: 'unable';
      readonly client: ObjectReference;
      /** Stable, CamelCase: `NoClientPod`, `ForbiddenToExec`, `NoProbeTool`, `ExecFailed`. */
      readonly code: string;
      readonly reason: string;
    };

export interface ProbeTool {
  readonly name: string;
  readonly version?: string;
  readonly http: boolean;
  readonly tcp: boolean;
}

/** Those of one pod. */
export interface ClientConnections {
  readonly pod: string;
  readonly connections: readonly TcpConnection[];
}

/** A connection that is established, from the side of the one who looks. */
export interface TcpConnection {
  readonly local: SocketAddress;
  readonly remote: SocketAddress;
}

export interface SocketAddress {
  /** As Kubernetes writes it: IPv6 compressed, without brackets. */
  readonly ip: string;
  readonly port: number;
}
