import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/runbook/diagnostic.ts';
import { lintRunbooks } from '../../src/runbook/lint-runbooks.ts';
import { loadRunbook } from '../../src/runbook/load-runbook.ts';
import { runbookText } from './vocabulary.ts';

const clef = readFileSync(join(resolve(import.meta.dirname, '../..'), 'runbooks/clef.yaml'), 'utf8');
const wide = runbookText({
  more: 'cluster: {uid: x}\nwatch: {service: service, to: to, status: [200, 204]}',
  inputs: '  count: {type: integer, enum: [0, 1], default: 0}\n  wait: {type: duration, default: 90s}',
  steps: [
    '  - id: stop',
    "    scale: {object: \"${from.kind == 'Deployment' ? 'from' : 'to'}\", replicas: \"${inputs.count}\"}",
    '    deadline: ${inputs.wait}',
    '    when: |',
    '      from != null && from.spec.template.spec.containers.exists(c, c.name == "x\\n" && has(c.image))',
    '    postcondition: \'from.metadata.labels["it\'\'s"] == "" || size(from.status.conditions) > 0\'',
    '    expect: window',
    '  - id: swap',
    '    cutover: {service: service, from: from, to: to, selector: {app: "${to.name}"}, deadlines: {gone: 1m}}',
  ].join('\n'),
});

const fragments = [
  '${',
  '}',
  '"',
  "'",
  ': ',
  '- ',
  '\n',
  '  ',
  '&a ',
  '*a',
  '<<: ',
  '!!str ',
  '{',
  '[',
  '|',
  '>-',
  '#',
  '---\n',
  'no',
  'null',
  '0x1',
  '1e999',
  '__proto__: ',
  'constructor: ',
  'has(',
  '.spec',
  ' == ',
  '\u0000',
  '\t',
  'é😀',
  'inputs',
  'from',
];

/** A runbook with a few pieces of text put in, taken out, or moved. */
const mutated = fc
  .tuple(
    fc.constantFrom(clef, wide),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 4 }))), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce((current, [position, removed, inserted]) => {
      const at = position % (current.length + 1);
      return current.slice(0, at) + inserted + current.slice(at + removed);
    }, text),
  );

/** Holds of everything that is said about a text. */
const isInText = (
  text: string,
  { line, column, length, excerpt }: { line: number; column: number; length: number; excerpt: string },
): boolean => {
  const found = text.split('\n')[line - 1];
  return found !== undefined && found.replace(/\r$/, '') === excerpt && column >= 1 && length >= 1 && column <= found.length + 1;
};

describe('any text at all', () => {
  it('is a runbook, or everything that is wrong with it is said with its place', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(mutated, fc.boolean(), (text, reverse) => {
        const loaded = loadRunbook({ file: 'fuzz.yaml', text, set: { count: '1' }, reverse });
        const diagnostics = loaded.kind === 'loaded' ? loaded.warnings : loaded.diagnostics;
        expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(loaded.kind === 'invalid');
        for (const diagnostic of [...diagnostics, ...lintRunbooks([{ file: 'fuzz.yaml', text }])]) {
          expect(isInText(text, diagnostic)).toBe(true);
          expect(formatDiagnostic(diagnostic)).toContain('fuzz.yaml:');
        }
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 100) },
    );
  });

  it('of which nothing is a runbook either', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(loadRunbook({ file: 'fuzz.yaml', text, set: {}, reverse: false }).kind).toBe('invalid');
      }),
      { numRuns: 50 },
    );
  });
});
