import { describe, expect, it } from 'vitest';
import { reportError } from '../../src/command-line/report-error.ts';
import { PoimenError } from '../../src/errors/poimen-error.ts';
import { createRecordingTerminal } from '../terminal/recording-terminal.ts';

const error = new PoimenError({ outcome: 'locked', code: 'Locked', summary: 'another run holds clef' });

describe('reportError', () => {
  it('writes to stderr and returns the exit code of the outcome', () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    expect(reportError(error, ['run', 'clef'], terminal, false)).toBe(6);
    expect(terminal.written).toEqual({ stdout: '', stderr: 'error: another run holds clef\n' });
  });

  it.each([[['-o', 'json']], [['-ojson']], [['--output', 'json']], [['--output=json']]])(
    'with %j a document goes to stdout too',
    (flags) => {
      const terminal = createRecordingTerminal({ kind: 'pipe' });
      reportError(error, ['run', 'clef', ...flags], terminal, false);
      expect(JSON.parse(terminal.written.stdout)).toEqual({
        error: { code: 'Locked', summary: 'another run holds clef', nextSteps: [], exitCode: 6 },
      });
    },
  );

  it('with -o jsonl it is one line, like an event', () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    reportError(error, ['run', '-o', 'jsonl'], terminal, false);
    expect(terminal.written.stdout).toBe(
      '{"type":"error","error":{"code":"Locked","summary":"another run holds clef","nextSteps":[],"exitCode":6}}\n',
    );
  });

  it('what nobody foresaw is a bug, exit code 1', () => {
    const terminal = createRecordingTerminal({ kind: 'pipe' });
    expect(reportError(new TypeError('x'), ['run'], terminal, false)).toBe(1);
    expect(terminal.written.stderr).toMatch(/^error: this is a bug in poimen: x\n/);
  });
});
