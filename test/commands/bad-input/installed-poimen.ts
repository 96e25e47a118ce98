import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** poimen as it is installed, freshly built, in a folder of its own, with pipes for a terminal. Removed when the file's tests are over. */
export class InstalledPoimen {
  readonly folder: string;
  readonly bin: string;

  constructor() {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'poimen-bad-input-')));
    this.bin = join(this.folder, 'bin/poimen.js');
    for (const part of ['bin', 'package.json', 'runbooks', 'examples'])
      cpSync(join(root, part), join(this.folder, part), { recursive: true });
    const built = spawnSync(process.execPath, ['scripts/build.ts', join(this.folder, 'dist')], { cwd: root, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(`the build failed: ${built.stderr}`);
    afterAll(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  write(path: string, content: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  get environment(): NodeJS.ProcessEnv {
    const kubeconfig = join(this.folder, 'kubeconfig');
    return { PATH: process.env['PATH'], HOME: this.folder, XDG_STATE_HOME: join(this.folder, 'state'), KUBECONFIG: kubeconfig };
  }

  /** What a pipe gets; this installation's folder is written as FOLDER. */
  run(...args: readonly string[]): Ended {
    const { stdout, stderr, status } = spawnSync(process.execPath, [this.bin, ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      env: this.environment,
    });
    return { exitCode: status, stdout: this.withoutFolder(stdout), stderr: this.withoutFolder(stderr) };
  }

  /** Sends the signal as soon as `when` is on stderr, or has happened, and says how it ended. */
  interrupt(args: readonly string[], when: string | Promise<void>, signal: NodeJS.Signals = 'SIGINT'): Promise<Ended> {
    return this.at(args, when, (child) => void child.kill(signal));
  }

  /** Does something as soon as `when` is on stderr, or has happened, and says how it ended. */
  async at(args: readonly string[], when: string | Promise<void>, act: (child: ChildProcess) => unknown): Promise<Ended> {
    const child = spawn(process.execPath, [this.bin, ...args], {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    if (typeof when !== 'string') void when.then(() => act(child));
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const isFirst = typeof when === 'string' && !stderr.includes(when);
      stderr += text;
      if (isFirst && stderr.includes(when)) void act(child);
    });
    const exitCode = await new Promise<number | null>((done) => void child.on('close', done));
    return { exitCode, stdout: this.withoutFolder(stdout), stderr: this.withoutFolder(stderr) };
  }

  private withoutFolder(text: string): string {
    return text.replaceAll(this.folder, 'FOLDER');
  }
}
