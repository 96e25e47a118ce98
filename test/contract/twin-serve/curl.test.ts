import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject, objectsIn, stringIn } from '../../../src/cluster/live/json.ts';
import { controlPlaneBinaries, findBinaries } from '../../cluster/binaries.ts';
import { normalize } from './normalize.ts';
import { runProgram } from './run-program.ts';
import { startRealCluster, startServedTwin, type ServedCluster } from './subjects.ts';

const { missing } = await findBinaries(controlPlaneBinaries);
const leftOut = missing.length === 0 ? '' : ` (left out: ${missing.map(({ name }) => name).join(', ')} missing)`;

const maps = '/api/v1/namespaces/curl/configmaps';
const deployments = '/apis/apps/v1/namespaces/curl/deployments';
const json = ['-H', 'Content-Type: application/json'];
const as = (form: string): readonly string[] => ['-H', `Accept: ${form}`];
const patchAs = (type: string): readonly string[] => ['-X', 'PATCH', '-H', `Content-Type: application/${type}`];

const deployment = {
  metadata: { name: 'server' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'server' } },
    template: { metadata: { labels: { app: 'server' } }, spec: { containers: [{ name: 'main', image: 'registry.example/main:1' }] } },
  },
};

interface Step {
  readonly path: string;
  readonly args?: readonly string[];
  /** Status and type alone: what it lists is not the same on both. */
  readonly answer?: 'head';
}

