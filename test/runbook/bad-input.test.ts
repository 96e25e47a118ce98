import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/runbook/diagnostic.ts';
import { loadRunbook } from '../../src/runbook/load-runbook.ts';
import { runbookText, vocabulary } from './vocabulary.ts';

const said = (text: string): string => {
  const loaded = loadRunbook({ file: 'test.yaml', text, set: {}, reverse: false, vocabulary });
  return loaded.kind === 'loaded' ? 'nothing' : loaded.diagnostics.map(formatDiagnostic).join('\n');
};

const lines = (...text: readonly string[]): string => text.join('\n');

describe('a bad runbook', () => {
  it('with an unknown step names the nearest one', () => {
    expect(said(runbookText({ steps: '  - {id: stop, scal: {object: from, replicas: 0}}' }))).toBe(
      lines(
        "test.yaml:9:16: error: unknown step 'scal'",
        '  9 |   - {id: stop, scal: {object: from, replicas: 0}}',
        '    |                ^^^^',
        '      expected: cutover, scale, waitGone',
        "      did you mean 'scale'?",
      ),
    );
  });

  it('with a duplicate id says where the first one is', () => {
    expect(said(runbookText({ steps: '  - {id: stop, waitGone: {object: from}}\n  - {id: stop, waitGone: {object: to}}' }))).toBe(
      lines(
        "test.yaml:10:10: error: another step is called 'stop', in line 9",
        ' 10 |   - {id: stop, waitGone: {object: to}}',
        '    |          ^^^^',
      ),
    );
  });

  it('with a wrong type says what is there and what was expected', () => {
    expect(said(runbookText({ steps: '  - {id: stop, scale: {object: from, replicas: zero}}' }))).toBe(
      lines(
        "test.yaml:9:48: error: 'replicas' is the text 'zero'",
        '  9 |   - {id: stop, scale: {object: from, replicas: zero}}',
        '    |                                                ^^^^',
        '      expected: a whole number, 0 or more',
      ),
    );
  });

  it('with a CEL error points into the expression and names the nearest field', () => {
    expect(
      said(
        runbookText({
          steps: lines(
            '  - id: stop',
            '    scale: {object: from, replicas: 0}',
            '    when: >-',
            '      from != null &&',
            '      from.spec.replica > 0',
          ),
        }),
      ),
    ).toBe(
      lines(
        "test.yaml:13:17: error: Deployment.spec has no field 'replica'",
        ' 13 |       from.spec.replica > 0',
        '    |                 ^^^^^^^',
        '      expected: replicas, paused, minReadySeconds, progressDeadlineSeconds, revisionHistoryLimit, selector, strategy, template',
        "      did you mean 'replicas'?",
      ),
    );
  });

  it('is told of a guess once, not of what the guess would lead to', () => {
    const all = loadRunbook({
      file: 'test.yaml',
      text: runbookText({ inputs: '  a: {type: boolean, default: no}' }),
      set: {},
      reverse: false,
      vocabulary,
    });
    expect(all.kind === 'invalid' ? all.diagnostics.map(({ code }) => code) : []).toEqual(['Yaml']);
  });

  it('says everything at once, in the order of the file', () => {
    const steps = lines(
      '  - id: Stop',
      '    scale: {object: form, replica: 0}',
      '    deadline: 5',
      '  - waitGone: {object: service}',
      '    when: from.spec.replicas',
    );
    const all = loadRunbook({ file: 'test.yaml', text: runbookText({ steps }), set: {}, reverse: false, vocabulary });
    expect(
      all.kind === 'invalid' ? all.diagnostics.map(({ line, code, message, nearest }) => ({ line, code, message, nearest })) : [],
    ).toEqual([
      { line: 9, code: 'WrongValue', message: "'id' cannot be 'Stop'", nearest: undefined },
      { line: 10, code: 'MissingField', message: "'replicas' is missing", nearest: undefined },
      { line: 10, code: 'UnknownObject', message: "there is no object 'form' in 'objects'", nearest: 'from' },
      { line: 10, code: 'UnknownField', message: "unknown field 'replica'", nearest: 'replicas' },
      { line: 11, code: 'WrongType', message: "'deadline' is the number 5", nearest: undefined },
      { line: 12, code: 'MissingField', message: "'id' is missing", nearest: undefined },
      { line: 12, code: 'WrongObjectKind', message: "'service' is a Service; 'object' does not take one", nearest: undefined },
      { line: 13, code: 'BadExpression', message: 'this is a value of type int', nearest: undefined },
    ]);
  });

  it.each([
    [
      'two kinds in one step',
      { steps: '  - {id: a, scale: {object: from, replicas: 0}, waitGone: {object: from}}' },
      "a step has one kind; this one has 'scale' and 'waitGone'",
    ],
    ['no kind in a step', { steps: '  - {id: a}' }, 'this step does not say what to do'],
    ['no steps', { steps: '  []' }, "'steps' cannot be empty"],
    ['a kind without fields', { steps: '  - {id: a, scale: }' }, "'scale' is empty"],
    ['an unknown field of the document', { more: 'inpts: {}' }, "unknown field 'inpts'"],
    ['an object that no kind is called like', { objects: '  from: deployt/a.b' }, "there is no kind 'deployt' that poimen knows"],
    ['a reference without a namespace', { objects: '  from: deploy/a' }, 'no namespace'],
    ['a name that expressions cannot use', { objects: '  from: deploy/a.b\n  old-side: deploy/a.b' }, "'old-side' cannot be a name here"],
    ['a name that means something else', { objects: '  from: deploy/a.b\n  inputs: deploy/a.b' }, "'inputs' cannot be a name here"],
    [
      'one object on both sides',
      {
        objects: '  service: svc/a.b\n  from: deploy/a.b\n  to: deployment/a.b',
        steps: '  - {id: a, cutover: {service: service, from: from, to: to}}',
      },
      "'from' and 'to' are the same object",
    ],
    ['a bad duration', { steps: '  - {id: a, waitGone: {object: from}, deadline: 5 minutes}' }, "'deadline' cannot be '5 minutes'"],
    [
      'a bad duration inside',
      { steps: '  - {id: a, cutover: {service: service, from: from, to: to, deadlines: {gone: 300}}}' },
      "'gone' is the number 300",
    ],
    ['an input of an unknown type', { inputs: '  a: {type: integr}' }, "'type' cannot be 'integr'"],
    ['a default of another type', { inputs: '  a: {type: integer, default: three}' }, "'default' is the text 'three'"],
    [
      'a default that is none of the values',
      { inputs: '  a: {type: string, default: x, enum: [q, w]}' },
      "the default of 'a' is none of its values",
    ],
    [
      'an unknown input in an expression',
      { inputs: '  answers: {type: integer, default: 3}', steps: '  - {id: a, scale: {object: from, replicas: "${inputs.answer}"}}' },
      "the runbook has no input 'answer'",
    ],
    ['an unclosed expression', { steps: '  - {id: a, scale: {object: from, replicas: "${1"}}' }, 'this ${ is never closed'],
    [
      'an expression that gives the wrong type',
      { steps: '  - {id: a, scale: {object: from, replicas: "${from.name}"}}' },
      "'replicas' is the text 'clef-serve'",
    ],
    ['an expression that cannot be evaluated', { steps: '  - {id: a, scale: {object: from, replicas: "${1 / 0}"}}' }, 'division by zero'],
    [
      'a list inside a text',
      { steps: '  - {id: a, scale: {object: "x${[1]}", replicas: 0}}' },
      'a list, a mapping or null cannot be part of a text',
    ],
    [
      'a comparison of two types',
      { steps: '  - {id: a, waitGone: {object: from}, when: from.spec.replicas == "1"}' },
      "'==' does not go with int and string",
    ],
    [
      'has() of a field that cannot be',
      { steps: '  - {id: a, waitGone: {object: from}, when: has(from.spec.replica)}' },
      "Deployment.spec has no field 'replica'",
    ],
    ['an unknown function', { steps: '  - {id: a, waitGone: {object: from}, when: sise(from.spec) > 0}' }, "there is no function 'sise'"],
    [
      'an unknown name',
      { steps: '  - {id: a, waitGone: {object: from}, when: form.spec.replicas > 0}' },
      "unknown name 'form' in the expression",
    ],
    [
      'an expression that ends too early',
      { steps: '  - {id: a, waitGone: {object: from}, when: from.spec.replicas ==}' },
      'the expression ends too early',
    ],
    ['a condition that is no expression', { steps: '  - {id: a, waitGone: {object: from}, when: true}' }, "'when' is true"],
    [
      'a deadline on a sequence',
      { steps: '  - {id: a, cutover: {service: service, from: from, to: to}, deadline: 5m}' },
      "'cutover' stands for several steps and decides 'deadline' for each of them",
    ],
    ['a watched path to nothing', { more: 'watch: {service: servce}' }, "there is no object 'servce' in 'objects'"],
    ['a duplicate key', { inputs: '  a: {type: string}\n  a: {type: string}' }, 'duplicate key a'],
    ['a merge key', { steps: '  - {id: a, waitGone: {object: from}, <<: {deadline: 5m}}' }, '<< is a merge key'],
    ['an anchor', { steps: '  - &a {id: a, waitGone: {object: from}}' }, '&a is an anchor'],
    ['a boolean of YAML 1.1', { inputs: '  a: {type: boolean, default: no}' }, 'plain no is false to YAML 1.1 and a text to YAML 1.2'],
    ['a key that is a boolean of YAML 1.1', { inputs: '  on: {type: boolean}' }, 'plain on is true to YAML 1.1'],
    ['no YAML', { steps: '  - {id: a' }, 'not YAML'],
  ])('with %s', (_name, parts, message) => expect(said(runbookText(parts))).toContain(message));

  it.each([
    ['', 'there is nothing in it'],
    ['- a\n- b\n', 'the document is a list'],
    ['just text', "the document is the text 'just text'"],
    ['apiVersion: poimen.dev/v1alpha1\n---\nkind: Runbook\n', 'a second document'],
    ['apiVersion: poimen.dev/v1\nkind: Runbook\n', "'apiVersion' cannot be 'poimen.dev/v1'"],
  ])('that is %j', (text, message) => expect(said(text)).toContain(message));
});
