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
  return (a, b) => {
    const key = a * 2 ** 24 + b;
    const found = known.get(key);
    if (found !== undefined) return found;
    const result = results.numberOf(combineSteps(operands.at(a), operands.at(b), combine));
    known.set(key, result);
    return result;
  };
};
