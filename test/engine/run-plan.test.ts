import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/engine/event.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { TwinWorld, atStep, handOver } from './twin-world.ts';

const stateOf = (result: RunResult, step: string): string | undefined => result.steps.find(({ id }) => id === step)?.state;

describe('a hand-over that is probed', () => {
  it('is done when a client was answered, by the new side', async () => {
    const world = await TwinWorld.open();
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'completed', probed: true });
    expect(result.steps.find(({ id }) => id === 'h/after')?.evidence).toMatch(
      /behind service\/front: new-\S+; 5 good answers in a row over 1 s \(p50 3 ms, p90 3 ms, max 3 ms\)/,
    );
  });

  it('does not move the selector to a pod that is ready and does not know the route', async () => {
    const world = await TwinWorld.open({ answers: '/ask: {status: 404}' });
    const { result } = await world.run([handOver({ deadlines: { answers: '5s' } })]);
    expect(result.outcome).toBe('halted');
    expect(result.failure?.step).toBe('h/new-answers');
    expect(result.failure?.reason).toContain('404');
    expect(await world.get(resources.services, 'front')).toMatchObject({ spec: { selector: { app: 'old' } } });
  });

  it('counts good answers in a row, not in all', async () => {
    const world = await TwinWorld.open();
    const { prober } = world;
    let lastStepAt = Number.POSITIVE_INFINITY;
    // The twin's own answers, but in the last step those of every second quarter of a second get lost: it asks four times a second.
    world.prober = {
      ask: async (...call) => {
        const isLost = Math.floor((world.clock.now() - lastStepAt) / 250) % 2 === 1;
        const answer = await prober.ask(...call);
        return isLost ? { kind: 'timeout', detail: 'lost' } : answer;
      },
    };
    const { result } = await world.run(
      [handOver({ answers: 2, deadlines: { after: '10s' } })],
      atStep('h/after', () => {
        lastStepAt = world.clock.now();
      }),
    );
    expect(result.failure?.step).toBe('h/after');
    expect(stateOf(result, 'h/switch')).toBe('done');
  });

  it('is refused before the first write when a policy keeps the client from the new side', async () => {
    const world = await TwinWorld.open();
    await world.create(resources.networkPolicies, 'shut', {
      spec: { podSelector: { matchLabels: { app: 'new' } }, ingress: [], policyTypes: ['Ingress'] },
    });
    const planned = await world.plan();
    expect(planned.plan.blockers.map(({ reason }) => reason).join()).toContain('shop/shut');
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'refused', changes: [] });
  });

  it('stops at its end when a policy cuts the client off in the middle', async () => {
    const world = await TwinWorld.open();
    const shut = (): unknown =>
      world.create(resources.networkPolicies, 'shut', {
        spec: { podSelector: { matchLabels: { app: 'new' } }, ingress: [], policyTypes: ['Ingress'] },
      });
    const { result } = await world.run([handOver()], atStep('h/switch', shut));
    expect(result.outcome).toBe('halted');
    expect(result.failure).toMatchObject({ step: 'h/after', troubles: [{ code: 'PathDenied' }] });
    expect(result.failure?.troubles[0]?.message).toContain('shop/shut');
  });

  it('stops before the switch, with the policy that cuts the client off from the new pod', async () => {
    const world = await TwinWorld.open();
    const shut = (): unknown =>
      world.create(resources.networkPolicies, 'shut', {
        spec: { podSelector: { matchLabels: { app: 'new' } }, ingress: [], policyTypes: ['Ingress'] },
      });
    const { result } = await world.run([handOver()], atStep('h/new-ready', shut));
    expect(result.failure).toMatchObject({ step: 'h/new-answers', troubles: [{ code: 'PathDenied' }] });
    expect(result.failure?.troubles[0]?.message).toContain('shop/shut');
    expect(stateOf(result, 'h/switch')).toBe('notReached');
  });

  it('stops where somebody undoes what it wrote, and says who', async () => {
    const world = await TwinWorld.open();
    const again = (): unknown => world.patch(resources.deployments, 'old', { spec: { replicas: 1 } });
    const { result } = await world.run([handOver()], atStep('h/new-ready', again));
    expect(result.outcome).toBe('halted');
    expect(result.failure?.step).toBe('h/new-answers');
    expect(result.failure?.reason).toContain('somebody else changed what this run had written: deployment/old.shop /spec/replicas is 1');
    expect(result.failure?.reason).toMatch(/and was 0$/);
    expect(stateOf(result, 'h/switch')).toBe('notReached');
  });

  it('is not done when the last thing that happens is that somebody undoes it', async () => {
    const world = await TwinWorld.open();
    const back = (): unknown => world.patch(resources.services, 'front', { spec: { selector: { app: 'old' } } });
    const { result } = await world.run([handOver({ answers: 1, window: '1s' })], atStep('h/after', back));
    expect(result.outcome).toBe('halted');
    expect(await world.get(resources.services, 'front')).toMatchObject({ spec: { selector: { app: 'old' } } });
  });

  it('takes no credit for what somebody else writes at the same moment', async () => {
    const world = await TwinWorld.open();
    const { cluster } = world;
    const original = cluster.patch.bind(cluster);
    let overtaken = false;
    cluster.patch = async (reference, patch, options) => {
      if (!overtaken && reference.name === 'new') {
        overtaken = true;
        await original(reference, patch, { ...options, fieldManager: 'somebody' });
      }
      return await original(reference, patch, options);
    };
    const { result, events } = await world.run();
    expect(result.outcome).toBe('completed');
    expect(result.changes.map(({ object, path }) => `${object} ${path}`)).toEqual([
      'deployment/old.shop /spec/replicas',
      'service/front.shop /spec/selector',
    ]);
    expect(events.filter(({ type }) => type === 'written')).toHaveLength(2);
    expect(result.warnings).toEqual([expect.stringContaining('deployment/new.shop: somebody else wrote the same at the same moment')]);
  });

  it('says who took the card', async () => {
    const world = await TwinWorld.open();
    const greedy = (): unknown =>
      world.create(resources.pods, 'greedy', {
        spec: { containers: [{ name: 'a', image: 'registry.example/a:1', resources: { limits: { 'nvidia.com/gpu': '1' } } }] },
      });
    const { result } = await world.run([handOver({ deadlines: { ready: '3m' } })], atStep('h/old-gone', greedy));
    expect(result.failure?.step).toBe('h/new-ready');
    expect(result.failure?.troubles.map(({ message }) => message).join()).toContain('shop/greedy');
  });
});

