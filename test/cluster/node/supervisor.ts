/**
 * Runs inside a node's namespaces, see namespaces.ts: starts everything there, then waits. Tells on stdout, in lines of JSON, how far it
 * is. Usage: supervisor.ts RUN-DIRECTORY IMAGES stay|with-owner [audit]. With an owner it ends when stdin does, and the namespaces end with it.
 */
import { chmod, copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { dirname, join } from 'node:path';
import { ensureBinaries, realNodeBinaries } from '../binaries.ts';
import { startControlPlane, type ControlPlane } from '../control-plane.ts';
import { waitUntil } from '../processes.ts';
import type { Watchdog } from '../watchdog.ts';
import { createClusterDns, isClusterDnsReady } from './cluster-dns.ts';
import { startContainerd, startRegistry } from './container-runtime.ts';
import { correctedCandle } from './images.ts';
import { nodeUsers, startKubelet, startKubeProxy, startKubeRouter } from './kubelet.ts';
import { shadowMachineFolders } from './mounts.ts';
import { setUpNetwork } from './network.ts';
import { nodeFacts, runAt } from './run.ts';

/** What the supervisor tells. */
export type SupervisorMessage = { readonly progress: string } | { readonly ready: NodeDescription } | { readonly failed: string };

/** How to reach a node; plain data, so that it can be handed from process to process. */
export interface NodeDescription {
  readonly directory: string;
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly server: string;
  readonly certificateAuthority: string;
  readonly token: string;
}

const dnsDeadlineMs = 60_000;

/** The kernel ends all that runs in these namespaces when their first process ends, so nobody needs to be told of processes. */
const kernelAsWatchdog: Watchdog = { watch: () => undefined, forget: () => undefined, dismiss: () => Promise.resolve() };

const tell = (message: SupervisorMessage): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const progress = (line: string): void => tell({ progress: line });

const [runDirectory, imageStorage, whoStays, audit] = process.argv.slice(2);
if (runDirectory === undefined || imageStorage === undefined)
  throw new Error('usage: supervisor.ts RUN-DIRECTORY IMAGES stay|with-owner [audit]');
process.stdout.on('error', () => undefined); // nobody listens any more

if (whoStays === 'stay') setInterval(() => undefined, 3_600_000);
else process.stdin.once('end', () => process.exit(1)).resume();

try {
  tell({ ready: await start(runDirectory, imageStorage) });
} catch (error) {
  tell({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  process.exit(1);
}

async function start(directory: string, images: string): Promise<NodeDescription> {
  const run = runAt(directory);
  const binaries = await ensureBinaries(realNodeBinaries);
  await shadowMachineFolders(directory);
  await setUpNetwork();
  progress('control plane, registry and containerd');
  const [controlPlane, , containerd] = await Promise.all([
    startControlPlane({
      address: nodeFacts.address,
      dataDirectory: join(directory, 'control-plane'),
      users: Object.values(nodeUsers),
      watchdog: kernelAsWatchdog,
      ...(audit === undefined ? {} : { auditLog: join(directory, 'audit.log') }),
    }),
    startRegistry(directory, images, kernelAsWatchdog),
    startContainerd(directory, kernelAsWatchdog),
    fillClaim(binaries['stand-in']),
  ]);
  progress('kubelet, kube-proxy, kube-router and CoreDNS');
  const [kubeProxy] = await Promise.all([
    startKubeProxy(controlPlane, binaries['kube-proxy']),
    startKubelet(controlPlane, run, binaries.kubelet, containerd.socket),
    createClusterDns(controlPlane),
  ]);
  const kubeRouter = await startKubeRouter(controlPlane, binaries['kube-router']); // it ends when there is no node yet
  await waitUntil('CoreDNS', [kubeProxy, kubeRouter, containerd.process], dnsDeadlineMs, () => isClusterDnsReady(controlPlane));
  await installCommands(join(directory, 'bin'), controlPlane);
  await openRelay(join(directory, 'relay.sock'));
  const { kubeconfig, kubectl, server, certificateAuthority, token } = controlPlane;
  return { directory, kubeconfig, kubectl, server, certificateAuthority, token };
}

/** The claim of the example's models: a hostPath below /srv, which is the run's own folder in here. */
async function fillClaim(standIn: string): Promise<void> {
  const candle = '/srv/llm-models/bin/candle-vllm';
  await mkdir(dirname(candle), { recursive: true });
  await copyFile(standIn, candle);
  await chmod(candle, 0o755);
  await writeFile(`${candle}.json`, JSON.stringify(correctedCandle));
}

/** kubectl and poimen by these names, for the PATH of whoever works on the node. */
async function installCommands(folder: string, { kubectl }: ControlPlane): Promise<void> {
  await mkdir(folder);
  await symlink(kubectl, join(folder, 'kubectl'));
  const poimen = join(import.meta.dirname, '../../../bin/poimen.js');
  await writeFile(join(folder, 'poimen'), `#!/bin/sh\nexec '${process.execPath}' '${poimen}' "$@"\n`, { mode: 0o755 });
}

/**
 * Lets processes of other network namespaces in: a socket in the file system belongs to none. The first line that a client sends is
 * `HOST PORT`, and what follows goes there.
 */
function openRelay(path: string): Promise<void> {
  const relay = createServer((client) => {
    client.on('error', () => client.destroy());
    client.once('data', (first: Buffer) => {
      const end = first.indexOf('\n');
      const [host = '', port = ''] = first.subarray(0, end).toString().split(' ');
      const target = connect({ host, port: Number(port) });
      target.on('error', () => client.destroy());
      client.on('close', () => target.destroy());
      target.write(first.subarray(end + 1));
      client.pipe(target).pipe(client);
    });
  });
  return new Promise((resolve) => relay.listen(path, resolve));
}
