import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import type { FaultyServer } from './faulty-server.ts';

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A kubeconfig with one context `test`, for the server and the user. */
export const writeKubeconfig = async (
  server: Pick<FaultyServer, 'url' | 'certificateAuthority'>,
  user: unknown = { token: 'a-token' },
  clusterFields: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  const path = join(await temporaryFolder(), 'kubeconfig');
  const cluster = {
    server: server.url,
    'certificate-authority-data': Buffer.from(server.certificateAuthority).toString('base64'),
    ...clusterFields,
  };
  const config = {
    clusters: [{ name: 'faulty', cluster }],
    users: [{ name: 'tester', user }],
    contexts: [{ name: 'test', context: { cluster: 'faulty', user: 'tester' } }],
    'current-context': 'test',
  };
  await writeFile(path, JSON.stringify(config));
  return path;
};

export interface ConnectedTo {
  readonly cluster: Cluster;
  /** Of the pauses between two tries, so that no test waits for them. */
  readonly clock: VirtualClock;
}

export const connectTo = async (
  server: FaultyServer,
  options: { readonly user?: unknown; readonly requestTimeoutMs?: number } = {},
): Promise<ConnectedTo> => {
  const clock = new VirtualClock(0);
  const kubeconfig = await writeKubeconfig(server, options.user);
  const { cluster } = await connectLive({ kubeconfig, env: {}, clock, requestTimeoutMs: options.requestTimeoutMs ?? 5_000 });
  onTestFinished(() => cluster.close());
  return { cluster, clock };
};
