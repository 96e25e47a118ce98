import { expect, it } from 'vitest';
import { plainStyle } from '../../src/terminal/style.ts';
import { renderLint } from '../../src/views/lint.ts';

const finding = {
  severity: 'error',
  code: 'UnknownField',
  file: 'clef.yaml',
  line: 2,
  column: 3,
  length: 5,
  message: "unknown field 'stepz'",
  nearest: 'steps',
  excerpt: '  stepz:',
} as const;

it('each finding with its place, then how many', () => {
  const result = { files: ['clef.yaml', 'b.yaml'], diagnostics: [finding, { ...finding, severity: 'warning' as const, line: 3 }] };
  expect(renderLint(result, plainStyle)).toBe(`\
clef.yaml:2:3: error: unknown field 'stepz'
  2 |   stepz:
    |   ^^^^^
      did you mean 'steps'?

clef.yaml:3:3: warning: unknown field 'stepz'
  3 |   stepz:
    |   ^^^^^
      did you mean 'steps'?

1 error, 1 warning in 2 files
`);
});

it('says that it looked', () => {
  expect(renderLint({ files: ['clef.yaml'], diagnostics: [] }, plainStyle)).toBe('no mistakes in 1 file\n');
});
