import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../src/runbook/diagnostic.ts';
import { loadRunbook, type LoadRequest } from '../../src/runbook/load-runbook.ts';
import type { Runbook } from '../../src/runbook/runbook.ts';
import { runbookText, vocabulary } from './vocabulary.ts';

const root = resolve(import.meta.dirname, '../..');
const clef = readFileSync(join(root, 'runbooks/clef.yaml'), 'utf8');

const load = (text: string, options: Partial<LoadRequest> = {}): Runbook => {
  const loaded = loadRunbook({ file: 'test.yaml', text, set: {}, reverse: false, vocabulary, ...options });
  if (loaded.kind === 'invalid') throw new Error(loaded.diagnostics.map(formatDiagnostic).join('\n'));
  return loaded.runbook;
};

const messages = (text: string, options: Partial<LoadRequest> = {}): readonly string[] => {
  const loaded = loadRunbook({ file: 'test.yaml', text, set: {}, reverse: false, vocabulary, ...options });
  return loaded.kind === 'loaded'
    ? []
    : loaded.diagnostics.filter(({ severity }) => severity === 'error').map(({ line, column, message }) => `${line}:${column} ${message}`);
};

const inputOf = (runbook: Runbook, id: string): unknown => runbook.steps.find((step) => step.id === id)?.input;

describe('the shipped runbook', () => {
  it('expands to the canonical hand-over, with its deadlines', () => {
    const runbook = load(clef);
    expect(runbook.name).toBe('clef');
    expect(runbook.steps.map(({ id }) => id)).toContain('hand-over/stop-old');
    expect(runbook.steps.find(({ id }) => id === 'hand-over/old-gone')?.deadlineMs).toBe(300_000);
    expect(inputOf(runbook, 'hand-over/stop-old')).toEqual({ object: runbook.objects['reference'], replicas: 0 });
    expect(runbook.watched).toMatchObject({
      service: { name: 'clef-serve' },
      client: { name: 'poimen-memory' },
      to: { name: 'clef-candle' },
      port: 80,
    });
  });

  it('takes its inputs from --set', () => {
    expect(load(clef, { set: { gone: '90s' } }).steps.find(({ id }) => id === 'hand-over/old-gone')?.deadlineMs).toBe(90_000);
    expect(inputOf(load(clef, { set: { answers: '7' } }), 'hand-over/after')).toMatchObject({ consecutive: 7 });
  });

  it('changes sides on the way back', () => {
    const runbook = load(clef, { reverse: true });
    expect(inputOf(runbook, 'hand-over/stop-old')).toEqual({ object: runbook.objects['candle'], replicas: 0 });
    expect(runbook.watched?.to?.name).toBe('clef-serve');
  });
});

describe('the way back', () => {
  it('is refused where a step changes something that has none', () => {
    expect(messages(runbookText({}), { reverse: true })).toEqual([
      '8:1 no step of this runbook has a way back: --reverse turns `cutover` around',
      "9:16 'stop' changes something and has no way back: --reverse turns only `cutover` around",
    ]);
  });

  it('leaves steps alone that change nothing', () => {
    const steps = ['  - {id: hand-over, cutover: {service: service, from: from, to: to}}', '  - {id: gone, waitGone: {object: from}}'].join(
      '\n',
    );
    expect(inputOf(load(runbookText({ steps }), { reverse: true }), 'gone')).toMatchObject({ object: { name: 'clef-serve' } });
  });
});

