import { describe, expect, it } from 'vitest';
import { InstalledPoimen } from './installed-poimen.ts';

const poimen = new InstalledPoimen();

const head = `\
apiVersion: poimen.dev/v1alpha1
kind: Runbook
metadata: {name: r, summary: a runbook}
inputs:
  wait: {type: duration}
  pods: {type: integer, default: 1}
objects:
  service: svc/front.shop
  old: deploy/blue.shop
steps:
`;

poimen.write('shop/shop.yaml', '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n');
poimen.write(
  'mistakes.yaml',
  `${head}\
  - id: stop
    scale: {object: old, replicas: 0}
  - id: stop
    scale: {object: old, replicas: many}
  - id: start
    sclae: {object: old, replicas: 1}
  - id: check
    when: old.spec.replcas == 0
    waitGone: {object: olld}
  - id: broken
    when: old.spec.replicas ==
    waitGone: {object: old}
`,
);
poimen.write('inputs.yaml', `${head}  - id: stop\n    scale: {object: old, replicas: "\${inputs.pods}"}\n    deadline: \${inputs.wait}\n`);
poimen.write('a-folder.yaml/x', '');

const indent = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

const mistakes = [
  `\
mistakes.yaml:13:9: error: another step is called 'stop', in line 11
 13 |   - id: stop
    |         ^^^^
`,
  `\
mistakes.yaml:14:36: error: 'replicas' is the text 'many'
 14 |     scale: {object: old, replicas: many}
    |                                    ^^^^
      expected: a whole number, 0 or more
`,
  `\
mistakes.yaml:16:5: error: unknown step 'sclae'
 16 |     sclae: {object: old, replicas: 1}
    |     ^^^^^
      expected: cutover, preflight, scale, waitGone, waitReady, answers, switchSelector, waitEndpoints, reachability
      did you mean 'scale'?
`,
  `\
mistakes.yaml:18:20: error: Deployment.spec has no field 'replcas'
 18 |     when: old.spec.replcas == 0
    |                    ^^^^^^^
      expected: replicas, paused, minReadySeconds, progressDeadlineSeconds, revisionHistoryLimit, selector, strategy, template
      did you mean 'replicas'?
`,
  `\
mistakes.yaml:19:24: error: there is no object 'olld' in 'objects'
 19 |     waitGone: {object: olld}
    |                        ^^^^
      expected: service, old
      did you mean 'old'?
`,
  `\
mistakes.yaml:21:31: error: the expression ends too early
 21 |     when: old.spec.replicas ==
    |                               ^
`,
];

describe('a runbook with mistakes', () => {
  it('lint tells all of them, with their places: exit code 7', () => {
    expect(poimen.run('lint', 'mistakes.yaml')).toEqual({
      exitCode: 7,
      stdout: [...mistakes, '6 errors in 1 file\n'].join('\n'),
      stderr: '',
    });
  });

  it('is not planned, for the same reasons: exit code 2', () => {
    const { exitCode, stdout, stderr } = poimen.run('plan', 'mistakes.yaml', '--twin', 'shop', '--set', 'wait=5m');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(`error: mistakes.yaml cannot be used: 6 problems\n${indent(mistakes.join(''))}`);
  });
});

describe('inputs', () => {
  const atWait = '    5 |   wait: {type: duration}\n      |   ^^^^\n        expected: a duration such as 90s, 5m or 1h30m\n';

  it.each([
    ['one that is missing', [], `  inputs.yaml:5:3: error: the input 'wait' has to be set: --set wait=VALUE\n${atWait}`],
    ['one of a wrong type', ['--set', 'wait=soon'], `  inputs.yaml:5:3: error: --set wait=soon does not fit the input 'wait'\n${atWait}`],
    [
      'one that the runbook does not have',
      ['--set', 'wait=5m', '--set', 'podz=2'],
      "  inputs.yaml:4:1: error: --set podz: the runbook has no such input\n    4 | inputs:\n      | ^^^^^^\n        expected: wait, pods\n        did you mean 'pods'?\n",
    ],
  ])('%s', (_, flags, detail) => {
    expect(poimen.run('plan', 'inputs.yaml', '--twin', 'shop', ...flags)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `error: inputs.yaml cannot be used: 1 problem\n${detail}`,
    });
  });
});

describe('a runbook that is not there', () => {
  it('by name: the shipped ones are named', () => {
    expect(poimen.run('plan', 'clev', '--twin', 'shop')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `\
error: there is no runbook clev
  looked for:
    FOLDER/runbooks/clev.yaml
  next: did you mean clef?
  next: give the path of a file: poimen run ./path/to/runbook.yaml
  next: or name the objects: poimen cutover svc/NAME -n NAMESPACE --from deploy/A --to deploy/B
`,
    });
  });

  it('by file', () => {
    expect(poimen.run('run', 'nowhere.yaml', '--twin', 'shop')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `\
error: there is no runbook nowhere.yaml
  looked for:
    FOLDER/nowhere.yaml
  next: check the path; a name without .yaml is looked up in runbooks/
`,
    });
  });

  it('a folder is none', () => {
    expect(poimen.run('run', 'a-folder.yaml', '--twin', 'shop')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `\
error: cannot read the runbook a-folder.yaml
  EISDIR: illegal operation on a directory, read
  next: name a runbook file that you can read
`,
    });
  });
});
