import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isJsonObject } from '../../../src/cluster/live/json.ts';
import { startControlPlaneWithFakeNode } from '../../cluster/with-fake-node.ts';

/** A cluster as its clients see it: by a kubeconfig. */
export interface ServedCluster {
  readonly name: 'the twin' | 'a real control plane';
  readonly kubeconfig: string;
  close(): Promise<void>;
}

const root = resolve(import.meta.dirname, '../../..');

/** The one node that both begin with. */
const node = `apiVersion: v1
kind: Node
metadata:
  name: worker-1
  labels: {kubernetes.io/hostname: worker-1, kubernetes.io/os: linux, kubernetes.io/arch: amd64}
status:
  capacity: {cpu: "64", memory: 63495Mi, pods: "110", nvidia.com/gpu: "4"}
`;

/** `poimen twin serve` as a process of its own, of a folder with nothing but a node. */
export const startServedTwin = async (
  args: readonly string[] = [],
): Promise<ServedCluster & { readonly process: ChildProcess; readonly url: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-twin-serve-'));
  await mkdir(join(folder, 'manifests'));
  await writeFile(join(folder, 'manifests/node.yaml'), node);
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
  const child = spawn(process.execPath, [join(root, 'bin/dev.js'), 'twin', 'serve', 'manifests', '-o', 'json', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const { url, kubeconfig } = await readServing(child);
  return {
    name: 'the twin',
    process: child,
    url,
    kubeconfig,
    close: async () => {
      child.kill('SIGTERM');
      const [exitCode] = (await ended) as [number | null];
      await rm(folder, { recursive: true });
      if (exitCode !== 0) throw new Error(`poimen twin serve ended with ${exitCode}`);
    },
  };
};

const readServing = async (child: ChildProcess): Promise<{ readonly url: string; readonly kubeconfig: string }> => {
  let stdout = '';
  for await (const chunk of child.stdout ?? []) {
    stdout += String(chunk);
    if (!stdout.endsWith('}\n')) continue;
    const said: unknown = JSON.parse(stdout);
    if (isJsonObject(said) && typeof said['url'] === 'string' && typeof said['kubeconfig'] === 'string') {
      return { url: said['url'], kubeconfig: said['kubeconfig'] };
    }
  }
  throw new Error(`poimen twin serve ended before it was ready: ${stdout}`);
};

/** A control plane with kwok, for this file alone: it uses the namespaces of the example. */
export const startRealCluster = async (): Promise<ServedCluster> => {
  const controlPlane = await startControlPlaneWithFakeNode();
  return { name: 'a real control plane', kubeconfig: controlPlane.kubeconfig, close: () => controlPlane.stop() };
};

/** The example in a new folder, without its node, and with pods that are quick: what takes minutes there takes moments here. */
export const quickExample = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-example-'));
  const example = join(root, 'examples/llm-serving');
  const manifests = (await readdir(example)).filter((name) => name.endsWith('.yaml') && name !== 'node.yaml');
  for (const file of manifests) {
    const text = await readFile(join(example, file), 'utf8');
    const quick = text.replaceAll(/(twin\.poimen\.dev\/(?:pull|start|terminate)): .*/g, '$1: 300ms').replace('  - node.yaml\n', '');
    await writeFile(join(folder, file), quick);
  }
  return folder;
};
