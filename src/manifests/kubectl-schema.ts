import { defineScalarTag, FAILSAFE_SCHEMA, mergeTag, NOT_RESOLVED, type Schema } from 'js-yaml';

/** `y` and `Y`; `no`, `No` and `NO`; never `nO`. */
const spellings = (...words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()]));

const truthy = spellings('y', 'yes', 'true', 'on');
const falsy = spellings('n', 'no', 'false', 'off');
const nothing = new Set([...spellings('null'), '', '~']);

const notInJson = new Set([
  '.nan',
  '.NaN',
  '.NAN',
  ...['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => sign + word)),
]);

const readBoolean = (source: string): boolean | typeof NOT_RESOLVED => {
  if (source.length > 'false'.length) return NOT_RESOLVED; // most plain scalars are longer words
  if (truthy.has(source)) return true;
  return falsy.has(source) ? false : NOT_RESOLVED;
};

/** Any notation of Go's `strconv`, underscores anywhere: `0644` is 420, `1_000` is 1000, `0x1F` is 31; `08`, not octal, is 8. */
const readNumber = (source: string): number | typeof NOT_RESOLVED => {
  if (/^[1-9]\d*$/.test(source)) return Number(source); // most numbers are written so
  if (notInJson.has(source)) throw new Error(`${source} is not a number that JSON can hold`);
  const plain = source.startsWith('.') ? source : source.replaceAll('_', '');
  const [, sign, digits] = /^([-+]?)(\d.*)$/s.exec(plain) ?? [];
  const integer = digits === undefined ? undefined : readInteger(digits);
  if (integer !== undefined) return sign === '-' ? -integer : integer;
  if (!/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(plain)) return NOT_RESOLVED;
  const value = Number(plain);
  return Number.isFinite(value) ? value : NOT_RESOLVED;
};

const readInteger = (digits: string): number | undefined => {
  if (/^(?:0|[1-9]\d*)$/.test(digits)) return Number(digits);
  const octal = /^0[oO]?([0-7]+)$/.exec(digits)?.[1];
  if (octal !== undefined) return Number.parseInt(octal, 8);
  return /^0(?:[xX][\da-fA-F]+|[bB][01]+)$/.test(digits) ? Number(digits) : undefined;
};

/** Whether a plain scalar that begins with it may be something else than a text. By its code unit; others are texts. */
const mayBeMore: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '0123456789+-.yYnNtTfFoO~'.includes(String.fromCharCode(code)),
);

/** What a plain scalar means to kubectl. Throws for a number that JSON cannot hold. */
export const readPlainScalar = (source: string): string | number | boolean | null => {
  if (source !== '' && mayBeMore[source.charCodeAt(0)] !== true) return source; // most of them
  if (isNull(source)) return null;
  const boolean = readBoolean(source);
  if (boolean !== NOT_RESOLVED) return boolean;
  const number = isLetter(source.charCodeAt(0)) ? NOT_RESOLVED : readNumber(source);
  return number === NOT_RESOLVED ? source : number;
};

const isLetter = (code: number): boolean => code > 64;

const isNull = (source: string): boolean => source.length <= 'null'.length && nothing.has(source);

/**
 * What plain scalars mean to kubectl: YAML 1.1's booleans, octal numbers and merge keys; a date is a text. In everything else a
 * manifest is read as YAML 1.2.
 *
 * Source: go.yaml.in/yaml v2, `resolve`; sigs.k8s.io/yaml, `YAMLToJSON`. The contract suite compares with kubectl.
 */
export const kubectlSchema: Schema = FAILSAFE_SCHEMA.withTags(
  defineScalarTag('tag:yaml.org,2002:null', {
    implicit: true,
    implicitFirstChars: ['', '~', 'n', 'N'],
    resolve: (source) => (isNull(source) ? null : NOT_RESOLVED),
    identify: (data) => data === null,
  }),
  defineScalarTag('tag:yaml.org,2002:bool', {
    implicit: true,
    implicitFirstChars: 'yYnNtTfFoO'.split(''),
    resolve: readBoolean,
    identify: (data) => typeof data === 'boolean',
  }),
  defineScalarTag('tag:yaml.org,2002:int', {
    implicit: true,
    implicitFirstChars: '0123456789+-.'.split(''),
    resolve: readNumber,
    identify: (data) => typeof data === 'number',
  }),
  defineScalarTag('tag:yaml.org,2002:float', { resolve: readNumber, identify: () => false }),
  mergeTag,
);
