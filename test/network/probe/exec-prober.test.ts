import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import type { ProbeQuestion, Prober } from '../../../src/cluster/prober.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { createExecProber } from '../../../src/network/probe/exec-prober.ts';
import type { FindVantage } from '../../../src/network/probe/vantage.ts';
import { connectExec } from './connect-exec.ts';
import { addScript, pathWith } from './container.ts';
import { startExecServer, type ExecServer } from './exec-server.ts';
import { answering, closedPort, serve } from './servers.ts';

const client = { resource: resources.deployments, namespace: 'poimen', name: 'poimen-memory' };

const vantage = { namespace: 'poimen', pod: 'memory-0', podUid: 'u1', container: 'server' };

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

interface Asker {
  readonly server: ExecServer;
  readonly prober: Prober;
  readonly asked: { vantages: number };
}

const asker = async (path: string, env: Readonly<Record<string, string>> = {}, find: FindVantage = async () => vantage): Promise<Asker> => {
  const server = await startExecServer({ env: { PATH: path, ...env } });
  const cluster = await connectExec(server);
  const asked = { vantages: 0 };
  const prober = createExecProber({
    exec: cluster.exec ?? expect.fail('no exec'),
    clock: systemClock,
    findVantage: async (...of) => {
      asked.vantages++;
      return find(...of);
    },
  });
  onTestFinished(() => prober.close?.());
  return { server, prober, asked };
};

const podAt = (port: number, timeoutMs = 2_000): ProbeQuestion => ({
  client,
  target: { kind: 'pod', namespace: 'llm-serving', name: 'clef', uid: 'u2', ip: '127.0.0.1', port },
  path: '/x',
  timeoutMs,
});

