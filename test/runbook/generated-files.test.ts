import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generatedFiles } from '../../scripts/generate-schema.ts';
import { runbookJsonSchema } from '../../src/runbook/json-schema.ts';
import { expansions, stepKinds } from '../../src/steps/registry.ts';
import { violations } from './json-schema-validator.ts';
import { runbookText } from './vocabulary.ts';

const root = resolve(import.meta.dirname, '../..');

describe('generated files', () => {
  it.each([...generatedFiles(root)])('%s is what the schema says: run node scripts/generate-schema.ts', (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });
});

describe('the JSON Schema', () => {
  const schema = runbookJsonSchema({ stepKinds, expansions });
  const judge = (text: string): readonly string[] => violations(schema, parse(text));

  it('accepts every shipped runbook', () => {
    for (const file of readdirSync(join(root, 'runbooks'))) expect(judge(readFileSync(join(root, 'runbooks', file), 'utf8'))).toEqual([]);
  });

  it('is named in every shipped runbook, where an editor looks for it', () => {
    for (const file of readdirSync(join(root, 'runbooks'))) {
      expect(readFileSync(join(root, 'runbooks', file), 'utf8')).toMatch(
        /^# yaml-language-server: \$schema=\.\.\/schemas\/runbook\.v1alpha1\.json\n/,
      );
    }
  });

  it('has one property a step kind', () => {
    const steps = JSON.parse(readFileSync(join(root, 'schemas/runbook.v1alpha1.json'), 'utf8')) as {
      properties: { steps: { items: { properties: object } } };
    };
    expect(Object.keys(steps.properties.steps.items.properties)).toEqual(
      expect.arrayContaining([...stepKinds, ...expansions].map(({ name }) => name)),
    );
  });

  it('lets an expression stand for a number, a duration and a choice', () => {
    const steps = [
      '  - {id: a, scale: {object: from, replicas: "${inputs.n}"}, deadline: "${inputs.d}"}',
      '  - {id: b, cutover: {service: service, from: from, to: to, port: "${inputs.p}", deadlines: {gone: "${inputs.d}"}}}',
    ].join('\n');
    expect(judge(runbookText({ steps }))).toEqual([]);
  });

  it.each([
    ['an unknown step', '  - {id: a, scal: {object: from, replicas: 0}}'],
    ['two kinds', '  - {id: a, scale: {object: from, replicas: 0}, waitGone: {object: from}}'],
    ['no kind', '  - {id: a}'],
    ['no id', '  - {scale: {object: from, replicas: 0}}'],
    ['a field that is missing', '  - {id: a, scale: {object: from}}'],
    ['a field that is not known', '  - {id: a, scale: {object: from, replicas: 0, replica: 1}}'],
    ['a negative number', '  - {id: a, scale: {object: from, replicas: -1}}'],
    ['a bad duration', '  - {id: a, scale: {object: from, replicas: 0}, deadline: 5 minutes}'],
    ['a deadline on a sequence', '  - {id: a, cutover: {service: service, from: from, to: to}, deadline: 5m}'],
    ['a condition that is no text', '  - {id: a, scale: {object: from, replicas: 0}, when: true}'],
    ['an expectation that there is not', '  - {id: a, scale: {object: from, replicas: 0}, expect: closed}'],
  ])('refuses %s', (_name, steps) => expect(judge(runbookText({ steps }))).not.toEqual([]));

  it.each([
    ['an unknown field', 'inpts: {}'],
    ['an input of an unknown type', 'inputs: {a: {type: integr}}'],
    ['a default of another type', 'inputs: {a: {type: integer, default: three}}'],
    ['a watched path to no Service', 'watch: {port: 80}'],
  ])('refuses %s', (_name, more) => expect(judge(runbookText({ more }))).not.toEqual([]));
});
