/** One line of the table. Always against something in the same run: figures of different machines and hours are not compared. */
export interface Figure {
  readonly what: string;
  /** Against which `value` is a ratio; absent where it is a count. */
  readonly against?: string;
  readonly value: number;
  /** What the project wants to keep below; absent where the figure is only shown. */
  readonly atMost?: number;
  /** What was measured, by name: `poimen lint` -> `128.3 ms`. */
  readonly medians: Readonly<Record<string, string>>;
  readonly rounds: number;
}

export const isReached = ({ value, atMost }: Figure): boolean => atMost === undefined || value <= atMost;

/** Throws for no values. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  if (low === undefined || high === undefined) throw new Error('no values');
  return (low + high) / 2;
};

export const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
