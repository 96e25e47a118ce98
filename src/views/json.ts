/** DEL and C1, which JSON allows in strings and some terminals act on. C0 is escaped already. */
const terminalControls = /[\u007f-\u009f\u2028\u2029]/g;

const escapeControls = (json: string): string =>
  json.replace(terminalControls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** One document, indented, for `-o json`. */
export const renderJson = (value: unknown): string => `${escapeControls(JSON.stringify(value, undefined, 2))}\n`;

/** One line, for `-o jsonl`. */
export const renderJsonLine = (value: unknown): string => `${escapeControls(JSON.stringify(value))}\n`;
