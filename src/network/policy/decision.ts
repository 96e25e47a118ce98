import type { CompiledPolicy, Direction } from './compiled-policy.ts';
import { rulesOf } from './compiled-policy.ts';

/** A policy that selects a pod, and whether that is sure: of a namespace without object or a pod on the host's network it may not be. */
export interface Selected {
  readonly policy: CompiledPolicy;
  readonly certain: boolean;
}

/** In which order the policies that select a pod are asked. */
export type Decision =
  | { readonly kind: 'policy'; readonly selected: Selected }
  /** One after the other, until one decides. */
  | { readonly kind: 'sequence'; readonly of: readonly Decision[] }
  /** Any of those that match may decide: equal priorities, or kinds whose order among each other nobody has defined. */
  | { readonly kind: 'unordered'; readonly of: readonly Decision[] };

/** Absent: nobody speaks in the tier. */
export interface HalfDecision {
  readonly admin?: Decision;
  readonly isolation?: readonly Selected[];
  readonly baseline?: Decision;
}

/** Of the policies that select a pod, those that speak of the direction, in order. */
export const decisionOf = (all: readonly Selected[], direction: Direction): HalfDecision => {
  const speaking = all.filter(({ policy }) => rulesOf(policy, direction) !== undefined);
  const isolation = speaking.filter(({ policy }) => policy.tier === 'NetworkPolicy');
  const [admin, baseline] = (['Admin', 'Baseline'] as const).map((tier) =>
    orderTier(speaking.filter(({ policy }) => policy.tier === tier)),
  );
  return {
    ...(admin === undefined ? {} : { admin }),
    ...(isolation.length === 0 ? {} : { isolation }),
    ...(baseline === undefined ? {} : { baseline }),
  };
};

/** Source: network-policy-api v0.3.0, ClusterNetworkPolicySpec `priority`. */
const orderTier = (selected: readonly Selected[]): Decision | undefined => {
  if (selected.length === 0) return undefined;
  const kinds = Map.groupBy(selected, ({ policy }) => policy.input.kind);
  return unordered([...kinds.values()].map(orderKind));
};

const orderKind = (selected: readonly Selected[]): Decision => {
  const byPriority = Map.groupBy(selected, ({ policy }) => policy.priority);
  const levels = [...byPriority.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, equals]) => unordered(equals.map((one) => ({ kind: 'policy', selected: one }))));
  const [only, ...more] = levels;
  return only !== undefined && more.length === 0 ? only : { kind: 'sequence', of: levels };
};

const unordered = (of: readonly Decision[]): Decision => {
  const [only, ...more] = of;
  return only !== undefined && more.length === 0 ? only : { kind: 'unordered', of };
};

/** The policies in the order in which they are asked. */
export const askedInOrder = ({ admin, isolation = [], baseline }: HalfDecision): readonly Selected[] => [
  ...flatten(admin),
  ...isolation,
  ...flatten(baseline),
];

const flatten = (decision: Decision | undefined): readonly Selected[] => {
  if (decision === undefined) return [];
  return decision.kind === 'policy' ? [decision.selected] : decision.of.flatMap(flatten);
};
