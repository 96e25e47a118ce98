/**
 * Whether something matches, as far as can be known. `unknown` carries what it depends on, in words that complete
 * "depends on ...".
 */
export type Truth = { readonly kind: 'yes' } | { readonly kind: 'no' } | { readonly kind: 'unknown'; readonly dependsOn: string };

export const yes: Truth = { kind: 'yes' };
export const no: Truth = { kind: 'no' };
export const unknown = (dependsOn: string): Truth => ({ kind: 'unknown', dependsOn });

export const truthOf = (value: boolean): Truth => (value ? yes : no);

/** One `no` decides; then one `unknown`. */
export const allOf = (truths: readonly Truth[]): Truth =>
  truths.find(({ kind }) => kind === 'no') ?? truths.find(({ kind }) => kind === 'unknown') ?? yes;

/** One `yes` decides; then one `unknown`. */
export const anyOf = (truths: readonly Truth[]): Truth =>
  truths.find(({ kind }) => kind === 'yes') ?? truths.find(({ kind }) => kind === 'unknown') ?? no;
