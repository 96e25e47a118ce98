import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { server } from '../controllers/workloads.ts';
import { resources, written } from '../objects.ts';
import { atHandOver } from './hand-over-bench.ts';

contract('a card that somebody else takes in the middle of a hand-over', (behaviour) => {
  behaviour(
    'is named with its taker, who lives in another namespace',
    atHandOver({ old: { script: { terminate: '2s' } } }, async (handOver) => {
      const { subject } = handOver.bench;
      const namespace = await subject.newNamespace();
      const thief = server(namespace, 'thief', { gpus: 4 });
      const taking: Promise<unknown>[] = [];
      try {
        const { result } = await handOver.run({
          during: (event) => {
            // queued while the old pod still holds the cards, so that it is the first to get them
            if (event.type === 'stepStarted' && event.step === 'hand-over/old-gone')
              taking.push(subject.cluster.create(resources.deployments, thief, written));
          },
        });
        expect(result).toMatchObject({ outcome: 'halted', failure: { step: 'hand-over/new-ready' } });
        const taken = result.failure?.troubles?.find(({ code }) => code === 'DeviceTaken');
        expect(taken?.message).toMatch(new RegExp(`^nvidia.com/gpu taken by ${namespace}/thief-\\S+ on node worker-1$`));
      } finally {
        await Promise.all(taking);
        await subject.cluster.delete({ resource: resources.deployments, namespace, name: 'thief' }, { propagationPolicy: 'Background' });
      }
    }),
  );
});
