import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { surveyMachine } from '../cluster/leftovers.ts';
import { startRealNode, type Owner } from '../cluster/node.ts';
import { cgroupsOf, processesOf, readProcessFile } from '../cluster/node/clean-up.ts';
import { runAt, runPrefix } from '../cluster/node/run.ts';
import { eventually } from './eventually.ts';
import { untilClientIsAnswered } from './example.ts';
import { useRealNode } from './harness.ts';

const node = useRealNode();

describe('a node', () => {
  let owner: ChildProcess | undefined;

  afterEach(() => owner?.kill('SIGKILL'));

  it('goes with its owner, when that is killed, and takes everything along, but no other node', async () => {
    const before = await surveyMachine();
    owner = spawn(process.execPath, [join(import.meta.dirname, 'owned-node.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [directory] = (await once(createInterface({ input: owner.stdout ?? process.stdin }), 'line')) as [string];
    const run = runAt(directory);
    const isPaused = (pid: number): boolean => readProcessFile(String(pid), 'cmdline').startsWith('/pause');
    expect(processesOf(run).filter(isPaused)).toHaveLength(1); // the pod of CoreDNS
    expect(cgroupsOf(run).length).toBeGreaterThan(0);

    owner.kill('SIGKILL');

    await eventually('nothing is left', async () => {
      const left = [...processesOf(run).map((pid) => `process ${pid}`), ...cgroupsOf(run), ...(existsSync(directory) ? [directory] : [])];
      return left.length === 0 || left.join(', ');
    });
    const added = [...(await surveyMachine())].filter((line) => !before.has(line));
    expect(added).toEqual([]);
    expect(mountsNaming(directory)).toEqual([]);
    await untilClientIsAnswered(node);
  });

  it('leaves nothing when a part of it does not start', async () => {
    const assets = await mkdtemp(join(tmpdir(), 'poimen-e2e-assets-'));
    const runs = () => new Set(readdirSync(tmpdir()).filter((name) => name.startsWith(runPrefix)));
    const before = runs();
    try {
      await writeFile(join(assets, 'kubelet'), '#!/bin/sh\necho no kubelet today\nexit 3\n');
      await chmod(join(assets, 'kubelet'), 0o755);
      process.env['KUBEBUILDER_ASSETS'] = assets;
      await expect(startRealNode()).rejects.toThrow(/kubelet ended before it was ready \(exit code 3\)[^]*no kubelet today/);
    } finally {
      delete process.env['KUBEBUILDER_ASSETS'];
      await rm(assets, { recursive: true });
    }
    const ours = [...runs()].filter((name) => !before.has(name) && ownerOf(join(tmpdir(), name)) === process.pid);
    expect(ours).toEqual([]);
  });
});

/** Others may start nodes on this machine meanwhile. */
function ownerOf(directory: string): number | null | undefined {
  try {
    return (JSON.parse(readFileSync(join(directory, 'owner.json'), 'utf8')) as Owner).pid;
  } catch {
    return undefined;
  }
}

/** In the mount namespace of any process. */
const mountsNaming = (directory: string): readonly string[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => readProcessFile(pid, 'mountinfo').split('\n'))
    .filter((line) => line.includes(directory));
