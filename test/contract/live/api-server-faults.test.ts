import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/system-clock.ts';
import type { Clock } from '../../../src/clock/clock.ts';
import { fieldManager, type Cluster } from '../../../src/cluster/cluster.ts';
import { ListWatch } from '../../../src/cluster/list-watch.ts';
import { Connection } from '../../../src/cluster/live/connection.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { resources, type Resource } from '../../../src/kubernetes/resource.ts';
import { createCertificate, type Certificate } from '../../cluster-client/live/certificate.ts';
import { temporaryFolder } from '../../cluster-client/live/connect.ts';
import { startTcpProxy } from '../../cluster-client/live/tcp-proxy.ts';
import { apiServices, downApiService } from './down-api-service.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { startOwnApiServer, type OwnApiServer } from './own-api-server.ts';
import { describeOnRealCluster } from './real-cluster.ts';

// What a real API server does to its clients. One of its own, on an IPv6 address: it is restarted, and its etcd compacted.

const written = { fieldManager };
const namespace = 'default';
const selection = { resource: resources.configMaps, namespace };

describeOnRealCluster('an API server that restarts, forgets, refuses and says goodbye', () => {
  let server: OwnApiServer;
  let admin: Cluster;
  const authority = createCertificate();
  const tokens = Object.fromEntries(['goaway', 'silent', 'zip', 'pages'].map((name) => [name, `${name},${name},"system:masters"`]));

  beforeAll(async () => {
    server = await startOwnApiServer(authority.certificate, {
      ...tokens,
      throttled: 'throttled,throttled,""', // system:masters are exempt
      'old-token': 'rotated,rotated,"system:masters"',
    });
    admin = await server.connect();
  });
  afterAll(() => server.stop());

  it('has an IPv6 address', async () => {
    expect(server.url).toMatch(/^https:\/\/\[::1\]:/);
    expect((await admin.get({ resource: resources.namespaces, name: namespace }))?.kind).toBe('Namespace');
  });

  it('is believed without its authority only when told to: --insecure-skip-tls-verify', async () => {
    const kubeconfig = await server.writeKubeconfig(
      { token: 'nobody' },
      { 'certificate-authority-data': Buffer.from(createCertificate().certificate).toString('base64') },
    );
    const careful = await server.connect({ kubeconfig });
    await expect(careful.discover('')).rejects.toThrow(/certificate/);
    const careless = await server.connect({ kubeconfig, insecureSkipTlsVerify: true });
    await expect(careless.discover('')).rejects.toMatchObject({ status: { code: 401 } });
  });

  it('says GOAWAY again and again: no request fails and no watch ends', async () => {
    const proxy = await startTcpProxy(server.port, '::1');
    const token = 'goaway';
    const kubeconfig = await server.writeKubeconfig({ token }, { server: proxy.url, 'tls-server-name': '::1' });
    const cluster = await server.connect({ kubeconfig });
    const troubles: string[] = [];
    const listWatch = await follow(cluster, (message) => troubles.push(message));
    for (let round = 0; round < 400; round++) await cluster.get({ resource: resources.namespaces, name: namespace });
    await admin.create(resources.configMaps, configMap('after-goaway'), written);
    await listWatch.until((names) => names.includes('after-goaway'));
    expect(proxy.connections()).toBeGreaterThan(2);
    expect(troubles).toEqual([]);
  });

  it('is restarted: a list-watch goes on and misses nothing, a read and a write that come meanwhile are answered', async () => {
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        resolve(); // before it is sent again
        return systemClock.after(delayMs, callback);
      },
    };
    const cluster = await server.connect({ clock });
    const listWatch = await follow(cluster);
    let meanwhile: Promise<readonly unknown[]> | undefined;
    await server.restart(async () => {
      meanwhile = Promise.all([
        cluster.get({ resource: resources.namespaces, name: namespace }),
        cluster.create(resources.configMaps, configMap('in-the-outage'), written),
      ]);
      await refused;
    });
    expect(await meanwhile).toMatchObject([{ kind: 'Namespace' }, { metadata: { name: 'in-the-outage' } }]);
    await admin.create(resources.configMaps, configMap('after-restart'), written);
    await listWatch.until((names) => ['in-the-outage', 'after-restart'].every((name) => names.includes(name)));
  });

  it('does not know an old token after its restart: the token file is read again, also by an open list-watch', async () => {
    const folder = await temporaryFolder();
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'old-token\n');
    const cluster = await server.connect({ kubeconfig: await server.writeKubeconfig({ tokenFile }) });
    const listWatch = await follow(cluster);
    await server.restart(async () => {
      await server.writeTokens({ ...tokens, throttled: 'throttled,throttled,""', 'new-token': 'rotated,rotated,"system:masters"' });
      await writeFile(tokenFile, 'new-token\n');
    });
    await cluster.create(resources.configMaps, configMap('after-rotation'), written);
    await listWatch.until((names) => names.includes('after-rotation'));
  });

  it('has forgotten a version after compaction: a watch from it ends in 410, a list-watch lists again', async () => {
    const { resourceVersion } = await admin.list(selection);
    await admin.create(resources.configMaps, configMap('before-compaction'), written);
    const { resourceVersion: later } = await admin.list(selection);
    await server.compact(later);
    await server.restart();
    const watching = admin.watch(selection, { resourceVersion, signal: new AbortController().signal })[Symbol.asyncIterator]().next();
    await expect(watching).rejects.toMatchObject({ status: { code: 410, reason: 'Expired' } });
  });

  it('has forgotten the version of a list between two of its pages: the list is right all the same', async () => {
    const names = Array.from({ length: 510 }, (_, index) => `page-${String(index).padStart(3, '0')}`);
    await Promise.all(names.map((name) => admin.create(resources.configMaps, configMap(name), written)));
    const statuses: number[] = [];
    const proxy = await startFaultProxy(server, async (exchange) => {
      if (exchange.url.searchParams.has('continue')) {
        await admin.create(resources.configMaps, configMap('between-the-pages'), written);
        const { resourceVersion } = await admin.list({ ...selection, fieldSelector: 'metadata.name=between-the-pages' });
        await server.compact(resourceVersion);
        await server.restart(); // it keeps what it has listed lately, whatever etcd forgets
      }
      const { code, body } = await exchange.forward();
      statuses.push(code);
      exchange.answer(code, body);
    });
    onTestFinished(() => proxy.close());
    const kubeconfig = await server.writeKubeconfig(
      { token: 'pages' },
      { server: proxy.url, 'certificate-authority-data': Buffer.from(proxy.certificateAuthority).toString('base64') },
    );
    const cluster = await server.connect({ kubeconfig, requestTimeoutMs: 60_000 });
    const { items } = await cluster.list(selection);
    expect(statuses).toEqual([200, 410, 200]);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining([...names, 'between-the-pages']));
  });

  it('has no room for this user: 429 with Retry-After is waited out', async () => {
    await admin.create(
      flowControl('prioritylevelconfigurations', 'PriorityLevelConfiguration'),
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'PriorityLevelConfiguration',
        metadata: { name: 'no-room' },
        spec: {
          type: 'Limited',
          limited: { nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } },
        },
      },
      written,
    );
    await admin.create(
      flowControl('flowschemas', 'FlowSchema'),
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        metadata: { name: 'throttled' },
        spec: {
          matchingPrecedence: 2,
          priorityLevelConfiguration: { name: 'no-room' },
          rules: [
            {
              subjects: [{ kind: 'User', user: { name: 'throttled' } }],
              nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
            },
          ],
        },
      },
      written,
    );
    const pauses: number[] = [];
    let isFreed = false;
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        pauses.push(delayMs);
        if (delayMs === 1_000 && !isFreed) {
          isFreed = true;
          void admin.delete({ resource: flowControl('flowschemas', 'FlowSchema'), name: 'throttled' });
        }
        return systemClock.after(delayMs, callback);
      },
    };
    const kubeconfig = await server.writeKubeconfig({ token: 'throttled' });
    const cluster = await server.connect({ kubeconfig, clock });
    await expect
      .poll(
        async () => {
          // a level without seats lets one through at a time
          await Promise.all(Array.from({ length: 50 }, () => cluster.discover('rbac.authorization.k8s.io')));
          return pauses; // until the server follows its new rule
        },
        { timeout: 20_000 },
      )
      .toContain(1_000);
  });

  it('serves a group whose backend is down: nobody concludes that there is none', async () => {
    await admin.create(apiServices, downApiService('down.example', 'v1'), written);
    const instant: Clock = { ...systemClock, after: (_delayMs, callback) => systemClock.after(0, callback) };
    const cluster = await server.connect({ clock: instant });
    await expect
      .poll(
        () =>
          cluster.discover('down.example').then(
            () => 'no answer',
            (error: unknown) => error,
          ),
        { timeout: 20_000 },
      )
      .toMatchObject({
        status: { code: 503 },
      });
    // other groups are none the worse for it
    expect(await cluster.discover('rbac.authorization.k8s.io')).not.toEqual([]);
    const widgets: Resource = { group: 'down.example', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
    await expect(cluster.list({ resource: widgets, namespace })).rejects.toMatchObject({ status: { code: 503 } });
  });

  it('goes silent in the middle of a watch, over a connection that is half open: the list-watch goes on over another', async () => {
    const proxy = await startTcpProxy(server.port, '::1');
    const kubeconfig = await server.writeKubeconfig({ token: 'silent' }, { server: proxy.url, 'tls-server-name': '::1' });
    const cluster = await server.connect({ kubeconfig, requestTimeoutMs: 1_500 });
    const listWatch = await follow(cluster);
    proxy.freeze();
    await admin.create(resources.configMaps, configMap('while-silent'), written);
    await listWatch.until((names) => names.includes('while-silent'));
  });

  it('expires client certificates in the middle: the next ones come from their files, or from a plugin', async () => {
    const expiresAt = Math.ceil(Date.now() / 1_000) * 1_000 + 5_000;
    const shortLived = createCertificate([127, 0, 0, 1], new Date(expiresAt), authority);
    const folder = await temporaryFolder();
    await store(folder, shortLived);
    const files = { 'client-certificate': join(folder, 'tls.crt'), 'client-key': join(folder, 'tls.key') };
    const users = [files, await certificatePlugin(folder), inline(shortLived)];
    const clusters = await Promise.all(users.map(async (user) => server.connect({ kubeconfig: await server.writeKubeconfig(user) })));
    const discover = () => Promise.allSettled(clusters.map((cluster) => cluster.discover('rbac.authorization.k8s.io')));
    expect((await discover()).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    await store(folder, createCertificate([127, 0, 0, 1], undefined, authority));
    await sleep(expiresAt + 1_100 - Date.now()); // the server goes by its own clock
    const ends = await discover();
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(ends[2]).toMatchObject({ reason: { status: { code: 401, reason: 'Unauthorized' } } });
  });

  const inline = ({ certificate, key }: Certificate): object => ({
    'client-certificate-data': Buffer.from(certificate).toString('base64'),
    'client-key-data': Buffer.from(key).toString('base64'),
  });

  it('compresses a long answer when asked to', async () => {
    const connection = new Connection({
      server: new URL(server.url),
      certificateAuthority: server.certificateAuthority,
      insecureSkipTlsVerify: false,
    });
    onTestFinished(() => connection.close());
    const response = await connection.send(
      {
        method: 'GET',
        path: '/openapi/v2',
        headers: { authorization: 'Bearer zip', accept: 'application/json', 'accept-encoding': 'gzip' },
        signal: new AbortController().signal,
      },
      undefined,
    );
    expect(response.headers['content-encoding']).toBe('gzip');
  });
});

