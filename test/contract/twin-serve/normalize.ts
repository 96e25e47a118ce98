/**
 * What two clusters can not have in common: names that are drawn, addresses, identifiers, versions and times. Everything else of an
 * output stays as it is.
 */
export const normalize = (text: string): string =>
  replacements.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text);

const alphabet = '[bcdfghjklmnpqrstvwxz2456789]';

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'TIME'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC/g, 'TIME'],
  // there for as long as the last change of a pod is on its way through
  [/ *annotations:\n *endpoints\.kubernetes\.io\/last-change-trigger-time: .*\n/g, ''],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [new RegExp(`-${alphabet}{8,10}-${alphabet}{5}(?![\\w-])`, 'g'), '-HASH-DRAWN'],
  [new RegExp(`(?<=-|pod-template-hash[=:]\\s?"?)${alphabet}{8,10}(?![\\w])`, 'g'), 'HASH'],
  [new RegExp(`-${alphabet}{5}(?![\\w-])`, 'g'), '-DRAWN'],
  [/\b10\.(?:96|244)\.\d+\.\d+\b/g, 'ADDRESS'],
  [/(resourceVersion"?: ?"?)\d+/g, '$1VERSION'],
  [/https?:\/\/127\.0\.0\.1:\d+(?:\/[\w-]{32})?/g, 'SERVER'],
];

/** Cells of a printed table, whose columns are as wide as what is in them. Ages are times. */
export const tableCells = (text: string): readonly (readonly string[])[] =>
  normalize(text)
    .split('\n')
    .map((line) =>
      line
        .trimEnd()
        .split(/\s{2,}/)
        .map((cell) => cell.replaceAll(/\b(?:\d+[dhms])+(?: ago)?\b|<invalid>/g, 'AGE')),
    );
