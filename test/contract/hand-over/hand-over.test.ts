import { expect } from 'vitest';
import type { RunEvent } from '../../../src/engine/event.ts';
import type { ConfigMap } from '../../../src/kubernetes/config-map.ts';
import type { Service } from '../../../src/kubernetes/service.ts';
import { contract } from '../contract.ts';
import { jsonPatch, resources } from '../objects.ts';
import { atHandOver, handedOver, notHandedOver, type HandOverBench } from './hand-over-bench.ts';

const journalOf = async ({ bench }: HandOverBench): Promise<readonly ConfigMap[]> =>
  (await bench.subject.cluster.list({ resource: resources.configMaps, namespace: bench.namespace, labelSelector: 'poimen.dev/run' })).items;

contract('a hand-over', (behaviour) => {
  behaviour(
    'goes there, is already there, and comes back, and the Service keeps its UID and address',
    atHandOver({}, async (handOver) => {
      const before = await handOver.bench.get<Service>(resources.services, 'front');

      const there = await handOver.run();
      expect(there.result).toMatchObject({ outcome: 'completed', probed: false });
      expect(there.result.changes.map(({ path, before: was, after }) => [path, was, after])).toEqual([
        ['/spec/replicas', 1, 0],
        ['/spec/replicas', 0, 1],
        ['/spec/selector', { app: 'old' }, { app: 'new' }],
      ]);
      expect(await handOver.state()).toEqual(handedOver);

      const again = await handOver.run();
      expect({ nothingToDo: again.plan.nothingToDo, outcome: again.result.outcome, changes: again.result.changes }).toEqual({
        nothingToDo: true,
        outcome: 'nothingToDo',
        changes: [],
      });

      const back = await handOver.run({ reverse: true });
      expect(back.result.outcome).toBe('completed');
      expect(await handOver.state()).toEqual(notHandedOver);

      const after = await handOver.bench.get<Service>(resources.services, 'front');
      expect([after.metadata.uid, after.spec['clusterIP']]).toEqual([before.metadata.uid, before.spec['clusterIP']]);
    }),
  );

  behaviour(
    'never runs both sides at once and never has both behind the Service',
    atHandOver({ old: { script: { terminate: '2s' } }, new: { script: { start: '2s' } } }, async (handOver) => {
      const order: string[] = [];
      await handOver.run({ during: (event) => order.push(...noteworthy(event)) });
      expect(order).toEqual([
        'behind: old',
        'wrote /spec/replicas 0',
        'behind: nobody',
        'old pods gone',
        'wrote /spec/replicas 1',
        'new pods ready',
        'wrote /spec/selector {"app":"new"}',
        'behind: new',
      ]);
    }),
  );

  behaviour(
    'leaves a journal that tells what was intended before each write, and how it ended',
    atHandOver({}, async (handOver) => {
      const { result } = await handOver.run();
      const journal = await journalOf(handOver);
      const head = journal.find(({ metadata }) => metadata.labels?.['poimen.dev/journal'] === 'head');
      expect(head?.metadata.name).toBe(`poimen-run-${result.run}`);
      expect(head?.data).toMatchObject({ state: 'completed', runbook: 'hand-over', epoch: '1', operator: 'somebody@somewhere' });
      const records = journal
        .filter(({ metadata }) => metadata.labels?.['poimen.dev/journal'] === 'entry')
        .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
        .flatMap(({ data }) => JSON.parse(data?.['records'] ?? '[]') as { type: string; step: string; preimage?: unknown }[]);
      expect(records.filter(({ type }) => type === 'intent').map(({ step, preimage }) => [step, preimage])).toEqual([
        ['hand-over/stop-old', { '/spec/replicas': 1 }],
        ['hand-over/start-new', { '/spec/replicas': 0 }],
        ['hand-over/switch', { '/spec/selector': { app: 'old' } }],
      ]);
      const position = (type: string, step: string): number => records.findIndex((record) => record.type === type && record.step === step);
      expect(position('done', 'hand-over/old-gone')).toBeLessThan(position('intent', 'hand-over/start-new'));
      expect(position('done', 'hand-over/new-ready')).toBeLessThan(position('intent', 'hand-over/switch'));
    }),
  );

  for (const writes of [1, 2, 3]) {
    behaviour(
      `that was interrupted after ${writes} of its 3 writes says what is half done, and goes on when it is run again`,
      atHandOver({}, async (handOver) => {
        let written = 0;
        const first = await handOver.run({
          during: (event, interrupt) => {
            if (event.type === 'written' && ++written === writes) interrupt();
          },
        });
        expect(first.result.outcome).toBe('interrupted');
        expect(first.result.changes).toHaveLength(writes);
        expect(first.result.nextSteps[0]).toBe('to go on: poimen run hand-over.yaml');

        const second = await handOver.run();
        expect(second.result.outcome).toBe(second.plan.nothingToDo ? 'nothingToDo' : 'completed');
        expect(second.result.changes).toHaveLength(3 - writes);
        expect(await handOver.state()).toEqual(handedOver);
      }),
    );
  }

  behaviour(
    'goes on from an old side that somebody has scaled to 0 already',
    atHandOver({}, async (handOver) => {
      await handOver.bench.scale('old', 0);
      const { result } = await handOver.run();
      expect(result).toMatchObject({ outcome: 'completed', changes: [{ path: '/spec/replicas', after: 1 }, { path: '/spec/selector' }] });
      expect(await handOver.state()).toEqual(handedOver);
    }),
  );

  behaviour(
    'goes on from a selector that somebody has moved already',
    atHandOver({}, async (handOver) => {
      await handOver.bench.patch(resources.services, 'front', jsonPatch({ op: 'replace', path: '/spec/selector', value: { app: 'new' } }));
      const { result } = await handOver.run();
      expect(result).toMatchObject({
        outcome: 'completed',
        changes: [
          { path: '/spec/replicas', after: 0 },
          { path: '/spec/replicas', after: 1 },
        ],
      });
      expect(await handOver.state()).toEqual(handedOver);
    }),
  );

  behaviour(
    'stops when somebody else changes the selector before it does, and writes nothing over it',
    atHandOver({}, async (handOver) => {
      const theirs = { app: 'somebody-elses' };
      const meddling: Promise<unknown>[] = [];
      const { result } = await handOver.run({
        during: (event) => {
          if (event.type === 'written' && meddling.length === 0) {
            meddling.push(
              handOver.bench.patch(resources.services, 'front', jsonPatch({ op: 'replace', path: '/spec/selector', value: theirs })),
            );
          }
        },
      });
      await Promise.all(meddling);
      expect(result.outcome).toBe('halted');
      expect(result.failure?.step).toBe('hand-over/switch');
      expect(result.failure?.reason).toContain('somebody else changed it since the plan was made');
      expect(await handOver.state()).toMatchObject({ selector: theirs });
    }),
  );

  behaviour(
    'names an image that does not exist at once, without waiting for its deadline',
    atHandOver({ new: { script: { fail: 'image-not-found' } } }, async (handOver) => {
      const { result } = await handOver.run();
      expect(result.outcome).toBe('halted');
      expect(result.failure).toMatchObject({
        step: 'hand-over/new-ready',
        troubles: [{ code: expect.stringMatching(/^(ErrImagePull|ImagePullBackOff)$/) }],
      });
      expect(result.steps.find(({ id }) => id === 'hand-over/switch')?.state).toBe('notReached');
    }),
  );

  behaviour(
    'stops at an old pod that never goes: nothing is forced, and the new side is not started',
    atHandOver({ old: { script: { terminate: 'never' } } }, async (handOver) => {
      const { result } = await handOver.run({ deadlines: { gone: '3s' } });
      expect(result.outcome).toBe('halted');
      expect(result.failure?.step).toBe('hand-over/old-gone');
      expect(result.failure?.reason).toMatch(/^the deadline passed: old-\S+: terminating$/);
      expect(await handOver.state()).toMatchObject({ old: 0, new: 0, pods: { old: 1, new: 0 } });
    }),
  );

  behaviour(
    'does not take a pod that never becomes ready for a success',
    atHandOver({ new: { script: { fail: 'never-ready' } } }, async (handOver) => {
      const { result } = await handOver.run({ deadlines: { ready: '3s' } });
      expect(result.outcome).toBe('halted');
      expect(result.failure?.reason).toContain('0 of 1 pods ready');
      expect(await handOver.state()).toMatchObject({ selector: { app: 'old' } });
    }),
  );
});

const noteworthy = (event: RunEvent): readonly string[] => {
  if (event.type === 'written') {
    return event.mutation.patch.flatMap((operation) =>
      operation.op === 'replace'
        ? [`wrote ${operation.path} ${JSON.stringify(operation.value)}`.replaceAll('"', operation.path.endsWith('selector') ? '"' : '')]
        : [],
    );
  }
  if (event.type === 'backends') return [`behind: ${event.ready.map((pod) => pod.split('-')[0]).join(', ') || 'nobody'}`];
  if (event.type === 'stepDone' && event.step.endsWith('old-gone')) return ['old pods gone'];
  if (event.type === 'stepDone' && event.step.endsWith('new-ready')) return ['new pods ready'];
  return [];
};
