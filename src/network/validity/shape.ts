import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import type { JsonPath } from '../../kubernetes/json-pointer.ts';

/** Something in an object that an API server does not take as it stands. */
export interface Flaw {
  /** `refused`: the server answers 422 or 400. `unknown`: a field that it drops, or refuses when asked to be strict, as kubectl asks. */
  readonly kind: 'refused' | 'unknown';
  readonly path: JsonPath;
  /** One line. */
  readonly message: string;
  readonly hint: string;
}

/** Checks a value that is there, and adds what is wrong with it. */
export type Check = (value: unknown, path: JsonPath, flaws: Flaw[]) => void;

export const refuse = (flaws: Flaw[], path: JsonPath, message: string, hint: string): void => {
  flaws.push({ kind: 'refused', path, message, hint });
};

export const anything: Check = () => undefined;

export const text: Check = (value, path, flaws) => {
  if (typeof value !== 'string') refuse(flaws, path, `${nameOf(path)} has to be a text`, 'quote it');
};

export const boolean: Check = (value, path, flaws) => {
  if (typeof value !== 'boolean') refuse(flaws, path, `${nameOf(path)} has to be true or false`, 'write true or false, without quotes');
};

export const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, path, flaws) => {
    if (typeof value !== 'string' || !allowed.includes(value))
      refuse(flaws, path, `${nameOf(path)} cannot be ${JSON.stringify(value)}`, `${allowed.join(', ')}: write it exactly so`);
  };

export const integer =
  (least: number, most: number): Check =>
  (value, path, flaws) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      refuse(flaws, path, `${nameOf(path)} has to be a whole number`, `write a number from ${least} to ${most}, without quotes`);
    else if (value < least || value > most)
      refuse(flaws, path, `${nameOf(path)} ${value} is out of range`, `${nameOf(path)} is from ${least} to ${most}`);
  };

export const portNumber = integer(1, 65_535);

interface ListLimits {
  readonly least?: number;
  readonly most?: number;
  /** Of texts: each may stand there once. */
  readonly distinct?: boolean;
}

export const listOf =
  (item: Check, { least = 0, most = Number.POSITIVE_INFINITY, distinct = false }: ListLimits = {}): Check =>
  (value, path, flaws) => {
    if (!isJsonArray(value)) {
      refuse(flaws, path, `${nameOf(path)} has to be a list`, 'begin each entry with "- "');
      return;
    }
    if (value.length < least) refuse(flaws, path, `${nameOf(path)} is empty`, `it needs ${least} or more; leave it out if none is meant`);
    if (value.length > most) refuse(flaws, path, `${nameOf(path)} has ${value.length} entries`, `${most} are the most: split the policy`);
    for (const [index, entry] of value.entries()) {
      item(entry, [...path, index], flaws);
      if (distinct && value.indexOf(entry) < index) refuse(flaws, [...path, index], `${String(entry)} a second time`, 'name it once');
    }
  };

export interface Fields {
  readonly required?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
}

/** An object with these fields. `null` counts as absent. `then` sees the fields that are there, once all of them are sound. */
export const fields =
  ({ required = {}, optional = {} }: Fields, then?: (value: JsonObject, path: JsonPath, flaws: Flaw[]) => void): Check =>
  (value, path, flaws) => {
    if (!isJsonObject(value)) {
      refuse(flaws, path, `${nameOf(path)} has to be a map`, `write ${Object.keys({ ...required, ...optional }).join(', ')} below it`);
      return;
    }
    const before = flaws.length;
    const known = { ...required, ...optional };
    const present = Object.fromEntries(Object.entries(value).filter(([, content]) => content !== null && content !== undefined));
    for (const [key, content] of Object.entries(present)) {
      const check = Object.hasOwn(known, key) ? known[key] : undefined;
      if (check === undefined) flaws.push(unknownField(path, key, Object.keys(known)));
      else check(content, [...path, key], flaws);
    }
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(present, key)) refuse(flaws, path, `${key} is missing`, `${nameOf(path)} needs it`);
    }
    if (flaws.slice(before).every(({ kind }) => kind === 'unknown')) then?.(present, path, flaws);
  };

/** Exactly one of the fields. */
export const exactlyOneOf = (choices: Readonly<Record<string, Check>>): Check =>
  fields({ optional: choices }, (value, path, flaws) => {
    const given = Object.keys(choices).filter((key) => Object.hasOwn(value, key));
    if (given.length === 1) return;
    const found = given.length === 0 ? `none of ${Object.keys(choices).join(', ')}` : `${given.join(' and ')} together`;
    refuse(flaws, path, `${nameOf(path)} has ${found}`, 'exactly one of them is expected');
  });

const unknownField = (path: JsonPath, key: string, known: readonly string[]): Flaw => ({
  kind: 'unknown',
  path: [...path, key],
  message: `unknown field ${key}, which the API server drops`,
  hint: `${nameOf(path)} has ${known.join(', ')}`,
});

/** `ports[0]` of `/spec/ingress/0/ports/0`. */
export const nameOf = (path: JsonPath): string => {
  const last = path.at(-1);
  if (typeof last === 'number') return `${nameOf(path.slice(0, -1))}[${last}]`;
  return last ?? 'the object';
};
