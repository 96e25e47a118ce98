import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startControlPlane } from './control-plane.ts';

describe('a control plane for tests', () => {
  let scratch: string;

  beforeEach(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'poimen-control-plane-test-'));
  });

  afterEach(() => rm(scratch, { recursive: true }));

  it('two at once do not know of each other, and neither leaves a process or a folder behind', async () => {
    const both = await Promise.all([startControlPlane(), startControlPlane()]);
    const [one, other] = both;
    expect((await one.request('POST', '/api/v1/namespaces', { metadata: { name: 'only-here' } })).status).toBe(201);
    expect((await other.request('GET', '/api/v1/namespaces/only-here')).status).toBe(404);

    await Promise.all(both.map((cluster) => cluster.stop()));
    for (const { dataDirectory } of both) {
      expect(existsSync(dataDirectory)).toBe(false);
      expect(await processesNaming(dataDirectory)).toEqual([]);
    }
  });

  it('knows the users it is given, allows them nothing, and writes every request to the audit log', async () => {
    const auditLog = join(scratch, 'audit.log');
    const cluster = await startControlPlane({ users: [{ name: 'ada', groups: ['readers', 'writers'] }], auditLog });
    try {
      const answer = await fetchAs(cluster.users['ada']?.kubeconfig, cluster.kubectl);
      expect(answer).toContain('User "ada" cannot list resource "pods"');
      const events = (await readFile(auditLog, 'utf8'))
        .trimEnd()
        .split('\n')
        .map(
          (line) =>
            JSON.parse(line) as {
              stage: string;
              user: { username: string; groups: string[] };
              requestURI: string;
              responseStatus?: { code: number };
            },
        );
      const hers = events.filter(
        ({ user, requestURI }) => user.username === 'ada' && requestURI.startsWith('/api/v1/namespaces/default/pods'),
      );
      expect(hers.map(({ stage, responseStatus }) => [stage, responseStatus?.code])).toEqual([
        ['RequestReceived', undefined],
        ['ResponseComplete', 403],
      ]);
      expect(hers[0]?.user.groups).toEqual(['readers', 'writers', 'system:authenticated']);
    } finally {
      await cluster.stop();
    }
  });

  it('goes with whoever started it, also when that one is killed', async () => {
    const up = spawn(process.execPath, [join(import.meta.dirname, 'up.ts')], { stdio: ['ignore', 'pipe', 'ignore'] });
    const lines = createInterface({ input: up.stdout });
    const [line] = (await once(lines, 'line')) as [string];
    const dataDirectory = dirname(line.replace('export KUBECONFIG=', ''));
    expect((await processesNaming(dataDirectory)).length).toBeGreaterThan(4);

    up.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(dataDirectory)).toBe(false), { timeout: 15_000, interval: 100 });
    expect(await processesNaming(dataDirectory)).toEqual([]);
  });

  it('says which process died, and its last words', async () => {
    await expect(startControlPlane({ auditLog: scratch })).rejects.toThrow(
      /^kube-apiserver ended before it was ready \(exit code 1\)\. Its last lines:\n[^]*is a directory/,
    );
  });
});

async function fetchAs(kubeconfig: string | undefined, kubectl: string): Promise<string> {
  const child = spawn(kubectl, [`--kubeconfig=${kubeconfig}`, 'get', 'pods'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
}

/** Command lines of the running processes that name the folder; on systems without /proc none are seen. */
async function processesNaming(folder: string): Promise<readonly string[]> {
  if (!existsSync('/proc/self/cmdline')) return [];
  const entries = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const commandLines = await Promise.all(entries.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return commandLines.filter((commandLine) => commandLine.includes(folder));
}
