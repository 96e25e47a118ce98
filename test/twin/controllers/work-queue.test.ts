import { describe, expect, it } from 'vitest';
import { delay } from '../../../src/clock/clock.ts';
import { VirtualClock } from '../../../src/clock/virtual-clock.ts';
import { ApiError } from '../../../src/cluster/api-error.ts';
import { WorkQueue } from '../../../src/twin/controllers/work-queue.ts';

const refused = new ApiError({ verb: 'create', resource: 'pods' }, { code: 403, reason: 'Forbidden', message: 'exceeded quota' });

describe('a work queue', () => {
  it('reconciles a key once, however often it is asked for', async () => {
    const clock = new VirtualClock(0);
    const done: string[] = [];
    const queue = new WorkQueue(clock, 3, (key) => done.push(`${clock.now()} ${key}`));
    for (const key of ['a', 'b', 'a']) queue.add(key);
    await delay(clock, 100);
    expect(done).toEqual(['3 a', '3 b']);
  });

  it('takes the earliest of several moments', async () => {
    const clock = new VirtualClock(0);
    const done: number[] = [];
    const queue = new WorkQueue(clock, 3, () => done.push(clock.now()));
    queue.addAfter('a', 50);
    queue.addAfter('a', 20);
    queue.addAfter('a', 90);
    await delay(clock, 1_000);
    expect(done).toEqual([20]);
  });

  it('tries again after a refusal, less and less often, and begins anew after a success', async () => {
    const clock = new VirtualClock(0);
    const done: number[] = [];
    const queue = new WorkQueue(clock, 0, () => {
      done.push(clock.now());
      if (done.length !== 4) throw refused;
    });
    queue.add('a');
    await delay(clock, 30);
    expect(done).toEqual([0, 5, 15]);
    await delay(clock, 10);
    expect(done).toEqual([0, 5, 15, 35]);
    queue.addAfter('a', 100);
    await delay(clock, 104 + 5);
    expect(done.slice(4)).toEqual([140, 145]);
    queue.stop();
  });

  it('does nothing any more once it is stopped', async () => {
    const clock = new VirtualClock(0);
    const done: string[] = [];
    const queue = new WorkQueue(clock, 3, (key) => done.push(key));
    queue.add('a');
    queue.stop();
    await delay(clock, 100);
    expect(done).toEqual([]);
  });
});
