/** A text that is no quantity; an API server refuses the object that carries it. */
export class MalformedQuantityError extends Error {
  constructor(text: string) {
    super(`"${text}" is not a quantity: a number with an optional suffix is expected, such as 500m, 2 or 64Gi`);
    this.name = 'MalformedQuantityError';
  }
}

const quantitySyntax = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;

const binaryPowers: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalPowers: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/**
 * Reads a quantity in base units: bytes, cores, devices. `500m` is 0.5.
 *
 * Throws `MalformedQuantityError`.
 * Source: Kubernetes API reference, Quantity (apimachinery `resource.Quantity`).
 */
export const parseQuantity = (text: string | number): number => {
  const [, digits, binary, decimal, exponent] = quantitySyntax.exec(String(text)) ?? [];
  if (digits === undefined) throw new MalformedQuantityError(String(text));
  if (binary !== undefined) return Number(digits) * 2 ** (binaryPowers[binary] ?? 0);
  const power = decimal === undefined ? (exponent ?? '0') : (decimalPowers[decimal] ?? 0);
  return Number(`${digits}e${power}`); // read in one go: multiplying by 0.001 would round twice
};

/** Adds without the dust of binary fractions: 0.1 and 0.2 cores are 0.3 cores. */
export const addQuantities = (a: number, b: number): number => {
  const sum = a + b;
  return Number.isInteger(sum) ? sum : Math.round(sum * 1e9) / 1e9;
};

/** The shortest exact spelling: `64Gi`, `500m`, `2`. */
export const formatQuantity = (value: number): string => {
  if (Number.isInteger(value)) {
    const [suffix, power] = Object.entries(binaryPowers).findLast(([, bits]) => value !== 0 && value % 2 ** bits === 0) ?? ['', 0];
    return `${value / 2 ** power}${suffix}`;
  }
  const milli = Math.round(value * 1e3);
  if (milli / 1e3 === value) return `${milli}m`;
  const nano = Math.round(value * 1e9);
  return `${nano / 1e9 === value ? nano : Math.ceil(value * 1e9)}n`; // finer than a nano is rounded up, as the API server does
};
