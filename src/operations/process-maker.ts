import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { startOfProcess } from '../twin/state/process-identity.ts';

/**
 * Which process this is, in words that a later one on the same machine can judge: where process numbers mean the same, its number, and when
 * it began.
 */
export const thisMaker = (): string => `${place()} ${process.pid} ${startOfProcess(process.pid) ?? ''}`;

/** Whether the process that called itself so is known to have ended. Of one elsewhere nothing is known. */
export const isGoneMaker = (maker: string): boolean => {
  const match = /^(?<where>\S+) (?<pid>\d+) (?<began>.+)$/.exec(maker);
  const { where, pid, began } = match?.groups ?? {};
  return where === place() && startOfProcess(Number(pid)) !== began;
};

/**
 * Host names repeat, in containers above all. Source: proc(5), /proc/sys/kernel/random/boot_id; pid_namespaces(7). Where there is no /proc,
 * the host's name has to do.
 */
const place = (): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${hostname()}/${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
};