/** In this order, on both. */
const steps: readonly Step[] = [
  { path: '/healthz' },
  { path: '/livez' },
  { path: '/readyz' },
  { path: '/version', answer: 'head' },
  { path: '/api', answer: 'head' },
  { path: '/apis', answer: 'head' },
  { path: '/apis/apps' },
  { path: '/apis/nothing' },
  { path: '/nothing' },
  { path: '/api/v2' },
  { path: '/api/v1/nothing' },
  { path: '/apis/nothing.example/v1/things' },
  { path: '/api/v1/namespaces', args: [...json, '-d', '{"metadata":{"name":"curl"}}'] },
  { path: '/api/v1/namespaces/curl' },
  { path: `${maps}/nothing` },
  { path: maps, args: [...json, '-d', '{"metadata":{"name":"a","labels":{"app":"x"}},"data":{"key":"value"}}'] },
  { path: maps, args: ['-H', 'Content-Type: application/yaml', '-d', 'metadata: {name: b, labels: {app: x}}\ndata:\n  key: "1"\n'] },
  { path: maps, args: [...json, '-d', '{"metadata":{"name":"a"}}'] },
  { path: maps, args: [...json, '-d', '{"metadata":{"name":"c","namespace":"default"}}'] },
  { path: maps, args: [...json, '-d', ''] },
  { path: maps, args: [...json, '-d', '{'] },
  { path: maps, args: [...json, '-d', '{"metadata":{}}'] },
  { path: `${maps}?fieldValidation=Strict`, args: [...json, '-d', '{"metadata":{"name":"c"},"dato":{}}'] },
  { path: `${maps}?fieldValidation=Warn&dryRun=All`, args: [...json, '-d', '{"metadata":{"name":"c"},"dato":{},"mata":1}'] },
  { path: `${maps}?fieldValidation=Ignore&dryRun=All`, args: [...json, '-d', '{"metadata":{"name":"c"},"dato":{}}'] },
  { path: `${maps}?fieldValidation=Nothing`, args: [...json, '-d', '{"metadata":{"name":"c"}}'] },
  { path: `${maps}?dryRun=Some`, args: [...json, '-d', '{"metadata":{"name":"c"}}'] },
  { path: `${maps}?labelSelector=app%3Dx` },
  { path: `${maps}?labelSelector=app%3Dx&limit=1` },
  { path: `${maps}?fieldSelector=metadata.name%3Db` },
  { path: `${maps}?limit=x` },
  { path: `${maps}?resourceVersion=99999999` },
  { path: `${maps}?resourceVersionMatch=Exact` },
  { path: `${maps}?watch=true&sendInitialEvents=true` },
  { path: `${maps}?labelSelector=app%3Dx`, args: as('application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io') },
  { path: `${maps}/a`, args: as('application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io') },
  { path: `${maps}/a`, args: as('application/vnd.nothing, application/json;q=0.5') },
  { path: `${maps}?watch=true&timeoutSeconds=1&labelSelector=app%3Dx` },
  {
    path: `${maps}?watch=true&timeoutSeconds=1&labelSelector=app%3Dx&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
  },
  { path: `${maps}?watch=true&timeoutSeconds=1&resourceVersion=x` },
  { path: `/api/v1/watch/namespaces/curl/configmaps/a?timeoutSeconds=1` },
  { path: `${maps}/a`, args: [...patchAs('merge-patch+json'), '-d', '{"data":{"more":"1"}}'] },
  { path: `${maps}/a`, args: [...patchAs('strategic-merge-patch+json'), '-d', '{"data":{"more":null}}'] },
  { path: `${maps}/a`, args: [...patchAs('json-patch+json'), '-d', '[{"op":"add","path":"/data/third","value":"3"}]'] },
  { path: `${maps}/a`, args: [...patchAs('json-patch+json'), '-d', '[{"op":"test","path":"/data/third","value":"4"}]'] },
  { path: `${maps}/a`, args: [...patchAs('json-patch+json'), '-d', '{}'] },
  { path: `${maps}/a`, args: [...patchAs('json'), '-d', '{}'] },
  {
    path: `${maps}/a?fieldManager=curl`,
    args: [...patchAs('apply-patch+yaml'), '-d', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {applied: "1"}\n'],
  },
  { path: `${maps}/a`, args: [...patchAs('apply-patch+yaml'), '-d', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'] },
  { path: `${maps}/a`, args: ['-X', 'PUT', ...json, '-d', '{"metadata":{"name":"b"}}'] },
  { path: `${maps}/a`, args: ['-X', 'PUT', ...json, '-d', '{"metadata":{"name":"a","resourceVersion":"1"}}'] },
  { path: `${maps}/a`, args: ['-X', 'PUT', ...json, '-d', '{"metadata":{"name":"a"},"data":{"put":"1"}}'] },
  { path: `${maps}/nothing`, args: ['-X', 'PUT', ...json, '-d', '{"metadata":{"name":"nothing"}}'] },
  { path: maps, args: ['-X', 'PUT', ...json, '-d', '{}'] },
  { path: `${maps}/a`, args: ['-X', 'POST', ...json, '-d', '{}'] },
  { path: '/api/v1/configmaps', args: ['-X', 'POST', ...json, '-d', '{"metadata":{"name":"a"}}'] },
  { path: `${maps}/a/status` },
  { path: `${maps}/a?dryRun=Some`, args: ['-X', 'DELETE'] },
  { path: `${maps}/a`, args: ['-X', 'DELETE', ...json, '-d', '{"preconditions":{"uid":"nothing"}}'] },
  { path: `${maps}/a?dryRun=All`, args: ['-X', 'DELETE'] },
  { path: `${maps}/a`, args: ['-X', 'DELETE'] },
  { path: `${maps}/a`, args: ['-X', 'DELETE'] },
  { path: `${maps}?labelSelector=app%3Dx`, args: ['-X', 'DELETE'] },
  { path: `${maps}?labelSelector=app%3Dx` },
  { path: deployments, args: [...json, '-d', JSON.stringify(deployment)] },
  { path: `${deployments}/server/scale` },
  {
    path: `${deployments}/server/scale?dryRun=All`,
    args: ['-X', 'PUT', ...json, '-d', '{"metadata":{"name":"server"},"spec":{"replicas":2}}'],
  },
  { path: `${deployments}/server/scale?dryRun=All`, args: [...patchAs('merge-patch+json'), '-d', '{"spec":{"replicas":3}}'] },
  {
    path: `${deployments}/server?fieldManager=curl&dryRun=All`,
    args: [...patchAs('apply-patch+yaml'), '-d', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: server}\nspec: {nothing: 1}\n'],
  },
  { path: `${deployments}/server?propagationPolicy=Background`, args: ['-X', 'DELETE'] },
];

describe.skipIf(missing.length > 0)(`curl, on the served twin and on a real control plane${leftOut}`, () => {
  let clusters: readonly ServedCluster[] = [];

  beforeAll(async () => {
    clusters = await Promise.all([startServedTwin(), startRealCluster()]);
  });

  afterAll(async () => {
    await Promise.all(clusters.map((cluster) => cluster.close()));
  });

  for (const [index, { path, args = [], answer }] of steps.entries()) {
    it(`${index + 1}. ${args[0] === '-X' ? `${args[1]} ` : ''}${path}`, async () => {
      const [twin, real] = await Promise.all(clusters.map((cluster) => curl(cluster, path, args)));
      expect(twin?.head).toEqual(real?.head);
      if (answer !== 'head') expect(twin?.body).toEqual(real?.body);
    });
  }
});

interface Answer {
  readonly head: { readonly status: string; readonly type: string; readonly warnings: readonly string[] };
  readonly body: unknown;
}

const curl = async (cluster: ServedCluster, path: string, args: readonly string[]): Promise<Answer> => {
  const { server, token } = await readAccess(cluster.kubeconfig);
  const { stdout, exitCode } = await runProgram(
    'curl',
    ['-sSk', '-i', '--http1.1', ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]), ...args, `${server}${path}`],
    { env: process.env, cwd: '/' },
  );
  if (exitCode !== 0) throw new Error(`curl ended with ${exitCode}`);
  const end = stdout.indexOf('\r\n\r\n');
  const [status = '', ...headers] = stdout.slice(0, end).split('\r\n');
  const named = (name: string): readonly string[] =>
    headers.flatMap((line) => (line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  const body = stdout.slice(end + 4);
  return {
    head: { status: status.split(' ')[1] ?? '', type: named('content-type').join(), warnings: named('warning') },
    body: named('content-type').join().startsWith('application/json')
      ? body.split('\n').some((line) => line.startsWith('{"type"'))
        ? body.trim().split('\n').map(readJson)
        : readJson(body)
      : body.trim(),
  };
};

/** Without what cannot be the same: see `normalize`; the version that a store has come to, and tokens that say where a list goes on. */
const readJson = (text: string): unknown =>
  JSON.parse(normalize(JSON.stringify(JSON.parse(text))).replaceAll(/(?<=current: )\d+/g, 'VERSION'), (key, value: unknown) =>
    key === 'continue' && value !== '' ? 'TOKEN' : value,
  );

const readAccess = async (kubeconfig: string): Promise<{ readonly server: string; readonly token: string | undefined }> => {
  const config: unknown = JSON.parse(await readFile(kubeconfig, 'utf8'));
  if (!isJsonObject(config)) throw new Error('no kubeconfig');
  const inner = (list: string, name: string): Readonly<Record<string, unknown>> => {
    const value = objectsIn(config, list)[0]?.[name];
    return isJsonObject(value) ? value : {};
  };
  return { server: stringIn(inner('clusters', 'cluster'), 'server') ?? '', token: stringIn(inner('users', 'user'), 'token') };
};
