import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { access as checkAccess, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa, type ResultPromise } from 'execa';
import { cacheDirectory, ensureBinaries, findBinaries, realNodeBinaries } from './binaries.ts';
import { send } from './request.ts';
import { cleanUpRun } from './node/clean-up.ts';
import { ensureImages } from './node/images.ts';
import { startInNamespaces } from './node/namespaces.ts';
import { createRun, nodeFacts, runMark, type NodeRun } from './node/run.ts';
import type { NodeDescription, SupervisorMessage } from './node/supervisor.ts';

/** What a test knows of a node to get at it; plain data. */
export interface RealNodeAccess extends NodeDescription {
  /** A process in the node's network namespace. */
  readonly pid: number;
}

/**
 * A cluster of one real node: control plane, kubelet, containerd, kube-proxy, kube-router as enforcer of NetworkPolicies, CoreDNS and a
 * registry, in a network namespace of its own. The node advertises four nvidia.com/gpu and has a runtime handler `nvidia`.
 */
export interface RealNode {
  readonly access: RealNodeAccess;
  /** `worker-1` */
  readonly nodeName: string;
  /** The node's address in its namespace. */
  readonly address: string;
  /** Of the administrator. Works inside the namespace only: see `run`. */
  readonly kubeconfig: string;
  /** Path of the kubectl of the same version. */
  readonly kubectl: string;
  /** `127.0.0.1:5000` inside the namespace, plain HTTP. containerd asks it for whatever is named `registry.example/...`. */
  readonly registry: string;
  /** What the pods see as /srv: the example's claim is in `llm-models` below it. */
  readonly hostPaths: string;
  /**
   * Starts a program in the namespace, with KUBECONFIG set and kubectl and poimen on PATH. A non-zero exit code is no exception; the
   * process id is the program's own. It ends with the caller, and with the node.
   */
  run(argv: readonly string[], options?: RunOptions): RunningProgram;
  /** Sends one request to the API server as the administrator. PATCH is a merge patch. */
  request(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: unknown }>;
  /** A TCP connection that begins in the namespace, for example to a Service's address. */
  connect(host: string, port: number): Socket;
}

