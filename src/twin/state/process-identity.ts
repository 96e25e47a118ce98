import { readFileSync } from 'node:fs';

/**
 * When a process began, in words that are the same as long as it lives and different for a later process with its number.
 * Undefined when there is no such process, or only what is left of one that has ended.
 *
 * Source: proc(5), /proc/pid/stat, fields 3 and 22; ps(1) where there is no /proc.
 */
export const startOfProcess = (pid: number): string | undefined => {
  if (process.platform === 'linux') return startFromProc(pid);
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return started.trim() || undefined;
  } catch {
    return undefined;
  }
};

const startFromProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain anything; the fields after it are counted from the third.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    return undefined;
  }
};
