/** Flags that belong to one call and not to the next one that is suggested. */
const passing = new Set(['--fresh', '--yes', '-y']);

/** The same command again, as a person would type it. `invocation` is what was typed, the program first. */
export const again = (invocation: readonly string[]): string => commandLine(invocation);

/** The command for the way back. */
export const back = (invocation: readonly string[]): string =>
  commandLine(invocation.includes('--reverse') ? invocation.filter((word) => word !== '--reverse') : [...invocation, '--reverse']);

const commandLine = ([program = 'poimen', ...words]: readonly string[]): string =>
  [program, ...words.filter((word) => !passing.has(word)).map(quoted)].join(' ');

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