export interface OwnedRealNode extends RealNode {
  /** Ends it and waits until nothing is left. Harmless when called twice. */
  stop(): Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  /** On stdin, which is empty otherwise. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Of execa: its streams, `kill`, and awaited what it printed and how it ended. */
export type RunningProgram = ResultPromise<ProgramOptions>;

interface ProgramOptions {
  readonly reject: false;
  readonly input: string;
  readonly cwd: string;
  readonly timeout: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface StartRealNodeOptions {
  /** One line for each stage of the start. Default: none. */
  readonly onProgress?: (line: string) => void;
  /** A folder to keep its data in. The node then outlives this process, and ends by `cleanUpRun` only. */
  readonly detachedIn?: string;
  /** The API server writes `audit.log` in the node's directory, as `ControlPlaneOptions.auditLog` describes it. Default false. */
  readonly audit?: boolean;
}

/**
 * Any number at once on one machine do not collide. When the calling process dies, in whatever way, the node ends and is cleaned up.
 *
 * @throws Error with the last lines of the logs when a part does not start; nothing is left then.
 */
export async function startRealNode(options: StartRealNodeOptions = {}): Promise<OwnedRealNode> {
  const onProgress = options.onProgress ?? (() => undefined);
  const detached = options.detachedIn !== undefined;
  const binaries = await ensureBinaries(realNodeBinaries, { onProgress });
  const images = await ensureImages({ standIn: binaries['stand-in'], coredns: binaries.coredns }, onProgress);
  const run = await createRun(options.detachedIn);
  const watchdog = await startNodeWatchdog(run);
  const stop = async (): Promise<void> => {
    await cleanUpRun(run);
    await watchdog.end();
  };
  try {
    await writeOwner(run, detached);
    await mkdir(join(run.directory, 'tmp'));
    const supervisor = await startInNamespaces(
      run,
      [
        process.execPath,
        join(import.meta.dirname, 'node/supervisor.ts'),
        run.directory,
        images,
        detached ? 'stay' : 'with-owner',
        ...(options.audit === true ? ['audit'] : []),
      ],
      { detached },
    );
    const description = await waitForReady(supervisor, run, onProgress);
    const access = { ...description, pid: firstChildOf(supervisor) };
    await writeFile(join(run.directory, 'access.json'), JSON.stringify(access), { mode: 0o600 });
    release(supervisor);
    if (detached) await watchdog.end('dismiss');
    return { ...connectRealNode(access), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A node that another process started. */
export function connectRealNode(access: RealNodeAccess): RealNode {
  const { directory, kubeconfig, kubectl, server, certificateAuthority, token } = access;
  const relay = (host: string, port: number): Socket => {
    const socket = connect(join(directory, 'relay.sock'));
    socket.write(`${host} ${port}\n`);
    return socket;
  };
  return {
    access,
    nodeName: nodeFacts.nodeName,
    address: nodeFacts.address,
    kubeconfig,
    kubectl,
    registry: `127.0.0.1:${nodeFacts.registryPort}`,
    hostPaths: join(directory, 'machine/srv'),
    run: (argv, { cwd = process.cwd(), input = '', timeoutMs = 0, env = {} } = {}) => {
      const options: ProgramOptions = {
        reject: false,
        input,
        cwd,
        timeout: timeoutMs,
        env: { ...environmentOf(access), ...env },
      };
      return execa('nsenter', [`--net=/proc/${access.pid}/ns/net`, ...argv], options);
    },
    request: (method, path, body) => send(method, new URL(path, server), { certificateAuthority, token, connect: relay }, body),
    connect: relay,
  };
}

/** For programs in a node's network namespace: kubectl and poimen on PATH, KUBECONFIG set, and the mark by which they end with the node. */
export const environmentOf = ({ directory, kubeconfig }: RealNodeAccess): Readonly<Record<string, string>> => ({
  PATH: [join(directory, 'bin'), process.env['PATH'] ?? ''].join(delimiter),
  KUBECONFIG: kubeconfig,
  KUBECACHEDIR: join(directory, 'kube-cache'),
  [runMark]: directory,
});

/** Where the node that a person started with `npm run cluster -- up` keeps its data. */
export const detachedDirectory = (): string => join(cacheDirectory(), '..', 'cluster');

/** The node that a run's folder belongs to, for whoever has only that. @throws Error when it never became ready. */
export const readAccess = async (directory: string): Promise<RealNodeAccess> =>
  JSON.parse(await readFile(join(directory, 'access.json'), 'utf8')) as RealNodeAccess;

/** The Debian packages that provide what a node consists of beside the binaries that are built. */
const packagesByCommand: Readonly<Record<string, string>> = {
  '/usr/bin/containerd': 'containerd',
  '/usr/sbin/runc': 'runc',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  '/usr/bin/buildah': 'buildah',
  '/usr/sbin/iptables': 'iptables',
  '/usr/sbin/ipset': 'ipset',
  '/usr/sbin/ip': 'iproute2',
  '/usr/bin/docker-registry': 'docker-registry',
  '/bin/busybox': 'busybox-static',
  '/usr/bin/curl': 'curl',
};

/** Why no real node can be started on this machine, and what to do about each; empty when one can. */
export async function findNodeObstacles(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [`a node needs Linux, this is ${process.platform}`];
  const obstacles: string[] = [];
  if (process.getuid?.() !== 0) obstacles.push('not root; run it as root: namespaces, mounts and containers need it');
  const packages = new Set<string>();
  for (const [path, name] of Object.entries(packagesByCommand)) await checkAccess(path).catch(() => packages.add(name));
  if (packages.size > 0) obstacles.push(`missing packages; run: apt-get install ${[...packages].join(' ')}`);
  const { missing } = await findBinaries(realNodeBinaries);
  if (missing.length > 0) obstacles.push(`${missing.map(({ name }) => name).join(', ')}: ${missing[0]?.reason}; ${missing[0]?.remedy}`);
  return obstacles;
}

/** Whose end is a run's end; null is a person, who ends it by a command. */
export interface Owner {
  readonly pid: number | null;
}

async function writeOwner(run: NodeRun, detached: boolean): Promise<void> {
  await writeFile(join(run.directory, 'owner.json'), JSON.stringify({ pid: detached ? null : process.pid } satisfies Owner));
}

/** Even SIGKILL of this process closes the pipe that the watchdog reads from. */
async function startNodeWatchdog(run: NodeRun): Promise<{ end(lastWord?: 'dismiss'): Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'node/watchdog-process.ts'), run.directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  await once(child, 'spawn');
  release(child);
  return {
    async end(lastWord) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const gone = once(child, 'exit');
      child.stdin.end(lastWord);
      await gone;
    },
  };
}

/** Lets this process end without the child: whoever forgets to stop it must not hang. */
function release(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout])
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}

async function waitForReady(supervisor: ChildProcess, run: NodeRun, onProgress: (line: string) => void): Promise<NodeDescription> {
  if (supervisor.stdout === null) throw new Error('no stdout');
  for await (const line of createInterface({ input: supervisor.stdout })) {
    const message = JSON.parse(line) as SupervisorMessage;
    if ('ready' in message) return message.ready;
    if ('failed' in message) throw new Error(`the node did not start: ${message.failed}`);
    onProgress(message.progress);
  }
  throw new Error(`the node did not start:\n${await readFile(join(run.directory, 'supervisor.log'), 'utf8')}`);
}

/** unshare's only child is the first process of the namespaces. */
const firstChildOf = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
