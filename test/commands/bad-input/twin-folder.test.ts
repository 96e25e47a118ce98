import { describe, expect, it } from 'vitest';
import { InstalledPoimen } from './installed-poimen.ts';

const poimen = new InstalledPoimen();

/** What `plan` says of a twin of exactly this file. */
const planOn = (folder: string, manifest: string) => {
  poimen.write(`${folder}/a.yaml`, manifest);
  return poimen.run('plan', 'clef', '--twin', folder, '--fresh');
};

const unusable = (folder: string, ...lines: readonly string[]) => ({
  exitCode: 2,
  stdout: '',
  stderr: `error: the manifests in FOLDER/${folder} cannot be used as they are\n${lines.map((line) => `  ${line}\n`).join('')}`,
});

const unacceptable = (...lines: readonly string[]) => ({
  exitCode: 2,
  stdout: '',
  stderr: `error: an object of the manifests would not be accepted by a Kubernetes API server\n${lines.map((line) => `  ${line}\n`).join('')}  next: correct the manifests\n`,
});

describe('a folder of manifests that no twin can begin with', () => {
  it('is not there', () => {
    expect(poimen.run('plan', 'clef', '--twin', 'nowhere')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'error: there is no folder FOLDER/nowhere\n  next: name a folder of manifests: --twin FOLDER\n',
    });
  });

  it('is empty', () => {
    poimen.write('empty/notes.txt', 'no manifest');
    expect(poimen.run('plan', 'clef', '--twin', 'empty')).toEqual(
      unusable('empty', 'FOLDER/empty:1:1: no manifests (files that end in .yaml, .yml or .json, or a kustomization.yaml, are expected)'),
    );
  });

  it.each([
    [
      'is no YAML',
      '{apiVersion: v1, kind: Service\n',
      'FOLDER/broken/a.yaml:2:1: not YAML: flow map must end with a } (something is not closed or separated here: a quote, a bracket, a comma, or the space behind a ":")',
    ],
    [
      'has an object without a name',
      'apiVersion: v1\nkind: Service\n',
      'FOLDER/broken/a.yaml:1:1: metadata.name is missing (every Kubernetes object has apiVersion, kind and metadata.name)',
    ],
    ['has no objects', '- a\n', 'FOLDER/broken/a.yaml:1:1: not a Kubernetes object (apiVersion, kind and metadata.name are expected)'],
    [
      'names an object twice',
      'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: x}\n---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: x}\n',
      'FOLDER/broken/a.yaml:7:18: ServiceAccount/x a second time (it is already described in FOLDER/broken/a.yaml:1)',
    ],
  ])('%s', (_, manifest, line) => {
    expect(planOn('broken', manifest)).toEqual(unusable('broken', line));
  });

  it('has an object that an API server refuses, in its words', () => {
    expect(planOn('refused', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: shop}\nspec: {replicas: 1}\n')).toEqual(
      unacceptable(
        'FOLDER/refused/a.yaml:1: Deployment.apps "x" is invalid: [spec.selector: Required value, spec.template.spec.containers: Required value]',
      ),
    );
  });
});

describe('an object that the twin does not know', () => {
  const gadget = (size: number) =>
    `apiVersion: example.com/v1\nkind: Gadget\nmetadata: {name: g, namespace: llm-serving}\nspec: {size: ${size}}\n`;
  const withGadget = 'resources: [../examples/llm-serving, gadget.yaml]\n';

  it("is kept, said to be not simulated, and in nobody's way", () => {
    poimen.write('strange/gadget.yaml', gadget(1));
    poimen.write('strange/kustomization.yaml', withGadget);
    const { exitCode, stdout, stderr } = poimen.run('plan', 'clef', '--twin', 'strange');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('\nwarning: the twin keeps these as they are and simulates nothing of them: gadget/g.llm-serving\n');
  });

  it('is one of the manifests: a change of it is told', () => {
    poimen.write('strange/gadget.yaml', gadget(2));
    expect(poimen.run('plan', 'clef', '--twin', 'strange')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `\
error: the manifests in FOLDER/strange have changed since this twin began
  changed gadget/g.llm-serving: /spec/size 1 -> 2
  next: start again from the manifests as they are, and forget what the twin did since: --fresh
  next: or undo the change
`,
    });
  });
});
