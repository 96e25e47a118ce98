import { isJsonObject } from '../../kubernetes/json.ts';

/** Indices of a rule in the old list and in the new one: what is absent was added, or removed. */
export interface RulePair {
  readonly before?: number;
  readonly after?: number;
}

/** Rules that are not in both lists. Two that share their peers or their ports are one that was edited. */
export const pairRules = (before: readonly unknown[], after: readonly unknown[]): readonly RulePair[] => {
  const left = leftOver(before, after);
  const right = leftOver(after, before);
  const edited: RulePair[] = [];
  for (const index of [...left]) {
    const partner = [...right].find((other) => sharesField(before[index], after[other]));
    if (partner === undefined) continue;
    edited.push({ before: index, after: partner });
    left.delete(index);
    right.delete(partner);
  }
  return [...edited, ...[...left].map((index) => ({ before: index })), ...[...right].map((index) => ({ after: index }))];
};

/** Indices of what is not in the other list; equal rules are counted. */
const leftOver = (rules: readonly unknown[], others: readonly unknown[]): Set<number> => {
  const available = others.map((rule) => JSON.stringify(rule));
  const left = new Set<number>();
  for (const [index, rule] of rules.entries()) {
    const found = available.indexOf(JSON.stringify(rule));
    if (found < 0) left.add(index);
    else available.splice(found, 1);
  }
  return left;
};

/** Of `from`, `to`, `ports`, `protocols`: one that is written in both, and the same. */
const sharesField = (a: unknown, b: unknown): boolean =>
  isJsonObject(a) &&
  isJsonObject(b) &&
  Object.keys(a).some((field) => field !== 'action' && field !== 'name' && JSON.stringify(a[field]) === JSON.stringify(b[field]));
