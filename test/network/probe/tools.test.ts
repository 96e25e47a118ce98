import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import type { ProbeAnswer, ProbeQuestion, Prober } from '../../../src/cluster/prober.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { createExecProber } from '../../../src/network/probe/exec-prober.ts';
import { connectExec } from './connect-exec.ts';
import { pathWith, type Program } from './container.ts';
import { startExecServer } from './exec-server.ts';
import { answering, closedPort, droppingPort, serve } from './servers.ts';

const client = { resource: resources.deployments, namespace: 'poimen', name: 'poimen-memory' };

/** What only the tools themselves can show: each is really run, against real servers on loopback. */
const proberIn = async (path: string, env: Readonly<Record<string, string>> = {}): Promise<Prober> => {
  const server = await startExecServer({ env: { PATH: path, ...env } });
  const cluster = await connectExec(server);
  return createExecProber({
    exec: cluster.exec ?? expect.fail('no exec'),
    clock: systemClock,
    findVantage: async () => ({ namespace: 'poimen', pod: 'memory-0', podUid: 'u1', container: 'server' }),
  });
};

interface Asked {
  readonly timeoutMs?: number;
  readonly port: number;
  readonly path?: string;
  readonly ip?: string;
}

/** Long, where an answer is expected: this machine may be busy. */
const question = ({ port, path, ip = '127.0.0.1', timeoutMs = 5_000 }: Asked): ProbeQuestion => ({
  client,
  target: { kind: 'pod', namespace: 'llm-serving', name: 'clef', uid: 'u2', ip, port },
  timeoutMs,
  ...(path === undefined ? {} : { path }),
});

const inWords = (answer: ProbeAnswer): string => {
  if (answer.kind !== 'answered') return `${answer.kind}: ${answer.detail}`;
  const { status, body = '', detail } = answer;
  if (status === undefined) return detail ?? 'connected';
  return `${status} ${body.length > 20 ? `and more than 20 characters` : JSON.stringify(body)}`;
};

const tools: readonly {
  readonly title: string;
  readonly name: string;
  readonly programs: readonly Program[];
  readonly renamed?: Readonly<Record<string, Program>>;
  readonly tcp: boolean;
  readonly ipv6?: boolean;
}[] = [
  { title: 'curl', name: 'curl', programs: ['sh', 'curl'], tcp: true },
  { title: 'bash, alone', name: 'bash (/dev/tcp)', programs: ['bash'], renamed: { sh: 'bash' }, tcp: true },
  { title: 'bash without sh', name: 'bash (/dev/tcp)', programs: ['bash'], tcp: true },
  { title: 'python', name: 'python3', programs: ['sh', 'python3'], tcp: true },
  { title: 'python without a shell', name: 'python3', programs: ['python3'], tcp: true },
  { title: 'node', name: 'node', programs: ['sh', 'node'], tcp: true },
  { title: 'node without a shell', name: 'node', programs: ['node'], tcp: true },
  { title: 'curl without a shell', name: 'curl', programs: ['curl'], tcp: true },
  { title: 'GNU wget', name: 'wget', programs: ['sh', 'sleep', 'wget'], tcp: false },
  { title: 'busybox wget', name: 'wget (busybox)', programs: ['sleep'], renamed: { sh: 'busybox', wget: 'busybox' }, tcp: false },
  { title: 'busybox nc', name: 'nc (busybox)', programs: ['sleep', 'true', 'sh'], renamed: { nc: 'busybox' }, tcp: true, ipv6: false },
  { title: 'OpenBSD nc', name: 'nc (openbsd)', programs: ['sh', 'sleep'], renamed: { nc: 'nc.openbsd' }, tcp: true },
  {
    title: 'traditional nc',
    name: 'nc (traditional)',
    programs: ['sh', 'sleep'],
    renamed: { nc: 'nc.traditional' },
    tcp: true,
    ipv6: false,
  },
  { title: 'ncat', name: 'ncat (ncat)', programs: ['sh', 'sleep', 'ncat'], tcp: true },
];

/** Not all let through what they cannot read. */
const notHttp: Readonly<Record<string, string>> = {
  curl: 'what came is not HTTP',
  'wget (busybox)': 'the connection was closed without an answer',
};

const head = (status: string, ...fields: readonly string[]): string => [`HTTP/1.1 ${status}`, ...fields, '', ''].join('\r\n');

