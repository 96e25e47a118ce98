import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Credentials } from '../../../src/cluster/live/credentials.ts';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { Exec } from '../../../src/cluster/live/exec.ts';
import { readExecStatus } from '../../../src/cluster/live/exec-status.ts';
import { connectExec, execIn, outcomeOf } from '../../network/probe/connect-exec.ts';
import { startExecServer, type ExecServer } from '../../network/probe/exec-server.ts';
import { createCertificate } from './certificate.ts';
import { temporaryFolder } from './connect.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const sh = (script: string): readonly string[] => ['/bin/sh', '-c', script];

/** Until `condition` holds; each look waits for the turn of the event loop in which the server notices. */
const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])('a process in a container, over %s', (protocol) => {
  it('tells what it writes to either stream, and its exit code', async () => {
    const server = await startExecServer({ protocols: [protocol] });
    const session = await execIn(await connectExec(server), sh('echo out; echo err >&2; exit 7'));
    expect(await outcomeOf(session)).toEqual({ stdout: 'out\n', stderr: 'err\n', last: { type: 'exit', code: 7 } });
    expect(server.seen).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/namespaces/poimen/pods/memory-0/exec',
        command: sh('echo out; echo err >&2; exit 7'),
        container: 'server',
        stdin: false,
      },
    ]);
  });

  it('reads what it is sent, and ends when it is left', async () => {
    const server = await startExecServer({ protocols: [protocol] });
    const session = await execIn(await connectExec(server), sh('read line; echo "got $line"; exec cat >/dev/null'), { stdin: true });
    session.write('somethîng\n');
    for await (const event of session.events) {
      expect(event.type === 'stdout' && Buffer.from(event.data).toString()).toBe('got somethîng\n');
      session.close();
    }
    await until(() => server.open === 0);
  });
});

describe('a process in a container', () => {
  it('gives megabytes in full, in order', async () => {
    const server = await startExecServer();
    const session = await execIn(
      await connectExec(server),
      sh('i=0; while [ $i -lt 40000 ]; do echo "line $i ......................................"; i=$((i+1)); done'),
    );
    const { stdout, last } = await outcomeOf(session);
    expect(stdout.split('\n').every((line, index) => line === '' || line.startsWith(`line ${index} `))).toBe(true);
    expect(stdout.split('\n')).toHaveLength(40_001);
    expect(last).toEqual({ type: 'exit', code: 0 });
  });

  it('is held up when nobody reads what it writes', async () => {
    const server = await startExecServer();
    const session = await execIn(
      await connectExec(server),
      sh('while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done'),
    );
    await until(() => server.undeliveredBytes > 8_000_000); // would go on for ever if the client took everything
    session.close();
    await until(() => server.open === 0);
  });

  it('that is not there is told in the words of the container runtime', async () => {
    const server = await startExecServer();
    const { last } = await outcomeOf(await execIn(await connectExec(server), ['no-such-program']));
    expect(last).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('"no-such-program": executable file not found in $PATH'),
    });
  });

  it('whose container goes away breaks off instead of ending well', async () => {
    const server = await startExecServer();
    const session = await execIn(await connectExec(server), sh('echo started; sleep 60'));
    const reading = (async () => {
      for await (const event of session.events) if (event.type === 'stdout') server.breakOff();
    })();
    await expect(reading).rejects.toThrow('create pods/exec: the session broke off');
  });

  it('is left when the signal aborts', async () => {
    const server = await startExecServer();
    const abort = new AbortController();
    const session = await execIn(await connectExec(server), sh('echo started; sleep 60'), { signal: abort.signal });
    for await (const event of session.events) if (event.type === 'stdout') abort.abort();
    await until(() => server.open === 0);
  });

  it('is left when the cluster is closed', async () => {
    const server = await startExecServer();
    const cluster = await connectExec(server);
    const session = await execIn(cluster, sh('echo started; sleep 60'));
    for await (const event of session.events) if (event.type === 'stdout') await cluster.close();
    await until(() => server.open === 0);
  });
});

