import type { Position } from '../manifests/position.ts';

/** Something to correct in a file, and where. Plain JSON: `-o json` prints it as it is, so the keys are a stable interface. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Stable, CamelCase: `UnknownField`. */
  readonly code: string;
  /** As the caller named it. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
  /** How many characters of the line the caret underlines; at least 1. */
  readonly length: number;
  /** One line: what is wrong. */
  readonly message: string;
  /** What could stand there instead. */
  readonly expected?: string;
  /** The known name that was probably meant. */
  readonly nearest?: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The line of the file that the caret is in. */
  readonly excerpt: string;
}

/** What is wrong, before it is known which line that is. */
export interface Finding {
  readonly severity?: Diagnostic['severity'];
  readonly code: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly nearest?: string | undefined;
  readonly hint?: string | undefined;
}

export const diagnose = (
  text: string,
  { file, line, column, length }: Position,
  { severity = 'error', code, message, ...more }: Finding,
): Diagnostic => ({
  severity,
  code,
  file,
  line,
  column,
  length,
  message,
  ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
  excerpt: (text.split('\n')[line - 1] ?? '').replace(/\r$/, ''),
});

/** In the order in which a reader meets them; the same finding at the same place is said once. */
export const sortDiagnostics = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => {
  const sorted = diagnostics.toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line || a.column - b.column);
  const said = new Set<string>();
  return sorted.filter((diagnostic) => {
    const key = JSON.stringify([diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.message]);
    if (said.has(key)) return false;
    said.add(key);
    return true;
  });
};

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * For people:
 *
 *     clef.yaml:14:9: error: unknown field 'replica'
 *      14 |         replica: 0
 *         |         ^^^^^^^
 *         expected: object, replicas
 *         did you mean 'replicas'?
 */
export const formatDiagnostic = (diagnostic: Diagnostic): string => {
  const number = String(diagnostic.line).padStart(3);
  const margin = ' '.repeat(number.length);
  const indent = diagnostic.excerpt.slice(0, diagnostic.column - 1).replace(/[^\t]/g, ' ');
  return [
    `${diagnostic.file}:${diagnostic.line}:${diagnostic.column}: ${diagnostic.severity}: ${diagnostic.message}`,
    `${number} | ${diagnostic.excerpt}`,
    `${margin} | ${indent}${'^'.repeat(diagnostic.length)}`,
    ...(diagnostic.expected === undefined ? [] : [`${margin}   expected: ${diagnostic.expected}`]),
    ...(diagnostic.nearest === undefined ? [] : [`${margin}   did you mean '${diagnostic.nearest}'?`]),
    ...(diagnostic.hint === undefined ? [] : [`${margin}   ${diagnostic.hint}`]),
  ].join('\n');
};
