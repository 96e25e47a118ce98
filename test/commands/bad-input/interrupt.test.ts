import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { InstalledPoimen } from './installed-poimen.ts';

const poimen = new InstalledPoimen();
const handOver = ['cutover', 'clef', '--twin', 'examples/llm-serving'];

/** Lines of the log, in their order; a signal sent at one of them arrives there or some steps later. */
const moments = [
  '10 steps, 3 writes',
  'see who answers behind',
  'scale deployment/clef-serve to 0\n',
  'wait until the pods of deployment/clef-serve are gone\n',
  'waiting: 0 of 1 pods ready',
  'done in 1 min',
  'wrote service/clef-serve',
];

describe('Ctrl-C while a hand-over runs', () => {
  it.each(moments)('at "%s": 130, what is done so far and how to go on; the same again completes it', async (moment) => {
    const { exitCode, stdout, stderr } = await poimen.interrupt([...handOver, '--fresh', '--yes'], moment);
    if (exitCode !== 0) {
      expect(exitCode).toBe(130);
      if (stdout === '') return expect(stderr).toMatch(/\ninterrupted before the first step; nothing was changed\n$/);
      expect(stderr).toContain('\ninterrupted: stopping where it can be taken up again; once more leaves at once\n');
      expect(stderr).not.toContain('failed');
      expect(stdout).toMatch(/^! clef: interrupted after .* of simulated time\n/);
      expect(stdout).toContain('\nto go on: poimen cutover clef --twin examples/llm-serving\n');
      const isHalfDone = stdout.includes('replicas 1 -> 0');
      expect(stdout.includes('\nto go back: poimen cutover clef --twin examples/llm-serving --reverse\n')).toBe(isHalfDone);
    }
    const again = poimen.run(...handOver, '--yes', '-o', 'json');
    expect(again.exitCode).toBe(0);
    expect(poimen.run(...handOver, '-o', 'json').stdout).toContain('"outcome": "nothingToDo"');
  });

  it('SIGTERM does the same', async () => {
    const { exitCode } = await poimen.interrupt([...handOver, '--fresh', '--yes'], '10 steps, 3 writes', 'SIGTERM');
    expect(exitCode).toBe(130);
  });
});

it('Ctrl-C while the cluster is looked at: 130, and says that nothing was changed', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((listening) => void silent.listen(0, '127.0.0.1', listening));
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  poimen.write(
    'silent',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'silent',
      contexts: [{ name: 'silent', context: { cluster: 'silent', user: 'jane' } }],
      clusters: [{ name: 'silent', cluster: { server: `https://127.0.0.1:${port}` } }],
      users: [{ name: 'jane', user: { token: 't' } }],
    }),
  );
  const connected = new Promise<void>((done) => silent.once('connection', () => done()));
  try {
    expect(await poimen.interrupt(['plan', 'clef', '--kubeconfig', 'silent'], connected)).toEqual({
      exitCode: 130,
      stdout: '',
      stderr: 'interrupted while looking at the cluster; nothing was changed\n',
    });
  } finally {
    silent.close();
  }
});

it('a pipe is never asked: without --yes nothing runs, exit code 3, and the command with it is told', () => {
  const { exitCode, stdout, stderr } = poimen.run(...handOver, '--fresh');
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr.slice(stderr.indexOf('error:'))).toBe(`\
error: this run needs a yes, and nobody can be asked here
  Nothing was changed.
  next: poimen cutover clef --twin examples/llm-serving --yes
`);
});
