import { combineSteps, constantSteps, type PortSteps } from './port-steps.ts';

/** Numbers for functions over ports, equal ones for equal functions: what was combined once is looked up from then on. */
export class StepsTable {
  private readonly numbers = new Map<string, number>();
  private readonly steps: PortSteps[] = [];

  get size(): number {
    return this.steps.length;
  }

  numberOf(steps: PortSteps): number {
    const key = `${steps.starts.join()};${steps.values.join()}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.steps.length);
    return this.steps.push(steps) - 1;
  }

  constant(value: number): number {
    return this.numberOf(constantSteps(value));
  }

  at(number: number): PortSteps {
    const steps = this.steps[number];
    if (steps === undefined) throw new Error(`no steps have the number ${number}`);
    return steps;
  }
}

/** Combines what two numbers stand for. */
export type Combine = (a: number, b: number) => number;

/** Results get numbers of `results`, which is the operands' own table or another. */
export const combineIn = (operands: StepsTable, results: StepsTable, combine: (a: number, b: number) => number): Combine => {
  const known = new Map<number, number>();
  return withArray((a, b) => {
    const key = a * 2 ** 24 + b;
    const found = known.get(key);
    if (found !== undefined) return found;
    const result = results.numberOf(combineSteps(operands.at(a), operands.at(b), combine));
    known.set(key, result);
    return result;
  });
};

const largestSide = 1024;

/** Looks results up in an array, which is quicker than a map by much. What does not fit is combined as before. */
const withArray = (combine: Combine): Combine => {
  let side = 16;
  let results = new Int32Array(side * side).fill(-1);
  return (a, b) => {
    if (a >= side || b >= side) {
      if (a >= largestSide || b >= largestSide) return combine(a, b);
      while (a >= side || b >= side) side *= 2;
      results = new Int32Array(side * side).fill(-1);
    }
    const known = results[a * side + b] ?? -1;
    if (known >= 0) return known;
    const result = combine(a, b);
    results[a * side + b] = result;
    return result;
  };
};
