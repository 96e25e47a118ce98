import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

// The program as it is installed: bin/ and a freshly built dist/, in a folder without node_modules.

const root = resolve(import.meta.dirname, '../..');
const installed = mkdtempSync(join(tmpdir(), 'poimen-installed-'));
const bin = join(installed, 'bin/poimen.js');

beforeAll(() => {
  for (const part of ['bin', 'package.json', 'runbooks', 'examples']) cpSync(join(root, part), join(installed, part), { recursive: true });
  const built = spawnSync(process.execPath, ['scripts/build.ts', join(installed, 'dist')], { cwd: root, encoding: 'utf8' });
  if (built.status !== 0 || built.stderr !== '') throw new Error(`the build failed: ${built.stderr}`);
}, 60_000);

afterAll(() => rmSync(installed, { recursive: true, force: true }));

const poimen = (...args: readonly string[]): { stdout: string; stderr: string; exitCode: number | null } => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...args], { cwd: installed, encoding: 'utf8', env: environment });
  return { stdout, stderr, exitCode: status };
};

const environment = {
  PATH: process.env['PATH'],
  HOME: installed,
  KUBECONFIG: join(installed, 'no-such-kubeconfig'),
  XDG_STATE_HOME: join(installed, 'state'),
};

describe('what is answered without loading the bundle', () => {
  it.each([[['--version']], [['-v']]])('%j', (args) => {
    expect(poimen(...args)).toEqual({ stdout: `${packageJson.version}\n`, stderr: '', exitCode: 0 });
  });

  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j is the overview, with every command', (args) => {
    const { stdout, stderr, exitCode } = poimen(...args);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const files = readdirSync(join(root, 'src/commands'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const commands = files.map((file) => file.replace('.ts', '').replace('/', ' '));
    expect(commands).toContain('twin serve');
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}  `, 'm'));
  });

  it.each([[['twin', '--help']], [['help', 'twin']]])('%j is the help of several commands', (args) => {
    const { stdout, exitCode } = poimen(...args);
    expect(stdout).toMatch(/^  twin serve  /m);
    expect(stdout).not.toMatch(/^  cutover  /m);
    expect(exitCode).toBe(0);
  });

  it.each([[['help', 'lint']], [['lint', '--help']], [['lint', 'a.yaml', '-h']]])('%j is the help of a command', (args) => {
    const { stdout, exitCode } = poimen(...args);
    expect(stdout).toMatch(/^poimen lint: check runbooks/);
    expect(exitCode).toBe(0);
  });

  it('the bundle is not there at all, and it still works', () => {
    const hidden = `${installed}-hidden`;
    try {
      cpSync(join(installed, 'bin'), join(hidden, 'bin'), { recursive: true });
      for (const part of ['version.txt', 'help']) cpSync(join(installed, 'dist', part), join(hidden, 'dist', part), { recursive: true });
      const run = (...args: readonly string[]) =>
        spawnSync(process.execPath, [join(hidden, 'bin/poimen.js'), ...args], { encoding: 'utf8' });
      expect(run('--version').status).toBe(0);
      const unbuilt = run('lint', 'x.yaml');
      expect(unbuilt.stderr).toBe(
        `error: poimen is not built: ${join(hidden, 'dist/main.js')} does not exist\n  next: npm run build\n  next: or run the sources: node bin/dev.js\n`,
      );
      expect(unbuilt.status).toBe(2);
    } finally {
      rmSync(hidden, { recursive: true, force: true });
    }
  });
});

describe('an older Node', () => {
  it('is told which one is needed, exit code 2', () => {
    const preload = join(installed, 'older-node.cjs');
    writeFileSync(
      preload,
      "Object.defineProperty(process.versions, 'node', { value: '20.19.0' }); Object.defineProperty(process, 'version', { value: 'v20.19.0' });",
    );
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--require', preload, bin, 'cutover', 'clef'], { encoding: 'utf8' });
    expect({ stdout, stderr, status }).toEqual({
      stdout: '',
      stderr: `\
error: poimen needs Node 24 or later, this is v20.19.0
  next: inside the package, run it through npx: npx poimen cutover clef
  next: elsewhere, install Node 24 and put it first on PATH
`,
      status: 2,
    });
  });

  it('can read the file that tells it: no syntax that came after Node 14', () => {
    const source = readFileSync(join(root, 'bin/poimen.js'), 'utf8');
    expect(source).not.toMatch(/^import |\?\?=|\|\|=|#\w+ =|static \{|await /m);
  });
});

describe('unusable arguments', () => {
  it.each([
    [['frobnicate'], 'error: there is no command "frobnicate"\n  next: poimen --help\n'],
    [['lint'], 'error: missing 1 required arg:\n  path  files, and folders of .yaml and .json files\n  next: poimen lint --help\n'],
    [['plan', 'a', '--frob'], 'error: nonexistent flag: --frob\n  next: poimen plan --help\n'],
    [['plan', 'a', 'b'], 'error: unexpected argument: b\n  next: poimen plan --help\n'],
    [['plan', 'a', '-o', 'xml'], 'error: expected --output=xml to be one of: json\n  next: poimen plan --help\n'],
    [
      ['plan', 'a', '--request-timeout', 'soon'],
      'error: --request-timeout soon is not a duration\n  next: write it like 30s, 5m or 1h30m\n',
    ],
    [['plan', 'a', '--set', 'x'], 'error: --set x does not say a name and a value\n  next: write --set NAME=VALUE\n'],
    [
      ['cutover', 'svc/a', '--from', 'deploy/a'],
      'error: a hand-over of svc/a needs --from and --to\n  next: poimen cutover svc/a --from deploy/NAME --to deploy/NAME\n',
    ],
  ])('%j: exact words, exit code 2, nothing on stdout', (args, stderr) => {
    expect(poimen(...args)).toEqual({ stdout: '', stderr, exitCode: 2 });
  });

  it('with -o json the error is a document too', () => {
    const { stdout, exitCode } = poimen('plan', 'a', '--frob', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'Usage', summary: 'nonexistent flag: --frob', nextSteps: ['poimen plan --help'], exitCode: 2 },
    });
    expect(exitCode).toBe(2);
  });
});

describe('lint', () => {
  it('of what is shipped finds nothing, exit code 0', () => {
    expect(poimen('lint', 'runbooks')).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('of a broken runbook: the place on stdout, exit code 7', () => {
    writeFileSync(join(installed, 'broken.yaml'), 'apiVersion: poimen.dev/v1alpha1\nkind: Runbok\n');
    const { stdout, exitCode } = poimen('lint', 'broken.yaml');
    expect(stdout).toContain('broken.yaml:2:');
    expect(exitCode).toBe(7);
  });
});

describe('a hand-over on the twin', () => {
  const handOver = ['cutover', 'clef', '--twin', 'examples/llm-serving'];

  it('is refused in a pipe without --yes, and says how: exit code 3', () => {
    const { stdout, stderr, exitCode } = poimen(...handOver);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 });
    expect(stderr).toContain(
      'error: this run needs a yes, and nobody can be asked here\n  Nothing was changed.\n  next: poimen cutover clef --twin examples/llm-serving --yes\n',
    );
  });

  it('runs, one document on stdout; a second time there is nothing to do', () => {
    const first = poimen(...handOver, '--yes', '-o', 'json');
    expect(JSON.parse(first.stdout)).toMatchObject({ outcome: 'completed', simulated: true, probed: true });
    expect(first.exitCode).toBe(0);
    const second = poimen(...handOver, '-o', 'json');
    expect(JSON.parse(second.stdout)).toMatchObject({ outcome: 'nothingToDo', changes: [] });
    expect(second).toMatchObject({ stderr: '', exitCode: 0 });
  });

  it('goes back, every line of stdout an event', () => {
    const { stdout, exitCode } = poimen(...handOver, '--reverse', '--yes', '-o', 'jsonl');
    const types = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect([types.at(0), types.at(-1)]).toEqual(['runStarted', 'runFinished']);
    expect(exitCode).toBe(0);
  });

  it('is planned without a question, exit code 0', () => {
    const { stdout, exitCode } = poimen('plan', 'clef', '--twin', 'examples/llm-serving');
    expect(stdout).toContain('deployment/clef-serve.llm-serving  replicas 1 -> 0\n');
    expect(exitCode).toBe(0);
  });

  it('without a kubeconfig it cannot be anywhere else: exit code 2', () => {
    expect(poimen('plan', 'clef')).toMatchObject({ stdout: '', exitCode: 2 });
  });
});

it('a reader that goes away is no reason to complain', async () => {
  const child = spawn(process.execPath, [bin, 'lint', 'runbooks', '-o', 'json'], {
    cwd: installed,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exitCode = await new Promise((done) => child.on('close', done));
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
});
