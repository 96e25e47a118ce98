import { describe, expect, it } from 'vitest';
import type { Cluster } from '../../src/cluster/cluster.ts';
import type { RunEvent } from '../../src/engine/event.ts';
import type { Pod } from '../../src/kubernetes/pod.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { probeLabel } from '../../src/network/probe/probe-pod-marks.ts';
import type { PlannedRun } from '../../src/operations/plan-runbook.ts';
import { isGoneMaker, thisMaker } from '../../src/operations/process-maker.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { renderPlan } from '../../src/views/plan.ts';
import { handOver, TwinWorld } from '../engine/twin-world.ts';

const namespace = 'shop';

const plan = (
  world: TwinWorld,
  {
    step = handOver(),
    ...more
  }: { readonly cluster?: Cluster; readonly step?: ReturnType<typeof handOver>; readonly simulated?: boolean } = {},
): Promise<PlannedRun> => world.plan([step], { probeImage: 'tools:1', ...more });

const probePods = async ({ cluster }: TwinWorld): Promise<readonly Pod[]> =>
  (await cluster.list({ resource: resources.pods, namespace, labelSelector: probeLabel })).items as readonly Pod[];

const carryOut = async (
  planned: PlannedRun,
  during: (event: RunEvent) => void = () => undefined,
  signal = new AbortController().signal,
) => {
  const events: RunEvent[] = [];
  const result = await planned.run((event) => {
    events.push(event);
    during(event);
  }, signal);
  await planned.close();
  return { result, events };
};