describe.each(tools)('$title', { timeout: 30_000 }, ({ name, programs, renamed, tcp, ipv6 = true }) => {
  let prober: Prober;
  const ask = async (asked: Asked): Promise<string> => inWords(await prober.ask(question(asked)));

  beforeEach(async () => {
    prober = await proberIn(pathWith(programs, renamed));
  });

  it('is what is used', async () => {
    const means = await prober.means?.(client);
    expect(means).toMatchObject({ kind: 'able', pod: 'memory-0', container: 'server', http: name, ...(tcp ? { tcp: name } : {}) });
    expect(means?.kind === 'able' && means.tools.find((tool) => tool.name === name)?.version).toMatch(/^v?\d+(\.\d+)*/);
  });

  it('tells what an HTTP server answers', async () => {
    const path = '/x';
    const heard: string[] = [];
    const ports = {
      ok: await serve(answering(`${head('200 OK', 'Content-Length: 5')}hello`, { heard: (request) => heard.push(request) })),
      notFound: await serve(answering(head('404 Not Found', 'Content-Length: 0'))),
      moved: await serve(answering(head('302 Found', 'Location: http://127.0.0.1:1/', 'Content-Length: 0'))),
      unavailable: await serve(answering(`${head('503 Service Unavailable')}busy`)),
      chunked: await serve(answering(`${head('200 OK', 'Transfer-Encoding: chunked')}5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`)),
      keepsOpen: await serve(answering(`${head('200 OK', 'Content-Length: 5')}hello`, { goesOn: true })),
    };
    const answers = Object.fromEntries(
      await Promise.all(Object.entries(ports).map(async ([key, port]) => [key, await ask({ port, path })] as const)),
    );
    const tellsBodyOfErrors = name !== 'wget (busybox)';
    expect(answers).toEqual({
      ok: '200 "hello"',
      notFound: '404 ""',
      moved: '302 ""',
      unavailable: `503 ${tellsBodyOfErrors ? '"busy"' : '""'}`,
      chunked: '200 "hello world"',
      keepsOpen: '200 "hello"',
    });
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatch(/^GET \/x HTTP\/1\.1\r\n/);
    expect(heard[0]).toMatch(/^connection: close\r$/im);
    expect(heard[0]).toMatch(new RegExp(`^host: 127\\.0\\.0\\.1:${ports.ok}\r$`, 'im'));
  });

  it('tells what else may come of it', async () => {
    const path = '/x';
    const endless = `${head('200 OK')}${'y'.repeat(10_000)}`;
    const ports = {
      closed: await closedPort(),
      dropping: await droppingPort(),
      silent: await serve(() => undefined),
      hangsUp: await serve((socket) => socket.once('data', () => socket.end())),
      notHttp: await serve((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
      endless: await serve((socket) => {
        const flood = (): void => {
          while (socket.writable && socket.write(endless));
        };
        socket.on('drain', flood).once('data', flood);
      }),
    };
    const answers = Object.fromEntries(
      await Promise.all(
        Object.entries(ports).map(
          async ([key, port]) =>
            [key, await ask({ port, path, ...(key === 'dropping' || key === 'silent' ? { timeoutMs: 2_000 } : {}) })] as const,
        ),
      ),
    );
    const tellsConnecting = !name.includes('busybox');
    expect(answers).toEqual({
      closed: 'refused: connection refused',
      dropping: expect.stringMatching(
        tellsConnecting ? /^timeout: no connection within 2000 ms$/ : /^timeout: no (connection|answer) within 2000 ms$/,
      ),
      silent: `timeout: ${tellsConnecting ? 'connected, but no answer' : 'no answer'} within 2000 ms`,
      // ncat goes on waiting for what it could still send
      hangsUp: name.startsWith('ncat') ? 'timeout: connected, but no answer within 5000 ms' : 'the connection was closed without an answer',
      notHttp: notHttp[name] ?? 'what came is not HTTP: SSH-2.0-OpenSSH_9.2',
      endless: '200 and more than 20 characters',
    });
  });

  it('finds no address for a name that does not exist', async () => {
    expect(await ask({ port: 80, path: '/x', ip: 'no-such-name.invalid' })).toMatch(/^unresolved: /);
  });

  it.runIf(tcp)('makes a bare connection, without a word', async () => {
    let heard = 0;
    const open = await serve((socket) => socket.on('data', (data: Buffer) => (heard += data.length)));
    const [connected, refused, dropped] = await Promise.all([
      ask({ port: open }),
      closedPort().then((port) => ask({ port })),
      droppingPort().then((port) => ask({ port, timeoutMs: 2_000 })),
    ]);
    expect([connected, refused, dropped, heard]).toEqual([
      'connected',
      'refused: connection refused',
      // busybox's ends when its time is up without a word
      `timeout: no ${name.includes('busybox') ? 'answer' : 'connection'} within 2000 ms`,
      0,
    ]);
  });

  it.runIf(ipv6)('reaches an IPv6 address', async () => {
    const port = await serve(answering(head('204 No Content')), '::1');
    expect(await ask({ port, path: '/x', ip: '::1' })).toBe('204 ""');
  });
});
