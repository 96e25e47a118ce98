import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import { ApiError } from '../../../src/cluster/api-error.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import type { Patch } from '../../../src/kubernetes/patch.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { createStore } from '../../../src/twin/api/memory-store.ts';
import { createTwinCluster } from '../../../src/twin/twin-cluster.ts';

/** A ConfigMap, as far as these patches see it: its data, and how often it changed. */
interface Model {
  data: Record<string, string>;
  version: string;
}

interface Real {
  readonly cluster: Cluster;
}

const reference = { resource: resources.configMaps, namespace: 'default', name: 'a' };
const written = { fieldManager: 'test' };

const dataOf = (object: KubernetesObject | undefined): unknown => object?.['data'] ?? {};

/** Sends a patch that the model says does (to this) or does not apply, and compares answer, stored object and version. */
const send = async (
  { cluster }: Real,
  model: Model,
  patch: Patch,
  expected: Record<string, string> | 'refused',
  dryRun: boolean,
): Promise<void> => {
  const answer = await cluster.patch(reference, patch, { ...written, dryRun }).catch((error: unknown) => {
    if (error instanceof ApiError) return error.status.code;
    throw error;
  });
  const isChange = expected !== 'refused' && JSON.stringify(sorted(expected)) !== JSON.stringify(sorted(model.data));
  if (expected === 'refused') expect([409, 422]).toContain(answer);
  else expect(dataOf(typeof answer === 'number' ? undefined : answer)).toEqual(expected);
  if (isChange && !dryRun) model.data = expected;
  const stored = await cluster.get(reference);
  expect(dataOf(stored)).toEqual(model.data);
  expect(stored?.metadata.resourceVersion === model.version).toBe(!isChange || dryRun);
  model.version = stored?.metadata.resourceVersion ?? '';
};

const sorted = (data: Record<string, string>): unknown => Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1));

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('1', '2');

const command = (toString: string, run: (model: Model, real: Real) => Promise<void>): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  run,
  toString: () => toString,
});

const merges = fc
  .record({ data: fc.dictionary(key, fc.option(value)), dryRun: fc.boolean(), version: fc.constantFrom('none', 'current', 'stale') })
  .map(({ data, dryRun, version }) =>
    command(`merge ${JSON.stringify(data)} ${version} ${dryRun}`, async (model, real) => {
      const metadata = version === 'none' ? {} : { metadata: { resourceVersion: version === 'current' ? model.version : '1' } };
      const merged = Object.fromEntries(Object.entries({ ...model.data, ...data }).filter(([, content]) => content !== null)) as Record<
        string,
        string
      >;
      await send(real, model, { type: 'merge', body: { ...metadata, data } }, version === 'stale' ? 'refused' : merged, dryRun);
    }),
  );

const jsonPatches = fc
  .record({ test: fc.option(fc.tuple(key, value)), remove: fc.option(key), set: fc.tuple(key, value), dryRun: fc.boolean() })
  .map(({ test: tested, remove, set, dryRun }) =>
    command(`json ${JSON.stringify({ tested, remove, set, dryRun })}`, async (model, real) => {
      const operations = [
        // the test comes last: what precedes it must not be kept when it fails
        ...(remove === null ? [] : [{ op: 'remove' as const, path: `/data/${remove}` }]),
        { op: 'add' as const, path: `/data/${set[0]}`, value: set[1] },
        ...(tested === null ? [] : [{ op: 'test' as const, path: `/data/${tested[0]}`, value: tested[1] }]),
      ];
      const data = { ...model.data };
      const isMissing = remove !== null && !(remove in data);
      if (remove !== null) delete data[remove];
      data[set[0]] = set[1];
      const fails = isMissing || (tested !== null && data[tested[0]] !== tested[1]);
      await send(real, model, { type: 'json', operations }, fails ? 'refused' : data, dryRun);
    }),
  );

test('any sequence of patches leaves what RFC 6902 and 7386 say: all of each or nothing, and a new version only for a change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([merges, jsonPatches], { maxCommands: 30 }), async (commands) => {
      const cluster = createTwinCluster({
        store: createStore(new VirtualClock(0)),
        identity: { kind: 'twin', name: 'test', server: 'twin' },
      });
      const { metadata } = await cluster.create(
        resources.configMaps,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { a: '1' } },
        written,
      );
      await fc.asyncModelRun(() => ({ model: { data: { a: '1' }, version: metadata.resourceVersion ?? '' }, real: { cluster } }), commands);
    }),
    { numRuns: 200 },
  );
});
