const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * A duration with two or three significant figures: `119s`, `3m5s`, `42m`, `5h10m`, `6d4h`. A moment up to two seconds ahead is taken
 * for now, because clocks differ.
 *
 * Source: apimachinery `util/duration`, `HumanDuration`.
 */
export const humanDuration = (durationMs: number): string => {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(durationMs / minuteMs);
  if (minutes < 10) return join(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(durationMs / hourMs);
  if (hours < 8) return join(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return join(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 365 * 8 ? join(years, 'y', days % 365, 'd') : `${years}y`;
};

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
