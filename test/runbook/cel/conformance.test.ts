import { Environment } from '@marcbachmann/cel-js/evaluator';
import { describe, expect, it } from 'vitest';
import { conformanceCases, type ConformanceCase } from './conformance-cases.ts';
import { exceptions } from './conformance-exceptions.ts';

/** As runbooks use the library: checked first, then evaluated. */
const passes = ({ expression, variables, expected, checked }: ConformanceCase): boolean => {
  try {
    const environment = new Environment({ homogeneousAggregateLiterals: false });
    for (const [name, { type }] of variables) environment.registerVariable(name, type);
    if (!environment.check(expression).valid) return expected === undefined || !checked;
    const value: unknown = environment.evaluate(
      expression,
      Object.fromEntries([...variables].map(([name, { value: bound }]) => [name, bound])),
    );
    return expected !== undefined && isSame(value, expected.value);
  } catch {
    return expected === undefined;
  }
};

const isSame = (left: unknown, right: unknown): boolean => {
  if (typeof left === 'number' && typeof right === 'number') return left === right || (Number.isNaN(left) && Number.isNaN(right));
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  if (right instanceof Map) {
    const entries = left instanceof Map ? [...left] : Object.entries(left ?? {});
    return (
      entries.length === right.size &&
      [...right].every(([key, value]) => entries.some(([other, item]) => String(other) === String(key) && isSame(item, value)))
    );
  }
  return left === right;
};

describe('the expression language, against the cases of its specification', () => {
  const cases = conformanceCases();
  const excused = new Map(exceptions.flatMap(({ reason, cases: names }) => names.map((name) => [name, reason] as const)));

  it('has cases to be held against', () => expect(cases.length).toBeGreaterThan(500));

  it('passes every case that is not excused by name', () => {
    expect(
      cases.filter((test) => !excused.has(test.name) && !passes(test)).map(({ name, expression }) => `${name}: ${expression}`),
    ).toEqual([]);
  });

  it('fails every case that is excused: one that passes now needs no excuse', () => {
    expect([...excused.keys()].filter((name) => cases.some((test) => test.name === name && passes(test)))).toEqual([]);
  });

  it('excuses no case that does not exist', () => {
    expect([...excused.keys()].filter((name) => !cases.some((test) => test.name === name))).toEqual([]);
  });
});
