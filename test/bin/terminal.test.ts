import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The bundle on a real terminal: the live list and the prompt are loaded late, and listr2 says nothing when its renderer cannot be loaded.

const root = resolve(import.meta.dirname, '../..');
const installed = mkdtempSync(join(tmpdir(), 'poimen-terminal-'));
const bin = join(installed, 'bin/poimen.js');

/** util-linux's `script` gives the command a terminal; the one of BSD and macOS takes other arguments. */
const hasScript = spawnSync('sh', ['-c', 'script --version'], { encoding: 'utf8' }).stdout.includes('util-linux');
const leftOut = hasScript ? '' : ' (left out: needs `script` of util-linux)';

beforeAll(() => {
  for (const part of ['bin', 'package.json', 'runbooks', 'examples']) cpSync(join(root, part), join(installed, part), { recursive: true });
  const built = spawnSync(process.execPath, ['scripts/build.ts', join(installed, 'dist')], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`the build failed: ${built.stderr}`);
}, 60_000);

afterAll(() => rmSync(installed, { recursive: true, force: true }));

/** What a terminal of 160 columns got, as it came. */
const onTerminal = (args: string, input: string): { readonly screen: string; readonly exitCode: number | null } => {
  const command = `stty cols 160 rows 50; ${process.execPath} ${bin} ${args}`;
  const { stdout, status } = spawnSync('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: installed,
    encoding: 'utf8',
    input,
    env: { PATH: process.env['PATH'], HOME: installed, XDG_STATE_HOME: join(installed, 'state'), TERM: 'xterm', NO_COLOR: '1' },
  });
  return { screen: stdout, exitCode: status };
};

describe.skipIf(!hasScript)(`on a terminal${leftOut}`, () => {
  it('asks, draws the steps while they run, and leaves them on the screen', () => {
    const { screen, exitCode } = onTerminal('cutover clef --twin examples/llm-serving', 'y\n');
    expect(screen).toContain('? Run these 10 steps on the twin of ');
    expect(screen).toContain('  › 0 of 1 pods ready; clef-candle-');
    expect(screen).toMatch(/✔ wait until the pods of deployment\/clef-candle are ready {2}1 min \d+ s/);
    expect(screen).toContain('✔ clef: done in 1 min ');
    expect(exitCode).toBe(0);
  }, 30_000);
});