const flowControl = (plural: string, kind: string): Resource => ({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced: false,
});

const configMap = (name: string): KubernetesObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });

const store = async (folder: string, { certificate, key }: Certificate): Promise<void> => {
  await writeFile(join(folder, 'tls.crt'), certificate);
  await writeFile(join(folder, 'tls.key'), key);
};

/** Prints the certificate in the folder. */
const certificatePlugin = async (folder: string): Promise<object> => {
  const command = join(folder, 'plugin');
  const asJson = (file: string): string => `$(sed 's/$/\\\\n/' "${join(folder, file)}" | tr -d '\\n')`;
  await writeFile(
    command,
    `#!/bin/sh
cat <<END
{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
 "status": {"clientCertificateData": "${asJson('tls.crt')}", "clientKeyData": "${asJson('tls.key')}"}}
END
`,
  );
  await chmod(command, 0o755);
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' } };
};

const follow = async (cluster: Cluster, trouble: (message: string) => void = () => undefined) => {
  let wake = (): void => undefined;
  const listWatch = new ListWatch({ cluster, clock: systemClock, selection, changed: () => wake(), trouble });
  onTestFinished(() => listWatch.stop());
  await listWatch.start();
  return {
    async until(isSo: (names: readonly string[]) => boolean): Promise<void> {
      while (!isSo([...listWatch.items.values()].map(({ metadata }) => metadata.name)))
        await new Promise<void>((resolve) => (wake = resolve));
    },
  };
};
