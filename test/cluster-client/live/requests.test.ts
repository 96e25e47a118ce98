import { describe, expect, it, onTestFinished } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import { ApiError, ConnectionError } from '../../../src/cluster/api-error.ts';
import { Connection } from '../../../src/cluster/live/connection.ts';
import { Credentials } from '../../../src/cluster/live/credentials.ts';
import { LiveCluster } from '../../../src/cluster/live/live-cluster.ts';
import { Requester } from '../../../src/cluster/live/requester.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { pod } from '../objects.ts';
import { connectTo } from './connect.ts';
import { gzipped, hang, json, reset, startFaultyServer, status, stream, text, type Protocol } from './faulty-server.ts';

const reference = { resource: resources.pods, namespace: 'llm-serving', name: 'a' };
const selection = { resource: resources.pods, namespace: 'llm-serving' };
const write = { fieldManager: 'poimen' };
const patch = { type: 'json', operations: [{ op: 'replace', path: '/spec/replicas', value: 0 }] } as const;
const found = json(200, pod('a', '7'));

describe.each<Protocol>(['HTTP/2', 'HTTP/1.1', 'plain HTTP'])('requests over %s', (protocol) => {
  it('gives the object as the server sent it, unknown fields included', async () => {
    const server = await startFaultyServer(protocol);
    const sent = { ...pod('a', '7'), spec: { fieldOfTheFuture: { _from: 1 } } };
    server.foresee(json(200, sent));
    const { cluster } = await connectTo(server);
    expect(await cluster.get(reference)).toEqual(sent);
    expect(server.seen[0]?.line).toBe('GET /api/v1/namespaces/llm-serving/pods/a');
    expect(server.seen[0]?.headers['authorization']).toBe('Bearer a-token');
  });

  it('loses none of many answers that arrive together', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(...Array.from({ length: 200 }, () => found));
    const { cluster } = await connectTo(server);
    const writes = Array.from({ length: 200 }, () => cluster.patch(reference, patch, write)); // reads would be tried again
    expect(await Promise.all(writes)).toHaveLength(200);
  });

  it('opens no connection once the cluster is closed, which would keep the process alive', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(found);
    const { cluster } = await connectTo(server);
    const asked = cluster.get(reference);
    await cluster.close();
    await expect(asked).rejects.toThrow(ConnectionError);
    expect(server.seen).toEqual([]);
  });

  it('has no object where there is none', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(status(404, 'NotFound'));
    const { cluster } = await connectTo(server);
    expect(await cluster.get(reference)).toBeUndefined();
  });

  it.each([403, 409, 422])('throws the reason and words of a %d, without a second try', async (code) => {
    const server = await startFaultyServer(protocol);
    server.foresee(status(code, 'Because', 'these words'));
    const { cluster } = await connectTo(server);
    await expect(cluster.get(reference)).rejects.toMatchObject({
      status: { code, reason: 'Because', message: 'these words' },
      request: { verb: 'get', resource: 'pods', namespace: 'llm-serving', name: 'a' },
    });
    expect(server.seen).toHaveLength(1);
  });

  it("keeps a proxy's words where the body is no Status", async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(text(407, '<html><body><h1>Proxy</h1> login needed</body></html>'));
    const { cluster } = await connectTo(server);
    await expect(cluster.get(reference)).rejects.toThrow('get pods a: HTTP 407: Proxy login needed');
  });

  it('does not take a page for an object', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(text(200, '<html>Log in here</html>'));
    const { cluster } = await connectTo(server);
    await expect(cluster.get(reference)).rejects.toThrow('get pods: the answer is no Kubernetes object: <html>Log in here</html>');
  });

  it.each([429, 500, 502, 503, 504])('reads again after %d', async (code) => {
    const server = await startFaultyServer(protocol);
    server.foresee(status(code, 'Passing'), found);
    const { cluster, clock } = await connectTo(server);
    expect((await cluster.get(reference))?.metadata.name).toBe('a');
    expect(clock.now()).toBe(100);
  });

  it('waits as long as Retry-After says', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(status(429, 'TooManyRequests', 'slow down', { 'retry-after': '3' }), found);
    const { cluster, clock } = await connectTo(server);
    await cluster.get(reference);
    expect(clock.now()).toBe(3_000);
  });

  it('gives up after six tries', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(...Array.from({ length: 7 }, () => status(503, 'ServiceUnavailable')));
    const { cluster } = await connectTo(server);
    await expect(cluster.get(reference)).rejects.toMatchObject({ status: { code: 503 } });
    expect(server.seen).toHaveLength(6);
  });

  it('reads again after a reset, and after an answer that was cut short', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(found, reset, stream(['{"kind": "Pod", '], 'reset'), found);
    const { cluster } = await connectTo(server);
    await cluster.get(reference);
    expect((await cluster.get(reference))?.metadata.name).toBe('a');
    expect(server.seen).toHaveLength(4);
  });

  it('says that no answer came within the deadline', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(hang, hang, found);
    const { cluster } = await connectTo(server, { requestTimeoutMs: 100 });
    await expect(cluster.get(reference)).rejects.toThrow('get pods: no answer within 0.1 s');
  });

  it('applies the deadline to the whole answer', async () => {
    const server = await startFaultyServer(protocol);
    const halfAnAnswer = stream(['{"kind": "Pod", '], 'hang');
    server.foresee(halfAnAnswer, halfAnAnswer, found);
    const { cluster } = await connectTo(server, { requestTimeoutMs: 100 });
    await expect(cluster.get(reference)).rejects.toThrow('no answer within 0.1 s');
    expect(server.seen).toHaveLength(2);
  });

  it('reads once more what a server that is there leaves unanswered', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(found, hang, found);
    const { cluster } = await connectTo(server, { requestTimeoutMs: 100 });
    await cluster.get(reference);
    expect((await cluster.get(reference))?.metadata.name).toBe('a');
  });

  it('leaves at once when the signal aborts', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(hang);
    const { cluster } = await connectTo(server);
    const controller = new AbortController();
    const get = cluster.get(reference, { signal: controller.signal });
    while (server.seen.length === 0) await new Promise(setImmediate);
    controller.abort(new Error('Ctrl-C'));
    await expect(get).rejects.toThrow('Ctrl-C');
  });

  describe('writes', () => {
    it('end with the reason of the signal, also in the middle of the answer', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(stream(['{"kind": "Pod", '], 'hang'));
      const { cluster } = await connectTo(server);
      const controller = new AbortController();
      const patching = cluster.patch(reference, patch, { ...write, signal: controller.signal });
      while (server.seen.length === 0) await new Promise(setImmediate);
      setTimeout(() => controller.abort(new Error('Ctrl-C')), 50); // the headers are in, the rest never comes
      await expect(patching).rejects.toThrow('Ctrl-C');
    });

    it('sends content type, field manager, strict validation and dry run', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(found, found);
      const { cluster } = await connectTo(server);
      await cluster.patch(reference, patch, { ...write, dryRun: true });
      await cluster.patch(reference, { type: 'merge', body: { a: 1 } }, { ...write, subresource: 'status' });
      expect(server.seen.map(({ line }) => line)).toEqual([
        'PATCH /api/v1/namespaces/llm-serving/pods/a?fieldManager=poimen&fieldValidation=Strict&dryRun=All',
        'PATCH /api/v1/namespaces/llm-serving/pods/a/status?fieldManager=poimen&fieldValidation=Strict',
      ]);
      expect(server.seen.map(({ headers }) => headers['content-type'])).toEqual([
        'application/json-patch+json',
        'application/merge-patch+json',
      ]);
      expect(server.seen[0]?.body).toBe(JSON.stringify(patch.operations));
    });

    it('sends the preconditions of a deletion', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(json(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' }));
      const { cluster } = await connectTo(server);
      await cluster.delete(reference, {
        preconditions: { uid: 'u1' },
        gracePeriodSeconds: 0,
        propagationPolicy: 'Foreground',
        dryRun: true,
      });
      expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u1' },
        propagationPolicy: 'Foreground',
        dryRun: ['All'],
      });
    });

    it.each([500, 502, 503, 504])('are not sent again after %d: nobody knows whether they took effect', async (code) => {
      const server = await startFaultyServer(protocol);
      server.foresee(status(code, 'Unclear'), found);
      const { cluster } = await connectTo(server);
      await expect(cluster.patch(reference, patch, write)).rejects.toBeInstanceOf(ApiError);
      expect(server.seen).toHaveLength(1);
    });

    it('are not sent again when the answer was lost', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(found, reset, found);
      const { cluster } = await connectTo(server);
      await cluster.get(reference);
      await expect(cluster.patch(reference, patch, write)).rejects.toBeInstanceOf(ConnectionError);
      expect(server.seen).toHaveLength(2);
    });

    it('are not sent again when no answer comes', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(found, hang, found);
      const { cluster } = await connectTo(server, { requestTimeoutMs: 100 });
      await cluster.get(reference);
      await expect(cluster.patch(reference, patch, write)).rejects.toThrow('patch pods: no answer within 0.1 s');
      expect(server.seen).toHaveLength(2);
    });

    it('that store nothing are sent again: a dry run, a question about access', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(found, reset, found, status(503, 'ServiceUnavailable'), found);
      const { cluster } = await connectTo(server);
      await cluster.patch(reference, patch, write);
      await cluster.patch(reference, patch, { ...write, dryRun: true });
      await cluster.create(resources.selfSubjectAccessReviews, pod('a', '7'), write);
      expect(server.seen).toHaveLength(5);
    });

    it('are sent again after 429, which comes before anything is processed', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(status(429, 'TooManyRequests'), found);
      const { cluster } = await connectTo(server);
      await cluster.patch(reference, patch, write);
      expect(server.seen).toHaveLength(2);
    });
  });

  describe('lists', () => {
    const page = (names: readonly string[], continueToken: string) =>
      json(200, {
        kind: 'PodList',
        metadata: { resourceVersion: '9', continue: continueToken },
        items: names.map((name) => ({ metadata: { name } })),
      });

    it('follows the pages, and says of each item what it is', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(page(['a'], 'next/+='), page(['b'], ''));
      const { cluster } = await connectTo(server);
      expect(await cluster.list({ ...selection, labelSelector: 'app in (x, y)' })).toEqual({
        items: [
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } },
          { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } },
        ],
        resourceVersion: '9',
      });
      expect(server.seen.map(({ line }) => line)).toEqual([
        'GET /api/v1/namespaces/llm-serving/pods?labelSelector=app%20in%20(x%2C%20y)&limit=500',
        'GET /api/v1/namespaces/llm-serving/pods?labelSelector=app%20in%20(x%2C%20y)&limit=500&continue=next%2F%2B%3D',
      ]);
    });

    it('keeps of each page what is asked for, before it asks for the next', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(page(['a', 'b'], 'next'), page(['c'], ''));
      const { cluster } = await connectTo(server);
      const asked: string[] = [];
      const { items } = await cluster.list(selection, {
        keep: ({ apiVersion, kind, metadata: { name } }) => {
          asked.push(`${name} after ${server.seen.length}`);
          return name === 'b' ? undefined : { apiVersion, kind, metadata: { name: `${name}, reduced` } };
        },
      });
      expect(asked).toEqual(['a after 1', 'b after 1', 'c after 2']);
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['a, reduced', 'c, reduced']);
    });

    it('starts again, all at once, when the version of the pages has expired', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(page(['a'], 'next'), status(410, 'Expired'), page(['a', 'b'], ''));
      const { cluster } = await connectTo(server);
      expect((await cluster.list(selection)).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
      expect(server.seen.at(-1)?.line).toBe('GET /api/v1/namespaces/llm-serving/pods');
    });
  });

  it('reads compressed answers where it asks for them, and again when one is cut short', async () => {
    const server = await startFaultyServer(protocol);
    server.foresee(gzipped(pod('a', '7'), 40), gzipped(pod('a', '7')), stream(['x'], 'end'));
    const endpoint = { server: new URL(server.url), certificateAuthority: server.certificateAuthority, insecureSkipTlsVerify: false };
    const user = { name: 'tester', entry: { name: 'tester' }, client: undefined, isRenewable: false, impersonation: undefined };
    const requester = new Requester({
      connection: new Connection(endpoint),
      credentials: new Credentials(user, undefined),
      clock: new VirtualClock(0),
      timeoutMs: 5_000,
      acceptsGzip: true,
    });
    onTestFinished(() => requester.close());
    const cluster = new LiveCluster({ identity: { kind: 'live', name: 'test', server: server.url }, requester });
    expect((await cluster.get(reference))?.metadata.name).toBe('a');
    await cluster
      .watch(selection, { resourceVersion: '5', signal: new AbortController().signal })
      .next()
      .catch(() => undefined);
    expect(server.seen.map(({ headers }) => headers['accept-encoding'])).toEqual(['gzip', 'gzip', undefined]); // a watch is not compressed
  });

  describe('discovery', () => {
    it('takes the preferred version of each resource, and no subresources', async () => {
      const server = await startFaultyServer(protocol);
      const kind = { kind: 'ScaledObject', namespaced: true };
      server.foresee(
        json(200, {
          kind: 'APIGroup',
          versions: [{ version: 'v2alpha1' }, { version: 'v1alpha1' }],
          preferredVersion: { version: 'v1alpha1' },
        }),
        json(200, {
          resources: [
            { name: 'scaledobjects', ...kind },
            { name: 'scaledobjects/status', ...kind },
          ],
        }),
        json(200, { resources: [{ name: 'scaledobjects', ...kind }] }),
      );
      const { cluster } = await connectTo(server);
      expect(await cluster.discover('keda.sh')).toEqual([{ group: 'keda.sh', version: 'v1alpha1', plural: 'scaledobjects', ...kind }]);
    });

    it('finds nothing in a group that is not there', async () => {
      const server = await startFaultyServer(protocol);
      server.foresee(text(404, '404 page not found'));
      const { cluster } = await connectTo(server);
      expect(await cluster.discover('keda.sh')).toEqual([]);
    });
  });
});
