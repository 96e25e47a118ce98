import { describe, expect, it } from 'vitest';
import { diagnose, formatDiagnostic, sortDiagnostics } from '../../src/runbook/diagnostic.ts';

const text = 'steps:\n\t- scale: {replica: 0}\r\n';
const replica = { file: 'a.yaml', line: 2, column: 12, length: 7 };
const finding = { code: 'UnknownField', message: "unknown field 'replica'", expected: 'object, replicas', nearest: 'replicas' };

describe('formatDiagnostic', () => {
  it('puts the caret below the word, also behind a tab and before a carriage return', () => {
    expect(formatDiagnostic(diagnose(text, replica, finding))).toBe(
      [
        "a.yaml:2:12: error: unknown field 'replica'",
        '  2 | \t- scale: {replica: 0}',
        '    | \t          ^^^^^^^',
        '      expected: object, replicas',
        "      did you mean 'replicas'?",
      ].join('\n'),
    );
  });

  it('leaves out what is not known', () => {
    expect(formatDiagnostic(diagnose(text, replica, { severity: 'warning', code: 'X', message: 'odd', expected: undefined }))).toBe(
      ['a.yaml:2:12: warning: odd', '  2 | \t- scale: {replica: 0}', '    | \t          ^^^^^^^'].join('\n'),
    );
  });
});

describe('sortDiagnostics', () => {
  const at = (file: string, line: number, column: number, message: string) =>
    diagnose(text, { file, line, column, length: 1 }, { code: 'X', message });

  it('sorts by file, line and column, numbers as numbers', () => {
    const sorted = sortDiagnostics([at('b', 1, 1, 'e'), at('a', 10, 1, 'd'), at('a', 2, 10, 'c'), at('a', 2, 9, 'b'), at('a', 1, 50, 'a')]);
    expect(sorted.map(({ message }) => message).join('')).toBe('abcde');
  });

  it('says the same thing at the same place once', () => {
    expect(sortDiagnostics([at('a', 1, 1, 'x'), at('a', 1, 1, 'x'), at('a', 1, 1, 'y')]).map(({ message }) => message)).toEqual(['x', 'y']);
  });
});
