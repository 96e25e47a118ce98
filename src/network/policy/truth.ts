/**
 * Whether something matches, as far as can be known. `unknown` carries what it depends on, in words that complete
 * "depends on ..."; they are asked for only where somebody reads them.
 */
export type Truth = { readonly kind: 'yes' } | { readonly kind: 'no' } | { readonly kind: 'unknown'; readonly dependsOn: () => string };

export const yes: Truth = { kind: 'yes' };
export const no: Truth = { kind: 'no' };
export const unknown = (dependsOn: () => string): Truth => ({ kind: 'unknown', dependsOn });

export const truthOf = (value: boolean): Truth => (value ? yes : no);

/** One `no` decides; then one `unknown`. */
export const both = (a: Truth, b: Truth): Truth => {
  if (a.kind === 'no' || b.kind === 'yes') return a;
  return b.kind === 'no' || a.kind === 'yes' ? b : a;
};

/** One `yes` decides; then one `unknown`. */
export const anyOf = (truths: Iterable<Truth>): Truth => {
  let answer: Truth = no;
  for (const truth of truths) {
    if (truth.kind === 'yes') return truth;
    if (answer.kind === 'no') answer = truth;
  }
  return answer;
};