describe('steps', () => {
  it('are skipped while their condition is false, and judged when their turn comes', async () => {
    const world = await TwinWorld.open();
    const { result } = await world.run([
      { id: 'stop', scale: { object: 'from', replicas: 0 } },
      { id: 'gone', waitGone: { object: 'from' } },
      { id: 'never', scale: { object: 'to', replicas: 3 }, when: 'from.spec.replicas > 0' },
      { id: 'start', scale: { object: 'to', replicas: 1 }, when: 'from.spec.replicas == 0' },
    ]);
    expect([result.outcome, stateOf(result, 'never'), stateOf(result, 'start')]).toEqual(['completed', 'skipped', 'done']);
    expect(await world.get(resources.deployments, 'new')).toMatchObject({ spec: { replicas: 1 } });
  });

  it('are not done before their postcondition holds, and say which one did not', async () => {
    const world = await TwinWorld.open();
    const { result } = await world.run([
      { id: 'stop', scale: { object: 'from', replicas: 0 }, postcondition: 'to.status.replicas == 5', deadline: '10s' },
    ]);
    expect(result).toMatchObject({
      outcome: 'halted',
      failure: { step: 'stop', reason: 'the deadline passed: postcondition to.status.replicas == 5 does not hold yet' },
    });
  });

  it('name a trouble that has lasted longer than its grace, long before the deadline', async () => {
    const world = await TwinWorld.open({ fail: 'crash-loop' });
    const { result, events } = await world.run();
    expect(result.failure?.troubles).toMatchObject([{ code: 'CrashLoopBackOff' }]);
    const ready = events.find((event) => event.type === 'stepStarted' && event.step === 'h/new-ready');
    const failed = events.find((event) => event.type === 'stepFailed');
    expect(
      Date.parse(failed?.type === 'stepFailed' ? failed.at : '') - Date.parse(ready?.type === 'stepStarted' ? ready.at : ''),
    ).toBeLessThan(5 * 60_000);
  });
});

describe('the outage that a summary tells', () => {
  it('is the time without a ready endpoint, to the virtual millisecond of the events', async () => {
    const world = await TwinWorld.open({ start: '90s' });
    const { result, events } = await world.run();
    const backends = events.flatMap((event) => (event.type === 'backends' ? [{ at: event.at, ready: event.ready.length }] : []));
    expect(backends.map(({ ready }) => ready)).toEqual([1, 0, 1]);
    expect(result.outage?.totalMs).toBe(Date.parse(backends[2]?.at ?? '') - Date.parse(backends[1]?.at ?? ''));
    expect(result.outage?.totalMs).toBeGreaterThan(90_000);
  });
});
