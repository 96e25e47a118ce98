import { stripVTControlCharacters } from 'node:util';

/**
 * What is left of C0, DEL and C1 once escape sequences are gone (tab and newline may stay), and the characters that
 * reorder text: a message must not be able to look like another one.
 *
 * Source: ECMA-48; Unicode Standard Annex 9, explicit directional formatting characters.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The text without anything that a terminal would act on. For every text that came from a cluster, a file or a server. */
export const printableText = (text: string): string => stripVTControlCharacters(text.replaceAll('\r\n', '\n')).replace(unprintable, '');

/**
 * The same value with every text in it made printable, and one line. For plain data: results, plans, events. `nextSteps` are poimen's own
 * words and may have several lines (a Role to apply).
 */
export const printable = <T>(value: T): T => mapTexts(value, oneLine) as T;

const oneLine = (text: string): string => printableText(text).replace(/\s*\n\s*/g, ' ');

const mapTexts = (value: unknown, clean: (text: string) => string): unknown => {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [printableText(key), mapTexts(field, key === 'nextSteps' ? printableText : clean)]),
  );
};
