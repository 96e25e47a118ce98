import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive, type ConnectLiveOptions } from '../../../src/cluster/live/connect-live.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { ensureBinaries } from '../../cluster/binaries.ts';
import { pickFreePorts } from '../../cluster/ports.ts';
import { startProcess, waitUntil, type ManagedProcess } from '../../cluster/processes.ts';
import { startWatchdog } from '../../cluster/watchdog.ts';

/** A real API server and its etcd, nothing else: for what would disturb the control plane that all tests share. */
export interface OwnApiServer {
  /** `https://[::1]:PORT` */
  readonly url: string;
  readonly port: number;
  readonly certificateAuthority: string;
  /** Of a new file, for this user, in a cluster of these fields. */
  writeKubeconfig(user: object, cluster?: object): Promise<string>;
  /** As the administrator, unless the options say otherwise; closed with the server. */
  connect(options?: Partial<ConnectLiveOptions>): Promise<Cluster>;
  /** Ends the API server, lets `meanwhile` happen, and starts it on the same etcd. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Replaces the tokens that the server knows; it reads them when it starts. */
  writeTokens(tokens: Readonly<Record<string, string>>): Promise<void>;
  /** Forgets all versions before this one. */
  compact(revision: string): Promise<void>;
  stop(): Promise<void>;
}

const readyDeadlineMs = 60_000;
/** It waits a minute for its open watches; the test's are to break. */
const stopDeadlineMs = 500;

/** `tokens`: by token, `NAME,UID,"GROUPS"`. */
export const startOwnApiServer = async (clientCertificates: string, tokens: Readonly<Record<string, string>>): Promise<OwnApiServer> => {
  const binaries = await ensureBinaries(['etcd', 'kube-apiserver']);
  const folder = await mkdtemp(join(tmpdir(), 'poimen-api-server-'));
  const inside = (name: string): string => join(folder, name);
  const watchdog = await startWatchdog(folder);
  const [etcdPort = 0, peerPort = 0, port = 0] = await pickFreePorts(3);
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const url = `https://[::1]:${port}`;
  const admin = randomBytes(16).toString('hex');
  const processes: ManagedProcess[] = [];
  const clusters: Cluster[] = [];
  const start = async (name: 'etcd' | 'kube-apiserver', args: readonly string[]): Promise<ManagedProcess> => {
    const process = await startProcess({ name, command: binaries[name], args, logFile: inside(`${name}.log`) }, watchdog);
    processes.push(process);
    return process;
  };

  const writeTokens = async (known: Readonly<Record<string, string>>): Promise<void> => {
    const lines = Object.entries({ [admin]: 'admin,admin,"system:masters"', ...known }).map(([token, rest]) => `${token},${rest}\n`);
    await writeFile(inside('tokens.csv'), lines.join(''));
  };
  await writeTokens(tokens);
  await writeFile(inside('client-ca.pem'), clientCertificates);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(inside('account.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(inside('account.pub'), publicKey.export({ type: 'spki', format: 'pem' }));

  await start('etcd', [
    `--data-dir=${inside('etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync', // the data does not outlive the test
    '--log-level=warn',
  ]);
  const startApiServer = (): Promise<ManagedProcess> =>
    start('kube-apiserver', [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=::1',
      `--secure-port=${port}`,
      '--advertise-address=2001:db8::1', // of RFC 3849: the kubernetes Service may not point to loopback
      `--cert-dir=${inside('certificates')}`,
      `--client-ca-file=${inside('client-ca.pem')}`,
      `--service-account-key-file=${inside('account.pub')}`,
      `--service-account-signing-key-file=${inside('account.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=fd00:10:96::/112',
      `--token-auth-file=${inside('tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--goaway-chance=0.02', // the most that it allows
      '--shutdown-delay-duration=0s',
    ]);
  let apiServer = await startApiServer();
  const certificate = inside('certificates/apiserver.crt');
  await waitUntil('certificate', processes, readyDeadlineMs, async () =>
    (await readFile(certificate, 'utf8')).endsWith('-----END CERTIFICATE-----\n'),
  );
  const certificateAuthority = await readFile(certificate, 'utf8');

  let files = 0;
  const writeKubeconfig = async (user: object, cluster: object = {}): Promise<string> => {
    const path = inside(`kubeconfig-${++files}`);
    const authority = Buffer.from(certificateAuthority).toString('base64');
    const config = {
      clusters: [{ name: 'own', cluster: { server: url, 'certificate-authority-data': authority, ...cluster } }],
      users: [{ name: 'tester', user }],
      contexts: [{ name: 'own', context: { cluster: 'own', user: 'tester' } }],
      'current-context': 'own',
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  };
  const connect = async (options: Partial<ConnectLiveOptions> = {}): Promise<Cluster> => {
    const kubeconfig = options.kubeconfig ?? (await writeKubeconfig({ token: admin }));
    const { cluster } = await connectLive({ requestTimeoutMs: 10_000, env: {}, ...options, kubeconfig });
    clusters.push(cluster);
    return cluster;
  };
  const isReady = async (): Promise<void> => {
    const probe = await connect({ requestTimeoutMs: 2_000 });
    await waitUntil(
      'kube-apiserver',
      [apiServer],
      readyDeadlineMs,
      async () => (await probe.discover('rbac.authorization.k8s.io')).length > 0,
    );
    const namespaces = {
      resource: { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false },
      name: 'default',
    };
    await waitUntil('namespace default', [apiServer], readyDeadlineMs, async () => (await probe.get(namespaces)) !== undefined);
  };
  await isReady();

  return {
    url,
    port,
    certificateAuthority,
    writeKubeconfig,
    connect,
    writeTokens,
    async restart(meanwhile = async () => undefined) {
      await apiServer.stop(stopDeadlineMs);
      await meanwhile();
      apiServer = await startApiServer();
      await isReady();
    },
    async compact(revision) {
      const answer = await fetch(`${etcdUrl}/v3/kv/compaction`, { method: 'POST', body: JSON.stringify({ revision, physical: true }) });
      if (!answer.ok) throw new Error(`compaction: ${await answer.text()}`);
    },
    async stop() {
      await Promise.all(clusters.map((cluster) => cluster.close()));
      for (const process of processes.toReversed()) await process.stop(stopDeadlineMs);
      await rm(folder, { recursive: true, force: true });
      await watchdog.dismiss();
    },
  };
};
