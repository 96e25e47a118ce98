import type { ObjectReference } from '../../kubernetes/reference.ts';

/** A container from which questions are asked. */
export interface Vantage {
  readonly namespace: string;
  readonly pod: string;
  readonly podUid: string;
  readonly container: string;
}

/** There is none now. `reason` is for people. */
export interface NoVantage {
  readonly kind: 'none';
  readonly reason: string;
}

/**
 * Where to ask from for a client. Called with the first question, and again once what it gave is gone.
 *
 * @throws ApiError, ConnectionError.
 */
export type FindVantage = (client: ObjectReference, signal?: AbortSignal) => Promise<Vantage | NoVantage>;
