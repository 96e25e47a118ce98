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
  constructor(text: string, problem: string) {
    super(`unable to parse selector "${text}": ${problem}`);
    this.name = 'SelectorSyntaxError';
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
  if (tokens.length === 0) return [];
  const requirements: Requirement[] = [];
  let index = 0;

  const fail = (problem: string): never => {
    throw new SelectorSyntaxError(text, problem);
  };
  const word = (what: string): string => {
    const token = tokens[index];
    if (token === undefined || !isWord(token)) return fail(`${what} expected, found ${describe(token)}`);
    index++;
    return token;
  };
  const key = (): string => {
    const name = word('a label key');
    return isLabelKey(name) ? name : fail(`"${name}" is not a label key`);
  };
  const checkedValue = (value: string): string => (isLabelValue(value) ? value : fail(`"${value}" is not a label value`));
  /** A value may be empty: `app=` and `app in (,a)` are both valid. */
  const value = (): string => {
    const token = tokens[index];
    if (token === undefined || !isWord(token)) return '';
    index++;
    return checkedValue(token);
  };
  const valueList = (): string[] => {
    if (tokens[index] !== '(') fail(`"(" expected, found ${describe(tokens[index])}`);
    index++;
    const values = [value()];
    while (tokens[index] === ',') {
      index++;
      values.push(value());
    }
    if (tokens[index] !== ')') fail(`"," or ")" expected, found ${describe(tokens[index])}`);
    index++;
    return [...new Set(values)];
  };
  const integer = (): string => {
    const bound = word('an integer');
    return /^-?\d+$/.test(bound) ? bound : fail(`"${bound}" is not an integer`);
  };
  const requirement = (): Requirement => {
    if (tokens[index] === '!') {
      index++;
      return { key: key(), operator: 'DoesNotExist', values: [] };
    }
    const name = key();
    const operator = tokens[index];
    if (operator === undefined || operator === ',') return { key: name, operator: 'Exists', values: [] };
    index++;
    switch (operator) {
      case '=':
      case '==':
        return { key: name, operator: 'In', values: [value()] };
      case '!=':
        return { key: name, operator: 'NotIn', values: [value()] };
      case 'in':
        return { key: name, operator: 'In', values: valueList() };
      case 'notin':
        return { key: name, operator: 'NotIn', values: valueList() };
      case '>':
        return { key: name, operator: 'Gt', values: [integer()] };
      case '<':
        return { key: name, operator: 'Lt', values: [integer()] };
      default:
        return fail(`an operator expected after "${name}", found ${describe(operator)}`);
    }
  };

  for (;;) {
    requirements.push(requirement());
    if (tokens[index] === undefined) return requirements;
    if (tokens[index] !== ',') fail(`"," expected, found ${describe(tokens[index])}`);
    index++;
  }
};

const tokensOf = (text: string): readonly string[] => text.match(/==|!=|[=!(),<>]|[^\s=!(),<>]+/g) ?? [];

const isWord = (token: string): boolean => !/^[=!(),<>]/.test(token);

const describe = (token: string | undefined): string => (token === undefined ? 'the end' : `"${token}"`);

const nameSyntax = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const prefixSyntax = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Source: Kubernetes, "Labels and Selectors", "Syntax and character set". */
export const isLabelKey = (text: string): boolean => {
  const slash = text.indexOf('/');
  if (slash < 0) return nameSyntax.test(text);
  const prefix = text.slice(0, slash);
  return prefix.length <= 253 && prefixSyntax.test(prefix) && nameSyntax.test(text.slice(slash + 1));
};

export const isLabelValue = (text: string): boolean => text === '' || nameSyntax.test(text);
