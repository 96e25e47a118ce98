import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBinaries } from './binaries.ts';
import { pickFreePorts } from './ports.ts';
import { ProcessDied, startProcess, waitUntil, type ManagedProcess } from './processes.ts';
import { send } from './request.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

export interface ClusterUser {
  readonly name: string;
  readonly groups?: readonly string[];
}

export interface ControlPlaneOptions {
  /** Users beside the administrator. RBAC is on: what they may do, the test grants. */
  readonly users?: readonly ClusterUser[];
  /** Where the API server writes its audit log: JSON lines, level Metadata, stages RequestReceived and ResponseComplete. */
  readonly auditLog?: string;
  /** An address of this network namespace at which pods reach the API server. Without it everything stays on loopback. */
  readonly address?: string;
  /** Default: a new folder below the system's one for temporary files. */
  readonly dataDirectory?: string;
  /** Default: one of its own. */
  readonly watchdog?: Watchdog;
  /** How long each part may take until it is ready. */
  readonly readyDeadlineMs?: number;
}

/** A real control plane on loopback: etcd, kube-apiserver, kube-controller-manager and kube-scheduler. */
export interface ControlPlane {
  /** Of the administrator, member of system:masters. */
  readonly kubeconfig: string;
  /** `https://ADDRESS:PORT`, the address of the options or 127.0.0.1 */
  readonly server: string;
  /** PEM. The serving certificate is valid for that address. */
  readonly certificateAuthority: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** Of the users in the options, by name. */
  readonly users: Readonly<Record<string, { readonly token: string; readonly kubeconfig: string }>>;
  /** Removed by `stop`. Holds each process's log as NAME.log. */
  readonly dataDirectory: string;
  /** Path of the kubectl of the same version. */
  readonly kubectl: string;
  /** Sends one request as the administrator. */
  request(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Starts a further process that ends with the cluster. */
  attach(name: string, command: string, args: readonly string[]): Promise<ManagedProcess>;
  /** Ends the API server, lets `meanwhile` happen, and starts it on the same etcd. */
  restartApiServer(meanwhile: () => Promise<void>): Promise<void>;
  /** A kubeconfig for a component that acts under its own name, so that the audit log tells it from the tests. */
  readonly componentKubeconfig: (name: Component) => string;
  /** Ends just these processes, waits for them, removes the data folder. Harmless when called twice. */
  stop(): Promise<void>;
}

type Component = 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

/** An API server waits a minute for its open watches; nobody needs what they would still say. */
const stopDeadlineMs = 500;

/**
 * Two at once on one machine do not collide: each has its own ports, found free at the start, and its own folder.
 *
 * @throws ProcessDied when a process ends before it is ready; Error when the binaries cannot be had.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = await ensureBinaries(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl']);
  const attempts = 3;
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(binaries, options);
    } catch (error) {
      const portTaken = error instanceof ProcessDied && error.message.includes('address already in use');
      if (!portTaken || attempt === attempts) throw error;
    }
  }
}

type Binaries = Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kubectl', string>>;

async function startOnce(binaries: Binaries, options: ControlPlaneOptions): Promise<ControlPlane> {
  const deadlineMs = options.readyDeadlineMs ?? 60_000;
  const dataDirectory = options.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'poimen-cluster-')));
  const inside = (name: string): string => join(dataDirectory, name);
  await mkdir(dataDirectory, { recursive: true });
  const watchdog = options.watchdog ?? (await startWatchdog(dataDirectory));
  const processes: ManagedProcess[] = [];
  const start = async (name: string, command: string, args: readonly string[]): Promise<ManagedProcess> => {
    const process = await startProcess({ name, command, args, logFile: inside(`${name}.log`) }, watchdog);
    processes.push(process);
    return process;
  };

  try {
    const [etcdClientPort, etcdPeerPort, apiServerPort, controllerManagerPort, schedulerPort] = (await pickFreePorts(5)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    const etcdServer = `http://127.0.0.1:${etcdClientPort}`;
    const address = options.address ?? '127.0.0.1';
    const server = `https://${address}:${apiServerPort}`;
    const accounts = createAccounts(options.users ?? []);
    await writeFile(inside('tokens.csv'), accounts.map(tokenLine).join(''), { mode: 0o600 });
    await writeServiceAccountKeys(inside('service-account.key'), inside('service-account.pub'));

    await start('etcd', binaries.etcd, [
      `--data-dir=${inside('etcd')}`,
      `--listen-client-urls=${etcdServer}`,
      `--advertise-client-urls=${etcdServer}`,
      `--listen-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
      `--initial-advertise-peer-urls=http://127.0.0.1:${etcdPeerPort}`,
      `--initial-cluster=default=http://127.0.0.1:${etcdPeerPort}`,
      '--unsafe-no-fsync', // the data does not outlive the test
      '--log-level=warn',
    ]);
    const apiServerFlags = [
      `--etcd-servers=${etcdServer}`,
      `--bind-address=${options.address === undefined ? address : '0.0.0.0'}`,
      `--secure-port=${apiServerPort}`,
      `--advertise-address=${options.address ?? '192.0.2.1'}`, // of RFC 5737: the kubernetes Service may not point to loopback
      `--cert-dir=${inside('certificates')}`,
      `--service-account-key-file=${inside('service-account.pub')}`,
      `--service-account-signing-key-file=${inside('service-account.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=10.96.0.0/16',
      `--token-auth-file=${inside('tokens.csv')}`,
      '--authorization-mode=Node,RBAC',
      '--allow-privileged=true',
      '--kubelet-preferred-address-types=InternalIP',
      ...(options.auditLog === undefined ? [] : await auditFlags(options.auditLog, inside('audit-policy.yaml'))),
    ];
    let apiServer = await start('kube-apiserver', binaries['kube-apiserver'], apiServerFlags);

    const certificateFile = inside('certificates/apiserver.crt'); // holds the authority after the server's own
    await waitUntil('kube-apiserver: certificate', processes, deadlineMs, async () =>
      (await readFile(certificateFile, 'utf8')).endsWith('-----END CERTIFICATE-----\n'),
    );
    const certificateAuthority = await readFile(certificateFile, 'utf8');
    const kubeconfigs = new Map<string, string>();
    for (const account of accounts) {
      const path = inside(account.name === administrator ? 'kubeconfig' : `${encodeURIComponent(account.name)}.kubeconfig`);
      await writeFile(path, kubeconfig(server, certificateAuthority, account), { mode: 0o600 });
      kubeconfigs.set(account.name, path);
    }
    const kubeconfigOf = (name: string): string => {
      const path = kubeconfigs.get(name);
      if (path === undefined) throw new Error(`no user ${name}`);
      return path;
    };
    const token = accounts.find(({ name }) => name === administrator)?.token ?? '';
    const ask = (method: string, path: string, body?: unknown, origin = server) =>
      send(method, new URL(path, origin), { certificateAuthority, token }, body);
    const answers = (path: string, origin?: string) => async () => (await ask('GET', path, undefined, origin)).status === 200;

    await waitUntil('kube-apiserver: /readyz', processes, deadlineMs, answers('/readyz'));

    const serving = [
      `--bind-address=${address}`,
      `--tls-cert-file=${certificateFile}`,
      `--tls-private-key-file=${inside('certificates/apiserver.key')}`,
    ];
    await start('kube-controller-manager', binaries['kube-controller-manager'], [
      `--kubeconfig=${kubeconfigOf(componentUsers['kube-controller-manager'])}`,
      ...serving,
      `--secure-port=${controllerManagerPort}`,
      '--leader-elect=false',
      '--kube-api-qps=500', // at the default of 20 its sixty controllers need 5 s to start
      '--kube-api-burst=1000',
      '--pvclaimbinder-sync-period=1s', // a claim that comes before its volume is known waits for this
      '--use-service-account-credentials',
      `--service-account-private-key-file=${inside('service-account.key')}`,
      `--root-ca-file=${certificateFile}`,
      '--allocate-node-cidrs=true',
      '--cluster-cidr=10.244.0.0/16',
    ]);
    await start('kube-scheduler', binaries['kube-scheduler'], [
      `--kubeconfig=${kubeconfigOf(componentUsers['kube-scheduler'])}`,
      ...serving,
      `--secure-port=${schedulerPort}`,
      '--leader-elect=false',
    ]);
    await waitUntil(
      'kube-controller-manager: /healthz',
      processes,
      deadlineMs,
      answers('/healthz', `https://${address}:${controllerManagerPort}`),
    );
    await waitUntil('kube-scheduler: /readyz', processes, deadlineMs, answers('/readyz', `https://${address}:${schedulerPort}`));
    // no pod can be created in a namespace before its default service account is there
    await waitUntil('service account default', processes, deadlineMs, answers('/api/v1/namespaces/default/serviceaccounts/default'));

    return {
      kubeconfig: kubeconfigOf(administrator),
      server,
      certificateAuthority,
      token,
      users: Object.fromEntries(
        (options.users ?? []).map(({ name }) => [
          name,
          { token: accounts.find((account) => account.name === name)?.token ?? '', kubeconfig: kubeconfigOf(name) },
        ]),
      ),
      dataDirectory,
      kubectl: binaries.kubectl,
      request: (method, path, body) => ask(method, path, body),
      attach: start,
      restartApiServer: async (meanwhile) => {
        await apiServer.stop(stopDeadlineMs);
        await meanwhile();
        apiServer = await start('kube-apiserver', binaries['kube-apiserver'], apiServerFlags);
        await waitUntil('kube-apiserver: /readyz', [apiServer], deadlineMs, answers('/readyz'));
      },
      componentKubeconfig: (name) => kubeconfigOf(componentUsers[name]),
      stop: () => tearDown(processes, watchdog, dataDirectory),
    };
  } catch (error) {
    await tearDown(processes, watchdog, dataDirectory);
    throw error;
  }
}

/** Last started, first stopped, so that none complains about what it depends on. */
async function tearDown(processes: readonly ManagedProcess[], watchdog: Watchdog, dataDirectory: string): Promise<void> {
  for (const process of processes.toReversed()) await process.stop(stopDeadlineMs);
  await rm(dataDirectory, { recursive: true, force: true });
  await watchdog.dismiss();
}

const administrator = 'admin';

/** The names to which Kubernetes' bootstrap policy binds these components' roles; kwok has none of its own. */
const componentUsers: Readonly<Record<Component, string>> = {
  'kube-controller-manager': 'system:kube-controller-manager',
  'kube-scheduler': 'system:kube-scheduler',
  kwok: 'kwok',
};

interface Account {
  readonly name: string;
  readonly groups: readonly string[];
  readonly token: string;
}

function createAccounts(users: readonly ClusterUser[]): readonly Account[] {
  const masters = ['system:masters'];
  const everyone: readonly ClusterUser[] = [
    { name: administrator, groups: masters },
    { name: componentUsers['kube-controller-manager'] },
    { name: componentUsers['kube-scheduler'] },
    { name: componentUsers.kwok, groups: masters },
    ...users,
  ];
  return everyone.map(({ name, groups }) => ({ name, groups: groups ?? [], token: randomBytes(16).toString('hex') }));
}

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#static-token-file */
const tokenLine = ({ token, name, groups }: Account): string => `${token},${name},${name},"${groups.join(',')}"\n`;

/** JSON, which is YAML too. */
const kubeconfig = (server: string, certificateAuthority: string, { name, token }: Account): string =>
  JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') } }],
      users: [{ name, user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: name } }],
      'current-context': 'test',
    },
    undefined,
    2,
  );

async function writeServiceAccountKeys(privateKeyFile: string, publicKeyFile: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(privateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }));
}

async function auditFlags(auditLog: string, policyFile: string): Promise<readonly string[]> {
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['ResponseStarted', 'Panic'],
    rules: [{ level: 'Metadata' }],
  };
  await writeFile(policyFile, JSON.stringify(policy));
  await mkdir(join(auditLog, '..'), { recursive: true });
  return [
    `--audit-policy-file=${policyFile}`,
    `--audit-log-path=${auditLog}`,
    '--audit-log-format=json',
    '--audit-log-maxsize=10000', // MB: never rotated, so a reader finds everything in one file
  ];
}
