import { expect, it, describe } from 'vitest';
import { InstalledPoimen } from './installed-poimen.ts';

const poimen = new InstalledPoimen();

poimen.write(
  'config',
  `\
apiVersion: v1
kind: Config
current-context: dev
contexts:
- {name: dev, context: {cluster: here, user: jane}}
- {name: stage, context: {cluster: gone, user: jane}}
clusters:
- {name: here, cluster: {server: "https://127.0.0.1:9"}}
users:
- {name: jane, user: {token: t}}
`,
);
poimen.write('broken-config', 'contexts: [');

describe('which cluster', () => {
  it.each([
    [
      'no kubeconfig',
      [],
      2,
      `\
error: no kubeconfig found
  looked for FOLDER/kubeconfig; not inside a cluster either
  next: give one: --kubeconfig FILE, or set KUBECONFIG
  next: or use the embedded twin, which needs no cluster: --twin FOLDER
`,
    ],
    [
      'a kubeconfig that is not there',
      ['--kubeconfig', 'nowhere'],
      2,
      `\
error: cannot read the kubeconfig nowhere
  there is no such file
  next: name a kubeconfig that you can read: --kubeconfig FILE
`,
    ],
    [
      'a context that does not exist',
      ['--kubeconfig', 'config', '--context', 'prod'],
      2,
      `\
error: there is no context "prod" in the kubeconfig
  it has: dev, stage
  next: choose one: --context NAME
`,
    ],
    [
      'a context that is mistyped',
      ['--kubeconfig', 'config', '--context', 'satge'],
      2,
      `\
error: there is no context "satge" in the kubeconfig
  it has: dev, stage
  next: did you mean: --context stage
`,
    ],
    [
      'a context whose cluster is missing',
      ['--kubeconfig', 'config', '--context', 'stage'],
      2,
      `\
error: context "stage" names the cluster "gone", which the kubeconfig does not define
  next: it defines: here
`,
    ],
    [
      'a server that nobody reaches',
      ['--kubeconfig', 'config'],
      3,
      `\
error: nothing listens at https://127.0.0.1:9 (context "dev")
  list services: connect ECONNREFUSED 127.0.0.1:9
  next: is the cluster running, and the address in the kubeconfig the right one?
  next: check with: kubectl --context dev version
`,
    ],
  ])('%s', (_, flags, exitCode, stderr) => {
    expect(poimen.run('plan', 'clef', ...flags)).toEqual({ exitCode, stdout: '', stderr });
  });

  it('a broken kubeconfig is told with the place', () => {
    const { exitCode, stdout, stderr } = poimen.run('plan', 'clef', '--kubeconfig', 'broken-config');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(
      /^error: broken-config is no usable kubeconfig\n {2}.* at line \d+, column \d+\n {2}next: .*kubectl config view --kubeconfig broken-config\n$/,
    );
  });

  it('with -o json the same is one document on stdout', () => {
    const { stdout } = poimen.run('plan', 'clef', '-o', 'json', '--kubeconfig', 'config', '--context', 'prod');
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'ContextNotFound',
        summary: 'there is no context "prod" in the kubeconfig',
        detail: 'it has: dev, stage',
        nextSteps: ['choose one: --context NAME'],
        exitCode: 2,
      },
    });
  });
});
