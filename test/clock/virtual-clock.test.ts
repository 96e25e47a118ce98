import { describe, expect, it } from 'vitest';
import { delay } from '../../src/clock/clock.ts';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

describe('VirtualClock', () => {
  it('jumps over an hour that somebody waits for, without taking an hour', async () => {
    const clock = new VirtualClock(start);
    await delay(clock, 3_600_000);
    expect(clock.now()).toBe(start + 3_600_000);
  });

  it('stands still while only the simulated cluster has timers', async () => {
    const clock = new VirtualClock(start);
    let fired = false;
    clock.schedule(1000, () => {
      fired = true;
    });
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect({ fired, now: clock.now() }).toEqual({ fired: false, now: start });
  });

  it('fires the timers of the simulated cluster on the way, in the order of their times and then of their making', async () => {
    const clock = new VirtualClock(start);
    const fired: string[] = [];
    clock.schedule(20, () => fired.push('b'));
    clock.schedule(20, () => fired.push('c'));
    clock.schedule(10, () => fired.push('a'));
    clock.schedule(31, () => fired.push('too late'));
    await delay(clock, 30);
    expect(fired).toEqual(['a', 'b', 'c']);
  });

  it('lets everything that a timer caused happen before the next one fires', async () => {
    const clock = new VirtualClock(start);
    const seen: string[] = [];
    clock.schedule(1, () => {
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => seen.push('consequence'));
    });
    clock.schedule(2, () => seen.push('next timer'));
    await delay(clock, 5);
    expect(seen).toEqual(['consequence', 'next timer']);
  });

  it('does not fire what was taken back, nor wait for it', async () => {
    const clock = new VirtualClock(start);
    const cancel = clock.after(1000, () => expect.unreachable('cancelled'));
    cancel();
    await delay(clock, 10);
    expect(clock.now()).toBe(start + 10);
  });

  it('takes the real time that its pace says, and shows time passing meanwhile', async () => {
    const asked: number[] = [];
    const clock = new VirtualClock(start, (virtualMs) => {
      asked.push(virtualMs);
      return asked.length === 1 ? 50 : 0;
    });
    await delay(clock, 1000);
    expect(asked[0]).toBe(1000);
    expect(asked[1]).toBe(200); // a slice of 40 of 50 ms stands for 800 of 1,000
    expect(clock.now()).toBe(start + 1000);
  });

  it('is forwarded through what the simulated cluster does, up to a limit, and no further than there is something to do', () => {
    const clock = new VirtualClock(start);
    const fired: number[] = [];
    const fire = (): void => void fired.push(clock.now() - start);
    clock.schedule(1_000, () => {
      fire();
      clock.schedule(500, fire);
    });
    clock.schedule(60_000, fire);
    clock.fastForward(10_000);
    expect(fired).toEqual([1_000, 1_500]);
    expect(clock.now()).toBe(start + 1_500);
  });
});

describe('delay', () => {
  it('ends with the reason of the signal and leaves no timer behind', async () => {
    const clock = new VirtualClock(start);
    const controller = new AbortController();
    const waiting = delay(clock, 1000, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await delay(clock, 1);
    expect(clock.now()).toBe(start + 1);
  });
});