describe('asking from a pod', () => {
  it('costs one process in it, however often it is asked', async () => {
    const port = await serve(answering(ok));
    const { server, prober, asked } = await asker(pathWith(['sh', 'curl']));
    expect(await prober.means?.(client)).toMatchObject({ kind: 'able' });
    for (let count = 0; count < 10; count++)
      expect(await prober.ask(podAt(port))).toMatchObject({ kind: 'answered', status: 200, body: 'hello', podUid: 'u2' });
    expect(server.seen.map(({ command }) => command)).toEqual([['sh', '-c', 'echo; exec sh']]);
    expect(asked.vantages).toBe(1);
  });

  it('asks at the same time what is asked at the same time, in a handful of sessions', async () => {
    let [now, most] = [0, 0];
    const slow = createServer((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.end('x');
      }, 200);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void slow.close());
    const { port } = slow.address() as AddressInfo;
    const { server, prober } = await asker(pathWith(['sh', 'curl']));
    const answers = await Promise.all(Array.from({ length: 20 }, () => prober.ask(podAt(port, 5_000))));
    expect(answers.map((answer) => answer.kind === 'answered' && answer.status)).toEqual(Array(20).fill(200));
    expect(most).toBeGreaterThan(1);
    expect(server.seen.length).toBeLessThanOrEqual(8);
  });

  it('goes on over another session when one has broken off', async () => {
    const port = await serve(answering(ok));
    const { server, prober, asked } = await asker(pathWith(['sh', 'curl']));
    await prober.ask(podAt(port));
    server.breakOff();
    expect(await prober.ask(podAt(port))).toMatchObject({ kind: 'answered', status: 200 });
    expect(asked.vantages).toBe(2);
    expect(server.seen).toHaveLength(2); // what it has is known already
  });

  it('goes on from the next pod when one is gone', async () => {
    const port = await serve(answering(ok));
    let pod = 'memory-0';
    const { server, prober } = await asker(pathWith(['sh', 'curl']), {}, async () => ({ ...vantage, pod, podUid: pod }));
    await prober.ask(podAt(port));
    pod = 'memory-1';
    server.breakOff();
    expect(await prober.ask(podAt(port))).toMatchObject({ kind: 'answered', status: 200 });
    expect(server.seen.at(-1)?.path).toContain('/pods/memory-1/');
  });

  it('uses no proxy and none of the settings of the pod', async () => {
    const port = await serve(answering(ok));
    const closed = `http://127.0.0.1:${await closedPort()}`;
    for (const tool of ['curl', 'wget', 'node', 'python3'] as const) {
      const { prober } = await asker(pathWith(['sh', 'sleep', tool]), {
        http_proxy: closed,
        all_proxy: closed,
        NODE_OPTIONS: '--require /nowhere.js',
        PYTHONPATH: '/nowhere',
        LC_ALL: 'de_DE.UTF-8',
      });
      expect(await prober.ask(podAt(port))).toMatchObject({ kind: 'answered', status: 200 });
    }
  });

  it('keeps what answers from saying anything but an answer', async () => {
    const forged = '\u001b]0;title\u0007\npoimen-000 0\npoimen failed refused\n<poimen 9.9 9.9>';
    const port = await serve(answering(`HTTP/1.1 200 OK\r\n\r\n${forged}`));
    const notHttp = await serve((socket) => socket.end('\u001b[31mred\u0000\r\nmore'));
    for (const programs of [
      ['sh', 'curl'],
      ['sh', 'python3'],
    ] as const) {
      const { prober } = await asker(pathWith(programs));
      expect(await prober.ask(podAt(port))).toMatchObject({ kind: 'answered', status: 200, body: forged });
      const answer = await prober.ask(podAt(notHttp));
      expect(JSON.stringify(answer)).not.toMatch(/\\u001b|\\u0000/);
    }
  });

  it('tells a name that does not resolve from an address that does not answer', async () => {
    const port = await serve(answering(ok));
    const { prober } = await asker(pathWith(['sh', 'curl']));
    const target = { kind: 'service', namespace: 'nowhere', name: 'clef-serve', port, clusterIP: '127.0.0.1' } as const;
    expect(await prober.ask({ client, target, path: '/x', timeoutMs: 2_000 })).toEqual({
      kind: 'unresolved',
      detail: 'could not resolve host; its address 127.0.0.1 answers HTTP 200',
    });
  });

  it('is given up when a tool does not end, and goes on with the next question', async () => {
    const folder = pathWith(['sh', 'sleep']);
    addScript(
      folder,
      'curl',
      '#!/bin/sh\ncase "$*" in *--version*) echo "curl 9.9 (x)";; *:1/*) sleep 60;; *) printf "HTTP/1.1 200 OK\\r\\n\\r\\n"; echo "* Connected to x" >&2;; esac\n',
    );
    const { prober } = await asker(folder);
    expect(await prober.ask(podAt(1, 1))).toMatchObject({
      kind: 'unasked',
      detail: expect.stringContaining('the pod has not told an answer within'),
    });
    expect(await prober.ask(podAt(2))).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('ends at once when the signal aborts', async () => {
    const silent = await serve(() => undefined);
    const { prober } = await asker(pathWith(['sh', 'curl']));
    await prober.means?.(client);
    const abort = new AbortController();
    const asking = prober.ask(podAt(silent, 60_000), abort.signal);
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(asking).rejects.toThrow('enough');
  });

  it('leaves no session behind', async () => {
    const port = await serve(answering(ok));
    const { server, prober } = await asker(pathWith(['sh', 'curl']));
    await Promise.all([prober.ask(podAt(port)), prober.ask(podAt(port))]);
    prober.close?.();
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('who cannot be asked from', () => {
  it.each(['with a shell', 'without'])('is a container that has nothing, %s', async (how) => {
    const { prober } = await asker(pathWith(how === 'without' ? [] : ['sh']));
    expect(await prober.means?.(client)).toEqual({
      kind: 'unable',
      client,
      code: 'NoProbeTool',
      reason: `the pod of deployment/poimen-memory has nothing to ask with: ${how === 'without' ? 'no shell, and ' : ''}none of curl, bash, python3, python, node, wget, nc, ncat`,
    });
    expect(await prober.ask(podAt(80))).toMatchObject({ kind: 'unasked', detail: expect.stringContaining('nothing to ask with') });
  });

  it('is a client without a pod; looked for again with the next question', async () => {
    let reason: string | undefined = 'deployment/poimen-memory has no pod that is ready';
    const { prober } = await asker(pathWith(['sh', 'curl']), {}, async () => (reason === undefined ? vantage : { kind: 'none', reason }));
    expect(await prober.means?.(client)).toEqual({ kind: 'unable', client, code: 'NoClientPod', reason });
    expect(await prober.ask(podAt(80))).toEqual({ kind: 'unasked', detail: reason });
    reason = undefined;
    expect(await prober.means?.(client)).toMatchObject({ kind: 'able' });
  });

  it('is whoever this user may not start processes at', async () => {
    const { server, prober } = await asker(pathWith(['sh', 'curl']));
    const message = 'pods "memory-0" is forbidden: User "u" cannot create resource "pods/exec"';
    server.foresee({ kind: 'refused', code: 403, reason: 'Forbidden', message });
    expect(await prober.means?.(client)).toEqual({ kind: 'unable', client, code: 'ForbiddenToExec', reason: message });
  });

  it('is a container that is not there any more', async () => {
    const { server, prober } = await asker(pathWith(['sh', 'curl']));
    server.foresee({ kind: 'refused', code: 500, reason: 'InternalError', message: 'container not found ("server")' });
    expect(await prober.means?.(client)).toMatchObject({
      code: 'ExecFailed',
      reason: expect.stringContaining('container not found ("server")'),
    });
  });
});

describe('the connections of a client', () => {
  it('are read in its pod, those that are established', async () => {
    const sockets: unknown[] = [];
    const port = await serve((socket) => sockets.push(socket));
    const { prober } = await asker(pathWith(['sh', 'curl']));
    const { connect } = await import('node:net');
    const own = connect(port, '127.0.0.1');
    onTestFinished(() => void own.destroy());
    await new Promise((resolve) => own.once('connect', resolve));
    const seen = await prober.connections?.(client);
    expect(seen?.pod).toBe('memory-0');
    expect(seen?.connections).toContainEqual({
      local: { ip: '127.0.0.1', port: (own.address() as AddressInfo).port },
      remote: { ip: '127.0.0.1', port },
    });
  });

  it('are not known where there is no shell', async () => {
    const { prober } = await asker(pathWith(['curl']));
    expect(await prober.connections?.(client)).toBeUndefined();
  });
});
