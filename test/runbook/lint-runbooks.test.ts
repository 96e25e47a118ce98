import { describe, expect, it } from 'vitest';
import { lintRunbooks } from '../../src/runbook/lint-runbooks.ts';
import { runbookText, vocabulary } from './vocabulary.ts';

const lint = (...texts: readonly string[]): readonly string[] =>
  lintRunbooks(
    texts.map((text, index) => ({ file: `${index}.yaml`, text })),
    vocabulary,
  ).map(({ file, line, severity, message }) => `${file}:${line} ${severity}: ${message}`);

const quiet = '  - {id: a, cutover: {service: service, from: from, to: to}}';

describe('lint', () => {
  it('has nothing against a runbook whose inputs are not set yet', () => {
    const inputs = '  side: {type: string}\n  count: {type: integer}\n  wait: {type: duration}';
    const objects = '  from: deploy/${inputs.side}.llm-serving';
    const steps =
      '  - {id: a, scale: {object: from, replicas: "${inputs.count * 2}"}, deadline: "${inputs.wait}", when: from.spec.whatever == from.name}';
    expect(lint(runbookText({ inputs, objects, steps }))).toEqual([]);
  });

  it('sees that the type of an input does not fit, whatever its value', () => {
    const inputs = '  side: {type: string}';
    expect(lint(runbookText({ inputs, steps: `${quiet}\n  - {id: b, scale: {object: from, replicas: "\${inputs.side}"}}` }))).toEqual([
      "0.yaml:12 error: 'replicas' would be text",
    ]);
  });

  it('warns of what is never used', () => {
    const inputs = '  used: {type: string, default: from}\n  spare: {type: string, default: x}';
    expect(lint(runbookText({ inputs, steps: '  - {id: a, scale: {object: "${inputs.used}", replicas: 0}}' }))).toEqual([
      "0.yaml:6 warning: nothing reads the input 'spare'",
      "0.yaml:8 warning: no step is about the object 'service'",
      "0.yaml:10 warning: no step is about the object 'to'",
    ]);
  });

  it('warns of a condition that can never be true', () => {
    expect(
      lint(
        runbookText({
          steps: `${quiet}\n  - {id: b, waitGone: {object: from}, when: 1 > 2}\n  - {id: c, waitGone: {object: from}, when: 2 > 1}`,
        }),
      ),
    ).toEqual(['0.yaml:10 warning: this can never be true']);
  });

  it('sorts the findings of several files', () => {
    expect(lint(runbookText({ steps: '  []' }), runbookText({ more: 'x: 1', steps: quiet }))).toEqual([
      "0.yaml:9 error: 'steps' cannot be empty",
      "1.yaml:4 error: unknown field 'x'",
    ]);
  });
});
