import { spawn } from 'node:child_process';

export interface Ran {
  /** Null when it was ended: some programs then exit by themselves, if they are quick enough. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** For its standard input, which is empty without. */
  readonly input?: string;
  /** Ends the program, with SIGINT, as soon as its output says so. */
  readonly until?: (stdout: string) => boolean;
  /** Called with its first output. */
  readonly began?: () => void;
}

/** Runs a program to its end. */
export const runProgram = (
  command: string,
  args: readonly string[],
  { env, cwd, input = '', until, began }: ProgramOptions,
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    let isEnough = false;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (stdout === '') began?.();
      // Line by line: what comes after the one that is waited for differs from run to run.
      for (const line of chunk.split(/(?<=\n)/)) {
        if (isEnough) return;
        stdout += line;
        isEnough = until?.(stdout) === true && line.endsWith('\n');
      }
      if (isEnough) child.kill('SIGINT');
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode: isEnough ? null : exitCode, stdout, stderr }));
    child.stdin.on('error', () => undefined); // a program that reads nothing closes it
    child.stdin.end(input);
  });
