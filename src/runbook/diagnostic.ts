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
  /** The line of the file that the caret is in. */
  readonly excerpt: string;
}

/** Half-open, in UTF-16 code units from the start of the text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** What is wrong, before it is known which line that is. */
export interface Finding {
  readonly severity?: Diagnostic['severity'];
  readonly code: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly nearest?: string | undefined;
}

export const diagnose = (file: string, text: string, range: TextRange, finding: Finding): Diagnostic => {
  const start = Math.min(Math.max(0, range.start), text.length);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', start);
  const lineEnd = newline < 0 ? text.length : newline;
  return {
    severity: finding.severity ?? 'error',
    code: finding.code,
    file,
    line: countLines(text, lineStart) + 1,
    column: start - lineStart + 1,
    length: Math.max(1, Math.min(range.end, lineEnd) - start),
    message: finding.message,
    ...(finding.expected === undefined ? {} : { expected: finding.expected }),
    ...(finding.nearest === undefined ? {} : { nearest: finding.nearest }),
    excerpt: text.slice(lineStart, lineEnd).replace(/\r$/, ''),
  };
};

const countLines = (text: string, end: number): number => {
  let lines = 0;
  for (let index = text.indexOf('\n'); index >= 0 && index < end; index = text.indexOf('\n', index + 1)) lines++;
  return lines;
};

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
  ].join('\n');
};
