import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { ConnectionError } from '../../../src/cluster/api-error.ts';
import type { WatchEvent } from '../../../src/cluster/cluster.ts';
import { ListWatch } from '../../../src/cluster/list-watch.ts';
import { Connection } from '../../../src/cluster/live/connection.ts';
import { Credentials } from '../../../src/cluster/live/credentials.ts';
import { LiveCluster } from '../../../src/cluster/live/live-cluster.ts';
import { Requester } from '../../../src/cluster/live/requester.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { pod } from '../objects.ts';
import { connectTo } from './connect.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { hang, json, startFaultyServer, status, stream, type FaultyServer, type Protocol } from './faulty-server.ts';

const selection = { resource: resources.pods, namespace: 'llm-serving', fieldSelector: 'metadata.name=a' };
const event = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;
const never = new AbortController().signal;

const watchAll = async (server: FaultyServer, signal = never): Promise<readonly WatchEvent[]> => {
  const { cluster } = await connectTo(server);
  return await collect(cluster.watch(selection, { resourceVersion: '5', signal }));
};

const collect = async (events: AsyncIterable<WatchEvent>): Promise<readonly WatchEvent[]> => {
  const collected: WatchEvent[] = [];
  for await (const each of events) collected.push(each);
  return collected;
};

describe.each<Protocol>(['HTTP/2', 'HTTP/1.1', 'plain HTTP'])('watches over %s', (protocol) => {
  it('asks for bookmarks and an end in time', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(stream([event('ADDED', pod('a', '6')), event('BOOKMARK', { metadata: { resourceVersion: '9' } })], 'end'));
    expect(await watchAll(server)).toEqual([
      { type: 'ADDED', object: pod('a', '6') },
      { type: 'BOOKMARK', resourceVersion: '9' },
    ]);
    expect(server.seen[0]?.line).toBe(
      'GET /api/v1/namespaces/llm-serving/pods?fieldSelector=metadata.name%3Da&watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=45',
    );
  });

  it('reads characters and lines that are cut anywhere', async () => {
    const object = { ...pod('a', '6'), note: 'Grüße, 牧羊人 🐑' };
    const bytes = Buffer.from(event('ADDED', object) + event('MODIFIED', object));
    const server = await startFaultyServer(protocol);
    server.foresee(
      stream(
        [...bytes].map((byte) => Uint8Array.of(byte)),
        'end',
      ),
    );
    expect(await watchAll(server)).toEqual([
      { type: 'ADDED', object },
      { type: 'MODIFIED', object },
    ]);
  });

  it.each([
    ['a status', status(410, 'Expired', 'too old resource version')],
    [
      'an ERROR event',
      stream([event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' })], 'end'),
    ],
  ])('ends in 410, sent as %s', async (_, answer) => {
    const server = await startFaultyServer(protocol);
    server.foresee(answer);
    await expect(watchAll(server)).rejects.toMatchObject({ status: { code: 410, reason: 'Expired', message: 'too old resource version' } });
  });

  it('does not take half an event for one', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(stream(['{"type": "ADDED", "obj'], 'end'));
    await expect(watchAll(server)).rejects.toThrow('watch pods: the watch broke off in the middle of an event');
  });

  it('says that the connection broke, also between two events', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(stream([event('ADDED', pod('a', '6'))], 'reset'));
    await expect(watchAll(server)).rejects.toThrow('watch pods: the watch broke off');
  });

  it('ends when the signal aborts, though the server says nothing', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(stream([event('ADDED', pod('a', '6'))], 'hang'));
    const { cluster } = await connectTo(server);
    const controller = new AbortController();
    const seen: string[] = [];
    for await (const { type } of cluster.watch(selection, { resourceVersion: '5', signal: controller.signal })) {
      seen.push(type);
      setImmediate(() => controller.abort());
    }
    expect(seen).toEqual(['ADDED']);
  });

  it('ends when the signal aborts before there is an answer', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(hang);
    const controller = new AbortController();
    const watching = watchAll(server, controller.signal);
    while (server.seen.length === 0) await new Promise(setImmediate);
    controller.abort();
    expect(await watching).toEqual([]);
  });

  it('finds out that a watch has gone silent', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(stream([event('ADDED', pod('a', '6'))], 'hang'));
    const { requester } = connectBare(server);
    const cluster = new LiveCluster({
      identity: { kind: 'live', name: 'test', server: server.url },
      requester,
      watchSeconds: 0.1,
      watchGraceMs: 50,
    });
    const watching = collect(cluster.watch(selection, { resourceVersion: '5', signal: never }));
    await expect(watching).rejects.toThrow(
      new ConnectionError(
        { verb: 'watch', resource: 'pods', namespace: 'llm-serving' },
        'the watch went silent: it was to end after 0.1 s',
      ),
    );
  });

  it('keeps a selection up to date through every fault in turn', async () => {
    const server = await startFaultyServer(protocol);
    const list = (version: string, ...items: readonly unknown[]) =>
      json(200, { kind: 'PodList', metadata: { resourceVersion: version }, items });
    server.foresee(
      list('5', pod('a', '3')),
      stream([event('MODIFIED', pod('a', '6'))], 'reset'),
      status(500, 'InternalError'),
      stream([event('ADDED', pod('b', '7')), event('BOOKMARK', { metadata: { resourceVersion: '8' } })], 'end'),
      status(429, 'TooManyRequests'),
      stream([event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' })], 'end'),
      status(504, 'Timeout'),
      list('20', pod('b', '12')),
      stream([event('DELETED', pod('b', '21')), event('ADDED', pod('c', '22'))], 'hang'),
    );
    const { cluster, clock } = await connectTo(server);
    const changes: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const listWatch = new ListWatch({
        cluster,
        clock,
        selection,
        changed: (change) => {
          changes.push('object' in change ? `${change.type} ${change.object.metadata.name}` : change.type);
          if (changes.at(-1) === 'ADDED c') resolve();
        },
      });
      onTestFinished(() => listWatch.stop());
      listWatch.start().catch(reject);
    });
    expect(changes).toEqual(['ADDED a', 'LISTED', 'MODIFIED a', 'ADDED b', 'MODIFIED b', 'DELETED a', 'LISTED', 'DELETED b', 'ADDED c']);
  });
});

it('finds out within two ping intervals that a connection is dead, though nobody closed it', async () => {
  const server = await startFaultyServer('HTTP/2');
  const proxy = await startTcpProxy(Number(new URL(server.url).port));
  server.foresee(stream([event('ADDED', pod('a', '6'))], 'hang'));
  const { requester } = connectBare({ ...server, url: proxy.url }, 100);
  const cluster = new LiveCluster({ identity: { kind: 'live', name: 'test', server: server.url }, requester });
  const watching = (async () => {
    for await (const { type } of cluster.watch(selection, { resourceVersion: '5', signal: never })) if (type === 'ADDED') proxy.freeze();
  })();
  await expect(watching).rejects.toThrow('watch pods: the watch broke off');
});

const connectBare = (server: FaultyServer, pingIntervalMs?: number): { readonly requester: Requester } => {
  const connection = new Connection(
    { server: new URL(server.url), certificateAuthority: server.certificateAuthority, insecureSkipTlsVerify: false },
    pingIntervalMs,
  );
  const credentials = new Credentials(
    { name: 'tester', entry: { name: 'tester' }, client: undefined, isRenewable: false, impersonation: undefined },
    undefined,
  );
  const requester = new Requester({ connection, credentials, clock: systemClock, timeoutMs: 5_000 });
  onTestFinished(() => requester.close());
  return { requester };
};