describe('a process that cannot be asked for', () => {
  const forbidden = {
    kind: 'refused',
    code: 403,
    reason: 'Forbidden',
    message: 'pods "memory-0" is forbidden: User "u" cannot create resource "pods/exec" in API group "" in the namespace "poimen"',
  } as const;

  it('is an error with the words of the server', async () => {
    const server = await startExecServer();
    server.foresee(forbidden);
    await expect(execIn(await connectExec(server), ['true'])).rejects.toMatchObject({
      name: 'ApiError',
      status: { code: 403, reason: 'Forbidden', message: forbidden.message },
      request: { verb: 'create', resource: 'pods/exec', name: 'memory-0', namespace: 'poimen' },
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is asked for again when the server is busy', async () => {
    const server = await startExecServer();
    server.foresee({ kind: 'refused', code: 429, reason: 'TooManyRequests', message: 'later', retryAfter: 0 });
    expect(await outcomeOf(await execIn(await connectExec(server), ['/bin/echo', 'x']))).toMatchObject({ stdout: 'x\n' });
    expect(server.seen).toHaveLength(2);
  });

  it('is not asked for twice when it may have been started', async () => {
    const server = await startExecServer();
    server.foresee({ kind: 'hungUp' });
    await expect(execIn(await connectExec(server), ['true'])).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(server.seen).toHaveLength(1);
  });

  it('is an error after the deadline of a request', async () => {
    const server = await startExecServer();
    server.foresee({ kind: 'unanswered' });
    await expect(execIn(await connectExec(server, { requestTimeoutMs: 50 }), ['true'])).rejects.toThrow('no answer within 0.05 s');
  });

  it('gives up at once when the signal aborts', async () => {
    const server = await startExecServer();
    server.foresee({ kind: 'unanswered' });
    const abort = new AbortController();
    const starting = execIn(await connectExec(server, { requestTimeoutMs: 0 }), ['true'], { signal: abort.signal });
    await until(() => server.seen.length === 1);
    abort.abort(new Error('enough'));
    await expect(starting).rejects.toThrow('enough');
  });

  it('is an error on a server that speaks neither subprotocol', async () => {
    const server = await startExecServer({ protocols: ['base64.channel.k8s.io'] });
    await expect(execIn(await connectExec(server), ['true'])).rejects.toThrow('Server sent no subprotocol');
  });
});

describe('a session on a connection that has died without a word', () => {
  it.each(['the server says nothing any more', 'no byte gets through'])('is noticed by a ping: %s', async (how) => {
    const server = await startExecServer();
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    if (how.startsWith('the server')) server.foresee({ kind: 'silent' });
    const exec = new Exec({
      endpoint: { server: new URL(proxy.url), insecureSkipTlsVerify: true },
      credentials: new Credentials(
        { name: 'u', entry: { name: 'u' }, client: undefined, isRenewable: false, impersonation: undefined },
        undefined,
      ),
      clock: systemClock,
      timeoutMs: 5_000,
      pingIntervalMs: 30,
    });
    const session = await exec.start({ namespace: 'poimen', pod: 'memory-0', container: 'server', command: ['/bin/sh'], stdin: true });
    if (how.startsWith('no byte')) proxy.freeze();
    await expect(outcomeOf(session)).rejects.toThrow('the server has not answered a ping for 0.03 s');
  });

  it('breaks off when the connection does', async () => {
    const server = await startExecServer();
    server.foresee({ kind: 'breaksOff' });
    const session = await execIn(await connectExec(server), ['/bin/sh'], { stdin: true });
    session.write('anything\n');
    await expect(outcomeOf(session)).rejects.toThrow('the session broke off');
  });
});

describe('exec is asked for like any other request', () => {
  const runs = async (server: ExecServer, options: Parameters<typeof connectExec>[1]) =>
    expect(await outcomeOf(await execIn(await connectExec(server, options), ['/bin/echo', 'here']))).toMatchObject({ stdout: 'here\n' });

  it('behind a path', async () => {
    const server = await startExecServer({ prefix: '/k8s/clusters/c-1' });
    await runs(server, {});
    expect(server.seen[0]?.path).toBe('/api/v1/namespaces/poimen/pods/memory-0/exec');
  });

  it('over plain HTTP', async () => {
    await runs(await startExecServer({ tls: false }), {});
  });

  it('at an IPv6 address', async () => {
    await runs(await startExecServer({ host: '::1' }), {});
    await runs(await startExecServer({ host: '::1', tls: false }), {});
  });

  it('with a token, and as somebody else', async () => {
    const server = await startExecServer();
    await runs(server, { as: 'jane', asGroups: ['ops', 'dev'] });
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer a-token',
      'impersonate-user': 'jane',
      'impersonate-group': 'ops, dev', // Node joins what came in two lines
    });
  });

  it('with a client certificate', async () => {
    const server = await startExecServer();
    const { certificate, key } = createCertificate();
    await runs(server, {
      credentials: {
        'client-certificate-data': Buffer.from(certificate).toString('base64'),
        'client-key-data': Buffer.from(key).toString('base64'),
      },
    });
    expect(server.seen[0]?.commonName).toBe('test server');
  });

  it('with a token of the plugin, and a new one when that has expired', async () => {
    const server = await startExecServer();
    const folder = await temporaryFolder();
    const command = join(folder, 'plugin');
    const credential =
      '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "token-\'$(wc -c < calls)\'"}}';
    await writeFile(command, `#!/bin/sh\ncd ${folder}; printf x >> calls; echo '${credential}'\n`);
    await chmod(command, 0o755);
    server.foresee({ kind: 'refused', code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    await runs(server, { credentials: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command } } });
    expect(server.seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('with a server whose certificate is another one only where that is allowed', async () => {
    const server = await startExecServer();
    const stranger = Buffer.from(createCertificate().certificate).toString('base64');
    await expect(runs(server, { cluster: { 'certificate-authority-data': stranger } })).rejects.toThrow('self-signed certificate');
    await runs(server, { insecureSkipTlsVerify: true });
    await expect(runs(server, { cluster: { 'tls-server-name': 'elsewhere.example' } })).rejects.toThrow('elsewhere.example');
  });

  it('through a proxy', async () => {
    const server = await startExecServer();
    const tunnels: (string | undefined)[] = [];
    const proxy = createServer().on('connect', (request, client) => {
      tunnels.push(request.url);
      const upstream = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
      client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    await runs(server, { cluster: { 'proxy-url': `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` } });
    expect(tunnels).toEqual([new URL(server.url).host]);
  });
});

describe('how a process ended', () => {
  it('is read from the Status of the last message', () => {
    const status = (fields: unknown): unknown => readExecStatus(JSON.stringify(fields));
    expect(status({ metadata: {}, status: 'Success' })).toEqual({ type: 'exit', code: 0 });
    expect(status({ status: 'Failure', reason: 'NonZeroExitCode', details: { causes: [{ reason: 'ExitCode', message: '126' }] } })).toEqual(
      { type: 'exit', code: 126 },
    );
  });

  it('is not known where the server does not say it', () => {
    const texts = [
      '',
      'container not running',
      '[]',
      '{"status":"Failure","reason":"NonZeroExitCode"}',
      '{"status":"Failure","message":"gone"}',
    ];
    expect(texts.map((text) => readExecStatus(text).type)).toEqual(texts.map(() => 'failed'));
    expect(readExecStatus('container not running\n')).toEqual({ type: 'failed', message: 'container not running' });
  });
});
