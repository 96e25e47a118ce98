import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fieldManager, type Cluster } from '../../src/cluster/cluster.ts';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { openTwin, type Twin } from '../../src/twin/open-twin.ts';
import { stateDirectoryOf } from '../../src/twin/state/state-directory.ts';
import { temporaryFolder } from './temporary-folder.ts';

const written = { fieldManager };

const node = `
apiVersion: v1
kind: Node
metadata: {name: worker-1}
status: {allocatable: {cpu: '8', memory: 16Gi, pods: '10'}}
`;

const deployment = (replicas: number): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: server, namespace: models}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: server}}
  template:
    metadata: {labels: {app: server}, annotations: {twin.poimen.dev/start: 4m}}
    spec: {containers: [{name: main, image: 'registry.example/server:1'}]}
`;

const service = `
apiVersion: v1
kind: Service
metadata: {name: server, namespace: models}
spec: {selector: {app: server}, ports: [{port: 80, targetPort: 8080}]}
`;

/** A folder of manifests and an empty state folder beside it. */
const folders = (
  manifests: Readonly<Record<string, string>> = { 'node.yaml': node, 'server.yaml': deployment(1), 'service.yaml': service },
): { readonly folder: string; readonly stateFolder: string } => {
  const root = temporaryFolder();
  const folder = join(root, 'manifests');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(manifests)) writeFileSync(join(folder, name), text);
  return { folder, stateFolder: join(root, 'state') };
};

const server = { resource: resources.deployments, namespace: 'models', name: 'server' };
const pods = { resource: resources.pods, namespace: 'models' };

const scale = (cluster: Cluster, replicas: number): Promise<KubernetesObject> =>
  cluster.patch(server, { type: 'json', operations: [{ op: 'replace', path: '/spec/replicas', value: replicas }] }, written);

const passes = ({ clock }: Twin, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

test('it begins with everything up that the manifests ask for', async () => {
  const twin = await openTwin(folders());
  expect(await twin.cluster.get(server)).toMatchObject({ status: { readyReplicas: 1, availableReplicas: 1 } });
  const { items } = await twin.cluster.list({ resource: resources.endpointSlices, namespace: 'models' });
  expect(items).toMatchObject([{ endpoints: [{ conditions: { ready: true } }] }]);
  await twin.close();
});

test('the same manifests give the same cluster, names, UIDs and times included', async () => {
  const [one, other] = [await openTwin(folders()), await openTwin(folders())];
  for (const resource of [resources.pods, resources.services, resources.deployments, resources.endpointSlices]) {
    expect((await one.cluster.list({ resource })).items).toEqual((await other.cluster.list({ resource })).items);
  }
  await Promise.all([scale(one.cluster, 0), scale(other.cluster, 0)]);
  await Promise.all([passes(one, 60_000), passes(other, 60_000)]);
  expect(await one.cluster.get(server)).toEqual(await other.cluster.get(server));
  await Promise.all([one.close(), other.close()]);
});

test('it goes on where it was left: objects, versions, addresses and time', async () => {
  const places = folders();
  const first = await openTwin(places);
  const address = await first.cluster.get({ resource: resources.services, namespace: 'models', name: 'server' });
  await scale(first.cluster, 0);
  await passes(first, 60_000);
  expect((await first.cluster.list(pods)).items).toEqual([]);
  const before = await first.cluster.get(server);
  const now = first.clock.now();
  await first.close();

  const second = await openTwin(places);
  expect(await second.cluster.get(server)).toEqual(before);
  expect(second.clock.now()).toBe(now);
  expect(await second.cluster.get({ resource: resources.services, namespace: 'models', name: 'server' })).toEqual(address);
  await passes(second, 60_000);
  expect((await second.cluster.list(pods)).items).toEqual([]);
  await second.close();
});

test('what was under way when it was closed goes on: a pod that was starting becomes ready at its time', async () => {
  const places = folders({ 'node.yaml': node, 'server.yaml': deployment(0) });
  const first = await openTwin(places);
  await scale(first.cluster, 1);
  await passes(first, 120_000);
  expect(await first.cluster.get(server)).not.toMatchObject({ status: { readyReplicas: 1 } });
  await first.close();
  const second = await openTwin(places);
  await passes(second, 100_000);
  expect(await second.cluster.get(server)).not.toMatchObject({ status: { readyReplicas: 1 } });
  await passes(second, 30_000);
  expect(await second.cluster.get(server)).toMatchObject({ status: { readyReplicas: 1 } });
  await second.close();
});

test('a second process is told who uses it', async () => {
  const places = folders();
  const first = await openTwin(places);
  await expect(openTwin(places)).rejects.toMatchObject({ outcome: 'locked', message: `the twin is in use by process ${process.pid}` });
  await first.close();
  await (await openTwin(places)).close();
});

test('manifests that were edited since are refused with the difference; fresh begins anew', async () => {
  const places = folders();
  const first = await openTwin(places);
  await scale(first.cluster, 3);
  await first.close();
  writeFileSync(join(places.folder, 'server.yaml'), deployment(2));
  await expect(openTwin(places)).rejects.toMatchObject({
    code: 'TwinManifestsChanged',
    detail: 'changed deployment/server.models: /spec/replicas 1 -> 2',
    nextSteps: [expect.stringContaining('--fresh'), expect.anything()],
  });
  const fresh = await openTwin({ ...places, fresh: true });
  expect(await fresh.cluster.get(server)).toMatchObject({ spec: { replicas: 2 } });
  await fresh.close();
  await (await openTwin(places)).close();
});

test('a write that was answered survives kill -9', async () => {
  const places = folders();
  const program = `
    import { openTwin } from '${join(import.meta.dirname, '../../src/twin/open-twin.ts')}';
    import { resources } from '${join(import.meta.dirname, '../../src/kubernetes/resource.ts')}';
    const { cluster } = await openTwin(${JSON.stringify(places)});
    for (let count = 1; ; count++) {
      const name = 'note-' + count;
      await cluster.create(resources.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'models' }, data: {} }, { fieldManager: 'test' });
      process.stdout.write(count + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (output.split('\n').length > 20) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const answered = Number(output.trim().split('\n').at(-1));
  const twin = await openTwin(places);
  const notes = (await twin.cluster.list({ resource: resources.configMaps, namespace: 'models' })).items.filter(({ metadata }) =>
    metadata.name.startsWith('note-'),
  );
  expect(notes.length).toBeGreaterThanOrEqual(answered);
  expect(notes.length).toBeLessThanOrEqual(answered + 1);
  await twin.close();
});

