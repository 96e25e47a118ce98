/** Whether an image has what is required. `conflict`: evidence that counts contradicts itself. */
export type Verdict = 'yes' | 'no' | 'unknown' | 'conflict';

/** From the best evidence, A, to the weakest, E. */
export type Grade = 'A' | 'B' | 'C' | 'D' | 'E';

export const grades: readonly Grade[] = ['A', 'B', 'C', 'D', 'E'];

/** The weaker of two. */
export const weaker = (left: Grade, right: Grade): Grade => (left > right ? left : right);

export const isAtLeast = (grade: Grade, wanted: Grade): boolean => grade <= wanted;

/** Worst first: what decides where several answers are one. */
const precedence: readonly Verdict[] = ['no', 'conflict', 'unknown', 'yes'];

/** All have to hold: a single no is a no. Of nothing nothing is known. */
export const aggregate = (verdicts: readonly Verdict[]): Verdict => precedence.find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
