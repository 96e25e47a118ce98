import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCertificate } from '../test/cluster-client/live/certificate.ts';
import type { Command, ProcessCost } from './process-cost.ts';

/** An API server's address at which requests are noticed and never answered. */
export interface SilentServer {
  readonly kubeconfig: string;
  /** Resolves when the next request arrives. */
  nextRequest(): Promise<void>;
  close(): Promise<void>;
}

/** With TLS and HTTP/2, as every API server: a plain one would have poimen load another client. */
export const openSilentServer = async (): Promise<SilentServer> => {
  const { certificate, key } = createCertificate();
  const server = createSecureServer({ cert: certificate, key }).listen(0, '127.0.0.1');
  server.on('sessionError', () => undefined); // the client is killed in the middle
  server.on('stream', (stream) => stream.on('error', () => undefined));
  await once(server, 'listening');
  const folder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(kubeconfigFor((server.address() as AddressInfo).port, certificate)));
  return {
    kubeconfig,
    nextRequest: async () => {
      await once(server, 'stream');
    },
    async close() {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
};

const kubeconfigFor = (port: number, certificate: string): object => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'bench',
      cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': Buffer.from(certificate).toString('base64') },
    },
  ],
  users: [{ name: 'bench', user: { token: 'bench' } }],
  contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
  'current-context': 'bench',
});

/** From the start of the process until its first request arrives. The process is ended then. */
export const measureFirstRequest = async (server: SilentServer, { command, args, env, cwd }: Command): Promise<ProcessCost> => {
  const requested = server.nextRequest();
  const startedAt = performance.now();
  const child = spawn(command, args, { env, cwd, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const early = ended.then(([code]) => {
    throw new Error(`${args.join(' ')} ended with ${String(code)} before it asked anything`);
  });
  await Promise.race([requested, early]);
  const wallMs = performance.now() - startedAt;
  const cpuMs = await cpuOf(child.pid ?? 0);
  early.catch(() => undefined);
  child.kill('SIGKILL');
  await ended;
  return { wallMs, cpuMs };
};

/**
 * What a running process has used so far. Linux.
 *
 * Source: kernel documentation, scheduler/sched-stats: /proc/PID/schedstat, nanoseconds on the CPU.
 */
const cpuOf = async (pid: number): Promise<number> => {
  const threads = await readdir(`/proc/${pid}/task`);
  const spent = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')));
  return spent.reduce((sum, line) => sum + Number(line.split(' ')[0]) / 1e6, 0);
};
