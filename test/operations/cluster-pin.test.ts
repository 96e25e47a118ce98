import { expect, it } from 'vitest';
import type { Plan } from '../../src/engine/plan.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { planOn } from '../../src/operations/plan-runbook.ts';
import { loadRunbook } from '../../src/runbook/load-runbook.ts';
import { TwinWorld } from '../engine/twin-world.ts';

/** The plan of a runbook for the cluster with this UID; nothing in it but a look. */
const planFor = async (world: TwinWorld, uid: string): Promise<Plan> => {
  const text = JSON.stringify({
    apiVersion: 'poimen.dev/v1alpha1',
    kind: 'Runbook',
    metadata: { name: 'test', summary: 'a test' },
    cluster: { uid },
    objects: { client: 'deploy/client.shop' },
    steps: [{ id: 'look', waitReady: { object: 'client' } }],
  });
  const loaded = loadRunbook({ file: 'test.yaml', text, set: {}, reverse: false });
  if (loaded.kind === 'invalid') return expect.fail(JSON.stringify(loaded.diagnostics, undefined, 1));
  const { cluster, clock } = world;
  const open = { cluster, clock, simulated: true, defaultNamespace: 'shop', close: async () => undefined };
  const planned = await planOn(open, loaded.runbook, {
    probe: false,
    invocation: ['poimen', 'plan', 'test.yaml'],
    context: { operator: 'test', randomBytes: () => Uint8Array.of(1) },
  });
  await planned.close();
  return planned.plan;
};

it('refuses another cluster than the one that the runbook pins, whatever its steps are', async () => {
  const world = await TwinWorld.open();
  const system = await world.cluster.get({ resource: resources.namespaces, name: 'kube-system' });
  const uid = system?.metadata.uid ?? expect.fail('no kube-system');
  expect((await planFor(world, uid)).blockers).toEqual([]);
  expect((await planFor(world, 'uid-of-another')).blockers).toMatchObject([
    { code: 'WrongCluster', reason: expect.stringContaining(`UID uid-of-another; here it is ${uid}`) },
  ]);
});
