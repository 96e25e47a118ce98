import { execFile } from 'node:child_process';

/** Runs a program to its end and returns what it printed. @throws Error with what it complained about. */
export function command(program: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${[program, ...args].join(' ')}: ${stderr.trim() || error.message}`));
    });
  });
}
