import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { ExecEvent, ExecRequest, ExecSession } from '../../../src/cluster/exec.ts';
import { connectLive, type ConnectLiveOptions } from '../../../src/cluster/live/connect-live.ts';
import type { ExecServer } from './exec-server.ts';

export interface ConnectExecOptions extends Omit<Partial<ConnectLiveOptions>, 'cluster'> {
  /** Fields of the kubeconfig's cluster and user. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, unknown>>;
}

/** The live client, as a kubeconfig for this server makes it. */
export const connectExec = async (server: ExecServer, options: ConnectExecOptions = {}): Promise<Cluster> => {
  const { cluster: fields, credentials = { token: 'a-token' }, ...flags } = options;
  const folder = await mkdtemp(join(tmpdir(), 'poimen-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  const authority = { 'certificate-authority-data': Buffer.from(server.certificateAuthority).toString('base64') };
  const config = {
    clusters: [{ name: 'c', cluster: { server: server.url, ...authority, ...fields } }],
    users: [{ name: 'u', user: credentials }],
    contexts: [{ name: 'test', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'test',
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000, ...flags });
  onTestFinished(() => cluster.close());
  return cluster;
};

export const execIn = (cluster: Cluster, command: readonly string[], more: Partial<ExecRequest> = {}): Promise<ExecSession> =>
  cluster.exec?.({ namespace: 'poimen', pod: 'memory-0', container: 'server', command, ...more }) ??
  expect.fail('this cluster cannot exec');

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly last: ExecEvent | undefined;
}

export const outcomeOf = async ({ events }: ExecSession): Promise<Outcome> => {
  const written = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let last: ExecEvent | undefined;
  for await (const event of events) {
    if (event.type === 'stdout' || event.type === 'stderr') written[event.type].push(event.data);
    else last = event;
  }
  return { stdout: Buffer.concat(written.stdout).toString(), stderr: Buffer.concat(written.stderr).toString(), last };
};