describe('inputs', () => {
  const steps = '  - {id: stop, scale: {object: "${inputs.which}", replicas: "${inputs.count}"}, deadline: "${inputs.wait}"}';
  const inputs = [
    '  count: {type: integer, enum: [0, 1, 2]}',
    '  wait: {type: duration, default: 1h30m}',
    '  which: {type: string, default: from}',
  ].join('\n');

  it('keep their type where a text is nothing but one expression', () => {
    const runbook = load(runbookText({ inputs, steps }), { set: { count: '2' } });
    expect(runbook.steps[0]).toMatchObject({ input: { object: { name: 'clef-serve' }, replicas: 2 }, deadlineMs: 5_400_000 });
  });

  it('are asked for when they have no default', () => {
    expect(messages(runbookText({ inputs, steps }))).toEqual(["5:3 the input 'count' has to be set: --set count=VALUE"]);
  });

  it.each([
    [{ count: '3' }, "--set count=3 does not fit the input 'count'"],
    [{ count: 'one' }, "--set count=one does not fit the input 'count'"],
    [{ count: '1', wait: '5 minutes' }, "--set wait=5 minutes does not fit the input 'wait'"],
    [{ count: '1', wat: '5m' }, '--set wat: the runbook has no such input'],
    [{ count: '1', toString: '5m' }, '--set toString: the runbook has no such input'],
  ])('refuse %j', (set, message) => {
    expect(messages(runbookText({ inputs, steps }), { set: set as unknown as Record<string, string> }).join()).toContain(message);
  });

  it('are part of texts, and name objects', () => {
    const objects = ['  from: "deploy/${inputs.side}-${string(inputs.count)}.llm-serving"', '  to: deploy/clef-candle'].join('\n');
    const more = ['  side: {type: string}', '  count: {type: integer, default: 4}'].join('\n');
    const runbook = load(
      runbookText({ inputs: more, objects, steps: '  - {id: a, scale: {object: from, replicas: 1}}\n  - {id: b, waitGone: {object: to}}' }),
      { set: { side: 'clef' }, namespace: 'other' },
    );
    expect(runbook.objects).toMatchObject({
      from: { name: 'clef-4', namespace: 'llm-serving' },
      to: { name: 'clef-candle', namespace: 'other' },
    });
  });

  it('change the hash, and so does the text', () => {
    const text = runbookText({ inputs, steps });
    const hashes = [
      load(text, { set: { count: '1' } }),
      load(text, { set: { count: '2' } }),
      load(`${text}\n`, { set: { count: '1' } }),
    ].map(({ hash }) => hash);
    expect(new Set(hashes).size).toBe(3);
    expect(load(text, { set: { count: '1' } }).hash).toBe(hashes[0]);
    expect(hashes[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

describe('steps', () => {
  it('keep their order, deadline, conditions and what is expected of reachability', () => {
    const steps = [
      '  - id: gone',
      '    waitGone: {object: from}',
      '  - id: stop',
      '    scale: {object: from, replicas: 0}',
      '    deadline: 90s',
      '    when: from.spec.replicas > 0',
      '    expect: window',
    ].join('\n');
    const runbook = load(runbookText({ steps, more: 'watch: {service: service, to: to, port: 80}' }));
    expect(runbook.steps.map(({ id, deadlineMs, reachability, when }) => ({ id, deadlineMs, reachability, when: when?.source }))).toEqual([
      { id: 'gone', deadlineMs: 300_000, reachability: undefined, when: undefined },
      { id: 'stop', deadlineMs: 90_000, reachability: 'window', when: 'from.spec.replicas > 0' },
    ]);
    expect(runbook.watched).toMatchObject({ service: { name: 'clef-serve' }, to: { name: 'clef-candle' }, port: 80 });
  });

  it('cannot expect reachability of nothing', () => {
    expect(messages(runbookText({ steps: '  - {id: stop, scale: {object: from, replicas: 0}, expect: window}' }))).toEqual([
      '9:52 the runbook does not say whose reachability is meant',
    ]);
  });

  it('pin the cluster for whoever checks it', () => {
    const steps = '  - {id: hand-over, cutover: {service: service, from: from, to: to}}';
    const runbook = load(runbookText({ steps, more: 'cluster: {uid: 0b1c}' }));
    expect(runbook.clusterUid).toBe('0b1c');
  });
});