test('objects of kinds that it does not know are kept, shown and found by discovery', async () => {
  const twin = await openTwin(
    folders({
      'a.yaml': 'apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: a, namespace: models}\nspec: {minReplicaCount: 1}\n',
    }),
  );
  expect(await twin.cluster.discover('keda.sh')).toEqual([resources.scaledObjects]);
  expect((await twin.cluster.list({ resource: resources.scaledObjects })).items).toMatchObject([
    { metadata: { name: 'a' }, spec: { minReplicaCount: 1 } },
  ]);
  expect(await twin.cluster.discover('serving.kserve.io')).toEqual([]);
  await twin.close();
});

test('a custom resource is found under the plural that its definition gives', async () => {
  const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: geese.farm.example}
spec:
  group: farm.example
  scope: Cluster
  names: {plural: geese, kind: Goose}
  versions: [{name: v1, served: true, storage: true}]
`;
  const twin = await openTwin(
    folders({ 'a-goose.yaml': 'apiVersion: farm.example/v1\nkind: Goose\nmetadata: {name: a}\n', 'definition.yaml': definition }),
  );
  const geese = { group: 'farm.example', version: 'v1', plural: 'geese', kind: 'Goose', namespaced: false };
  expect(await twin.cluster.discover('farm.example')).toEqual([geese]);
  expect(await twin.cluster.get({ resource: geese, name: 'a' })).toBeDefined();
  await twin.close();
});

test('every manifest that is broken, and every object that a server would refuse, is named with its place', async () => {
  const broken = folders({ 'a.yaml': 'kind: Service\nmetadata: {name: a}\n', 'b.yaml': 'apiVersion: v1\nmetadata: [\n' });
  await expect(openTwin(broken)).rejects.toMatchObject({
    outcome: 'usage',
    code: 'ManifestsUnusable',
    detail: expect.stringMatching(/a\.yaml:1:1: .*\n.*b\.yaml:/),
  });
  const refused = folders({
    'a.yaml': service.replace('port: 80', 'port: 0'),
    'b.yaml': deployment(1).replace('matchLabels: {app: server}', 'matchLabels: {app: other}'),
  });
  await expect(openTwin(refused)).rejects.toMatchObject({
    outcome: 'usage',
    code: 'ManifestRefused',
    message: '2 objects of the manifests would not be accepted by a Kubernetes API server',
    detail: expect.stringMatching(
      /a\.yaml:2: Service "server" is invalid: spec\.ports\[0\]\.port: .*\n.*b\.yaml:2: Deployment\.apps "server" is invalid: .*selector/,
    ),
  });
  // nothing was left locked, nothing half begun
  writeFileSync(join(refused.folder, 'a.yaml'), service);
  writeFileSync(join(refused.folder, 'b.yaml'), deployment(1));
  await (await openTwin(refused)).close();
});

test('a folder that is not there is named', async () => {
  const { stateFolder } = folders();
  await expect(openTwin({ folder: '/nowhere', stateFolder })).rejects.toMatchObject({
    outcome: 'usage',
    message: 'there is no folder /nowhere',
  });
});

test('once closed, it answers nothing any more', async () => {
  const twin = await openTwin(folders());
  const watch = twin.cluster.watch(pods, { resourceVersion: '1000', signal: new AbortController().signal })[Symbol.asyncIterator]();
  const next = watch.next();
  await twin.close();
  await twin.close();
  expect(await next).toMatchObject({ done: true });
  await expect(twin.cluster.get(server)).rejects.toThrow('the twin is closed');
});

test('when a write cannot be kept, it is refused, and nothing is said any more that is not on disk', async () => {
  const places = folders();
  const twin = await openTwin(places);
  rmSync(join(places.stateFolder, 'lock'));
  const refusal = { outcome: 'halted', code: 'TwinStateNotWritten', detail: 'another process has taken the lock' };
  await expect(scale(twin.cluster, 5)).rejects.toMatchObject(refusal);
  await expect(twin.cluster.get(server)).rejects.toMatchObject(refusal);
  await expect(scale(twin.cluster, 6)).rejects.toMatchObject(refusal);
  await twin.close();
  const again = await openTwin(places);
  expect(await again.cluster.get(server)).toMatchObject({ spec: { replicas: 1 } });
  await again.close();
});

test('what clients get and give cannot change what is stored', async () => {
  const twin = await openTwin(folders());
  const mine = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'models' }, data: { key: 'value' } };
  await twin.cluster.create(resources.configMaps, mine, written);
  mine.data.key = 'changed afterwards';
  const reference = { resource: resources.configMaps, namespace: 'models', name: 'a' };
  expect(await twin.cluster.get(reference)).toMatchObject({ data: { key: 'value' } });
  expect(Object.isFrozen((await twin.cluster.get(reference))?.data)).toBe(true);
  await twin.close();
});

test('where it remembers follows the XDG specification, a folder for each folder of manifests', () => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  expect(stateDirectoryOf(one, { XDG_STATE_HOME: '/state' }, '/home/me')).toMatch(/^\/state\/poimen\/twin\/[\da-f]{16}$/);
  expect(stateDirectoryOf(one, {}, '/home/me')).toMatch(/^\/home\/me\/\.local\/state\/poimen\/twin\/[\da-f]{16}$/);
  expect(stateDirectoryOf(one, {}, '/home/me')).not.toBe(stateDirectoryOf(other, {}, '/home/me'));
  expect(stateDirectoryOf(`${one}/`, {}, '/home/me')).toBe(stateDirectoryOf(one, {}, '/home/me'));
});

test('a dry run writes nothing to disk', async () => {
  const places = folders();
  const twin = await openTwin(places);
  const before = readFileSync(join(places.stateFolder, 'log'));
  await twin.cluster.patch(server, { type: 'merge', body: { spec: { replicas: 9 } } }, { ...written, dryRun: true });
  expect(readFileSync(join(places.stateFolder, 'log'))).toEqual(before);
  expect(await twin.cluster.get(server)).toMatchObject({ spec: { replicas: 1 } });
  await twin.close();
});
