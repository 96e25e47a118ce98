const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a duration as Kubernetes and Go write it: `90s`, `1h30m`, `1.5h`, `250ms`, `0`. `undefined` when it is
 * none.
 *
 * Source: Go, `time.ParseDuration`; units below a millisecond and negative durations are left out.
 */
export const parseDuration = (text: string): number | undefined => {
  if (text === '0') return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ms|s|m|h))+$/.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|s|m|h)/g)) totalMs += Number(amount) * (unitsMs[unit ?? ''] ?? 0);
  return Math.round(totalMs);
};

/** For people, two units at the most: `312 ms`, `2.4 s`, `40 s`, `4 min 2 s`, `1 h 5 min`, `3 d`. */
export const formatDuration = (durationMs: number): string => {
  const ms = Math.round(durationMs);
  if (ms < 1000) return `${ms} ms`;
  if (ms < 9950) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return join(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return join(Math.floor(hours / 24), 'd', hours % 24, 'h');
};

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
