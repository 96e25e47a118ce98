import type { ObjectReference } from '../kubernetes/reference.ts';

/** The Service whose reachability is recorded around every step, and from whose side it is asked. */
export interface WatchedPath {
  readonly service: ObjectReference;
  /** Absent: nobody to ask from; judged by EndpointSlices alone. */
  readonly client?: ObjectReference | undefined;
  /** The workload whose pods are to be behind the Service in the end: what `newOnly` means. */
  readonly to?: ObjectReference | undefined;
  /** The Service's port, as the client dials it. Absent: the Service's first. */
  readonly port?: number | undefined;
  /** HTTP path to ask; absent: TCP. */
  readonly path?: string | undefined;
  /** Status codes that count as a good answer where `path` is given. Absent: 200 to 399. */
  readonly status?: readonly number[] | undefined;
}
