/** Every line moved to the right; empty ones stay empty. */
export const indent = (text: string, columns: number): string => text.replace(/^(?=.)/gm, ' '.repeat(columns));

/** `1 step`, `3 steps`. */
export const count = (number: number, singular: string, plural = `${singular}s`): string => `${number} ${number === 1 ? singular : plural}`;

/** The time of day of an RFC 3339 time, as it was written (poimen writes UTC): `17:03:02`. */
export const clockTime = (time: string): string => time.slice(11, 19);

/** At most `width` characters; what is left out at the end shows as `…`. */
export const shorten = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`);
