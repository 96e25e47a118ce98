import { explainLabelKey, explainLabelValue } from './label-syntax.ts';

/** One condition of a label selector's text. `values` is empty for `Exists` and `DoesNotExist`. */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values: readonly string[];
}

/** All of them have to hold. Empty: everything matches. */
export type Requirements = readonly Requirement[];

/** A selector's text cannot be read. An API server answers 400 (BadRequest) to it. */
export class SelectorSyntaxError extends Error {
  /** In the API server's words. */
  readonly problem: string;

  constructor(text: string, problem: string) {
    super(`unable to parse selector "${text}": ${problem}`);
    this.name = 'SelectorSyntaxError';
    this.problem = problem;
  }
}

/**
 * Reads the API's text of a label selector: `app=a,tier!=b,zone in (x, y),env notin (z),gpu,!old,cards>2`.
 *
 * Throws `SelectorSyntaxError`.
 * Source: Kubernetes, "Labels and Selectors", and the grammar of apimachinery's `labels.Parse`.
 */
export const parseLabelSelector = (text: string): Requirements => {
  const tokens = tokensOf(text);
  const requirements: Requirement[] = [];
  let index = 0;

  const fail = (problem: string): never => {
    throw new SelectorSyntaxError(text, problem);
  };
  const failRequirement = (problem: string): never => fail(`unable to parse requirement: ${problem}`);
  const found = (): string => `found '${tokens[index] ?? ''}'`;
  const isAtWord = (): boolean => isWord(tokens[index]);
  const next = (): string => tokens[index++] ?? '';

  const checkedValues = (key: string, values: readonly string[]): string[] => {
    for (const [position, value] of values.entries()) {
      const fault = explainLabelValue(value);
      if (fault !== undefined) failRequirement(`values[${position}][${key}]: Invalid value: ${JSON.stringify(value)}: ${fault}`);
    }
    return [...values];
  };
  /** A value may be empty: `app=` is valid. */
  const exactValue = (): string => {
    if (tokens[index] === undefined || tokens[index] === ',') return '';
    return isAtWord() ? next() : failRequirement(`${found()}, expected: identifier`);
  };
  /** So may one in a list: `app in (,a)`. */
  const valueList = (): readonly string[] => {
    if (tokens[index] !== '(') failRequirement(`${found()} expected: '('`);
    index++;
    if (tokens[index] !== ')' && tokens[index] !== ',' && !isAtWord()) failRequirement(`${found()}, expected: ',', ')' or identifier`);
    const values = [isAtWord() ? next() : ''];
    while (tokens[index] === ',') {
      index++;
      if (tokens[index] === undefined || (!isAtWord() && tokens[index] !== ',' && tokens[index] !== ')')) {
        failRequirement(`${found()}, expected: ',', or identifier`);
      }
      values.push(isAtWord() ? next() : '');
    }
    if (tokens[index] !== ')') failRequirement(`${found()}, expected: ',' or ')'`);
    index++;
    return [...new Set(values)].toSorted();
  };
  const bound = (): string => {
    const value = exactValue();
    if (/^-?\d+$/.test(value)) return value;
    return failRequirement(`values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`);
  };
  const requirement = (): Requirement => {
    const isNegated = tokens[index] === '!';
    if (isNegated) index++;
    if (!isAtWord()) failRequirement(`${found()}, expected: identifier`);
    const key = next();
    const fault = explainLabelKey(key);
    if (fault !== undefined) failRequirement(`<nil>: Invalid value: ${JSON.stringify(key)}: ${fault}`);
    if (isNegated) return { key, operator: 'DoesNotExist', values: [] };
    switch (tokens[index]) {
      case undefined:
      case ',':
        return { key, operator: 'Exists', values: [] };
      case '=':
      case '==':
        index++;
        return { key, operator: 'In', values: checkedValues(key, [exactValue()]) };
      case '!=':
        index++;
        return { key, operator: 'NotIn', values: checkedValues(key, [exactValue()]) };
      case 'in':
        index++;
        return { key, operator: 'In', values: checkedValues(key, valueList()) };
      case 'notin':
        index++;
        return { key, operator: 'NotIn', values: checkedValues(key, valueList()) };
      case '>':
        index++;
        return { key, operator: 'Gt', values: [bound()] };
      case '<':
        index++;
        return { key, operator: 'Lt', values: [bound()] };
      default:
        return failRequirement(`${found()}, expected: in, notin, =, ==, !=, gt, lt`);
    }
  };

  if (tokens.length === 0) return [];
  const canBegin = (): boolean => isAtWord() || tokens[index] === '!';
  if (!canBegin()) fail(`${found()}, expected: !, identifier, or 'end of string'`);
  for (;;) {
    requirements.push(requirement());
    if (tokens[index] === undefined) return requirements;
    if (tokens[index] !== ',') fail(`${found()}, expected: ',' or 'end of string'`);
    index++;
    if (!canBegin()) fail(`${found()}, expected: identifier after ','`);
  }
};

const tokensOf = (text: string): readonly string[] => text.match(/==|!=|[=!(),<>]|[^\s=!(),<>]+/g) ?? [];

const isWord = (token: string | undefined): boolean => token !== undefined && !/^[=!(),<>]/.test(token);