describe('--probe-image', () => {
  it('is shown in the plan, which makes nothing', async () => {
    const world = await TwinWorld.open();
    const planned = await plan(world);
    expect(renderPlan(planned.plan, plainStyle)).toContain(
      [
        'a probe pod of tools:1 is created in shop for this run, and removed at its end',
        '  it stands in for deployment/client.shop, on worker-1, without pod-template-hash=',
      ].join('\n'),
    );
    expect(renderPlan(planned.plan, plainStyle)).toContain(
      '  worker-1 does not report tools:1: it is pulled there, unless the node has it after all\n',
    );
    expect(await probePods(world)).toEqual([]);
    await planned.close();
  });

  it('makes the pod before the first write, asks from it, and has removed it when the run says that it has ended', async () => {
    const world = await TwinWorld.open();
    const asked = new Set<string>();
    const { prober } = world;
    world.prober = {
      ask: (question, signal) => {
        asked.add(`${question.client.resource.kind}/${question.client.name}`);
        return prober.ask(question, signal);
      },
    };
    const planned = await plan(world);
    const counts: Promise<readonly [RunEvent['type'], number]>[] = [];
    const { result } = await carryOut(planned, ({ type }) => {
      if (type === 'runStarted' || type === 'written' || type === 'runFinished')
        counts.push(probePods(world).then((pods) => [type, pods.length] as const));
    });
    expect(result).toMatchObject({ outcome: 'completed', probed: true });
    expect([...asked]).toEqual([expect.stringMatching(/^Pod\/poimen-probe-[0-9a-f]{8}x$/)]);
    expect(await Promise.all(counts)).toEqual([
      ['runStarted', 1],
      ['written', 1],
      ['written', 1],
      ['written', 1],
      ['runFinished', 0],
    ]);
  });

  it('leaves nothing after a run that fails, and none that is interrupted', async () => {
    const failing = await TwinWorld.open({ fail: 'image-not-found' });
    expect((await carryOut(await plan(failing))).result.outcome).toBe('halted');
    expect(await probePods(failing)).toEqual([]);

    const interrupted = await TwinWorld.open();
    const abort = new AbortController();
    const { result } = await carryOut(await plan(interrupted), ({ type }) => type === 'written' && abort.abort(), abort.signal);
    expect(result.outcome).toBe('interrupted');
    expect(await probePods(interrupted)).toEqual([]);
  });

  it('an interrupt while the pod starts ends the run before its first step', async () => {
    const world = await TwinWorld.open();
    const abort = new AbortController();
    const { result, events } = await carryOut(await plan(world), ({ type }) => type === 'waiting' && abort.abort(), abort.signal);
    expect(result).toMatchObject({ outcome: 'interrupted', changes: [] });
    expect(events.at(-1)?.type).toBe('runFinished');
    expect(await probePods(world)).toEqual([]);
  });

  it('refuses, before anything is written, where the pod may not be', async () => {
    const world = await TwinWorld.open();
    await world.create(resources.services, 'clients', {
      spec: { selector: { app: 'client' }, ports: [{ port: 80 }], publishNotReadyAddresses: true },
    });
    await world.create(resources.networkPolicies, 'clients', {
      spec: { podSelector: { matchLabels: { app: 'client' } }, policyTypes: ['Ingress'] },
    });
    const planned = await plan(world);
    expect(planned.plan.blockers).toMatchObject([{ code: 'ProbePodWouldInterfere' }]);
    expect((await carryOut(planned)).result).toMatchObject({ outcome: 'refused', changes: [] });
  });

  it('what came in the way after the yes refuses, too', async () => {
    const world = await TwinWorld.open();
    const planned = await plan(world);
    expect(planned.plan.blockers).toEqual([]);
    await world.patch(resources.deployments, 'client', { spec: { replicas: 0 } });
    world.clock.fastForward(60_000);
    const { result } = await carryOut(planned);
    expect(result).toMatchObject({ outcome: 'refused', changes: [], failure: { blockers: [{ code: 'ClientNotRunning' }] } });
  });

  it('tells in the plan what admission would say to the pod, in the server’s words', async () => {
    const world = await TwinWorld.open();
    await world.create(resources.resourceQuotas, 'pods', { spec: { hard: { pods: '0' } } });
    const { plan: shown, close } = await plan(world);
    expect(shown.blockers).toMatchObject([
      { code: 'Forbidden', reason: expect.stringMatching(/^the probe pod for deployment\/client\.shop: .*exceeded quota/s) },
    ]);
    await close();
  });

  it('asks before whether this user may make, use and remove it', async () => {
    const world = await TwinWorld.open();
    const asked: string[] = [];
    const reviewing = new Proxy(world.cluster, {
      get: (target, name) => {
        if (name !== 'create')
          return (Reflect.get(target, name) as { bind?: (to: object) => unknown }).bind?.(target) ?? Reflect.get(target, name);
        return async (...[resource, object, options]: Parameters<Cluster['create']>) => {
          const stored = await target.create(resource, object, options);
          if (resource.kind !== 'SelfSubjectAccessReview') return stored;
          const { resourceAttributes: of } = object['spec'] as {
            resourceAttributes: { verb: string; resource: string; subresource?: string };
          };
          const what = `${of.verb} ${of.resource}${of.subresource === undefined ? '' : `/${of.subresource}`}`;
          asked.push(what);
          return { ...stored, status: { allowed: what !== 'create pods/exec' } };
        };
      },
    });
    const { plan: shown, close } = await plan(world, { cluster: reviewing, simulated: false });
    expect(asked).toEqual(expect.arrayContaining(['create pods', 'delete pods', 'create pods/exec']));
    expect(shown.blockers).toMatchObject([
      { code: 'ForbiddenToWrite', reason: 'user "this user" may not create pods/exec in shop: the probe pod for deployment/client.shop' },
    ]);
    await close();
  });

  it('makes nothing where there is nothing to do', async () => {
    const world = await TwinWorld.open();
    await carryOut(await plan(world));
    const again = await plan(world);
    expect(again.plan).toMatchObject({ nothingToDo: true, blockers: [] });
    expect(again.plan).not.toHaveProperty('probePods');
    await carryOut(again, () => undefined);
    expect(await probePods(world)).toEqual([]);
  });

  it('is refused where no step asks for anybody', async () => {
    const world = await TwinWorld.open();
    const { plan: shown, close } = await plan(world, { step: { id: 's', scale: { object: 'from', replicas: 0 } } });
    expect(shown.blockers).toMatchObject([{ code: 'NoClientToStandInFor' }]);
    await close();
  });
});

describe('who made a probe pod', () => {
  it('is known to live as long as it does, and to be gone when its number belongs to nobody or to a later process', () => {
    const maker = thisMaker();
    expect(isGoneMaker(maker)).toBe(false);
    expect(isGoneMaker(maker.replace(/ (\d+) (\d+)$/, ' $1 1$2'))).toBe(true);
    expect(isGoneMaker(maker.replace(/ (\d+) (\d+)$/, ' 4194999 $2'))).toBe(true);
  });

  it('is not known to be gone when it ran elsewhere', () => {
    expect(isGoneMaker(`elsewhere/boot/pid:[1] ${process.pid} 1`)).toBe(false);
    expect(isGoneMaker('')).toBe(false);
  });
});
