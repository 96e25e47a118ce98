import { qualifiedName } from '../kubernetes/resource.ts';
import type { Selection } from '../kubernetes/reference.ts';
import type { ClusterState, Unavailable } from './step-kind.ts';

/** Why nobody knows what a selection holds. `undefined` when it is known, also that there is none, and when nobody has asked yet. */
export const unknownIn = (selection: Selection, state: ClusterState): Unavailable | undefined => {
  const unavailable = state.has(selection) ? state.unavailable(selection) : undefined;
  return unavailable?.reason === 'notServed' ? undefined : unavailable;
};

/** A refusal names what it is about; other errors of a server need not. */
export const whyUnknown = ({ resource }: Selection, { reason, message }: Unavailable): string =>
  reason === 'unanswered' ? `${qualifiedName(resource)} could not be asked: ${message}` : message;
