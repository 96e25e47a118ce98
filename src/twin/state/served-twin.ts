import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../../kubernetes/json.ts';
import { startOfProcess } from './process-identity.ts';

/** A twin that a process serves, as its state folder says. */
export interface ServedTwin {
  readonly pid: number;
  readonly url: string;
  /** Path of the kubeconfig for it. */
  readonly kubeconfig: string;
  /** RFC 3339, real time. */
  readonly since: string;
  /** `1`, or `instant`. */
  readonly pace: string;
}

const pathIn = (stateFolder: string): string => join(stateFolder, 'served');

/** Where the kubeconfig of a served twin is; the same each time, so that a shell that was told of it goes on working. */
export const kubeconfigPathIn = (stateFolder: string): string => join(stateFolder, 'kubeconfig');

/** Only the holder of the state lock may. Returns how to take it back. */
export const announceServedTwin = (stateFolder: string, served: ServedTwin): (() => void) => {
  const path = pathIn(stateFolder);
  writeFileSync(`${path}.new`, JSON.stringify({ ...served, started: startOfProcess(served.pid) ?? '' }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
};

/** `undefined` when nobody serves it: none began, or the process that did has died. */
export const readServedTwin = (stateFolder: string): ServedTwin | undefined => {
  const record = readRecord(pathIn(stateFolder));
  return record !== undefined && startOfProcess(record.pid) === record.started ? record : undefined;
};

const readRecord = (path: string): (ServedTwin & { readonly started: string }) | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isJsonObject(value)) return undefined;
    const { pid, url, kubeconfig, since, pace, started } = value;
    const texts = [url, kubeconfig, since, pace, started];
    return typeof pid === 'number' && texts.every((text) => typeof text === 'string')
      ? (value as unknown as ServedTwin & { started: string })
      : undefined;
  } catch {
    return undefined;
  }
};
