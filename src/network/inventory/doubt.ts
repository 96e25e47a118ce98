import type { Direction } from '../policy/compiled-policy.ts';
import type { PolicyPeer } from '../policy/peer.ts';

/**
 * A reason for which a verdict may be wrong: a policy of a kind that is found and not evaluated, or policies that could not be read.
 */
export interface Doubt {
  /** Completes "depends on ...": `CiliumNetworkPolicy llm-serving/clef, not evaluated`. */
  readonly on: string;
  /** `both`: it may open what is shut, and shut what is open; `shuts`: only the latter. */
  readonly effect: 'both' | 'shuts';
  /** Which halves it may decide. */
  readonly directions: readonly Direction[];
  /** `clef.yaml:3` */
  readonly source?: string;
  /** Whether it may speak for this end, of a connection with the other one. */
  concerns(subject: PolicyPeer, other: PolicyPeer): boolean;
}

/** What leaves a half's verdict open: one that is open, or may be, may be shut by any of them, a shut one opened by those that open. */
export const doubtsAbout = (
  doubts: readonly Doubt[],
  verdict: 'allowed' | 'denied' | 'depends',
  direction: Direction,
  subject: PolicyPeer,
  other: PolicyPeer,
): readonly Doubt[] =>
  doubts.filter(
    (doubt) => doubt.directions.includes(direction) && (verdict !== 'denied' || doubt.effect === 'both') && doubt.concerns(subject, other),
  );
