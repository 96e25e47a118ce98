import { describe, expect, it } from 'vitest';
import type { ProbeMeans } from '../../src/cluster/prober.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { renderPlan } from '../../src/views/plan.ts';
import { handOver, TwinWorld } from '../engine/twin-world.ts';

const client = { resource: resources.deployments, namespace: 'shop', name: 'client' };

const able: Extract<ProbeMeans, { kind: 'able' }> = {
  kind: 'able',
  client,
  namespace: 'shop',
  pod: 'client-0',
  container: 'server',
  tools: [
    { name: 'curl', version: '8.5.0', http: true, tcp: true },
    { name: 'wget', version: '1.21', http: true, tcp: false },
  ],
  http: 'curl',
  tcp: 'curl',
};

/** A plan of the twin, whose prober says this of its client's pod. */
const planWith = async (means: ProbeMeans, step = handOver()) => {
  const world = await TwinWorld.open();
  const { prober } = world;
  world.prober = { ask: (...question) => prober.ask(...question), means: async () => means };
  const { plan } = await world.plan([step]);
  return plan;
};

describe('the plan of a run that asks from pods', () => {
  it('says from which and with what, and what else is in it', async () => {
    const plan = await planWith(able);
    expect(plan.blockers).toEqual([]);
    expect(plan.probes).toEqual([
      { client: 'deployment/client.shop', namespace: 'shop', pod: 'client-0', container: 'server', tools: able.tools, http: 'curl' },
    ]);
    expect(renderPlan(plan, plainStyle)).toContain(
      'asks from pod client-0 of deployment/client.shop, container server, with curl 8.5.0\n  also in it: wget 1.21\n',
    );
  });

  it('is refused where the pod has nothing that can ask this', async () => {
    const { tcp: _, ...httpOnly } = { ...able, tools: able.tools.slice(1), http: 'wget' };
    expect((await planWith(httpOnly)).blockers).toEqual([]);
    const { blockers } = await planWith(httpOnly, handOver({ path: undefined }));
    expect(blockers).toMatchObject([
      { code: 'NoProbeTool', reason: expect.stringMatching(/^wget in pod client-0 .* cannot make a bare connection/) },
    ]);
    expect(blockers[0]?.nextSteps.join('\n')).toMatch(/--probe-image IMAGE[\s\S]*--no-probe/);
  });

  it.each([
    ['NoProbeTool', /--probe-image IMAGE/],
    ['NoClientPod', /kubectl get pods -n shop/],
    ['ForbiddenToExec', /\{apiGroups: \[""\], resources: \["pods\/exec"\], verbs: \["create", "get"\]\}/],
    ['ExecFailed', /kubectl exec -n shop/],
  ])('is refused, with what to do about it: %s', async (code, advice) => {
    const { blockers, probing } = await planWith({ kind: 'unable', client, code, reason: 'so it is' });
    expect(probing).toBe(true);
    expect(blockers).toMatchObject([{ code, reason: 'so it is' }]);
    expect(blockers[0]?.nextSteps[0]).toMatch(advice);
    expect(blockers[0]?.nextSteps.at(-1)).toContain('--no-probe');
  });

  it('does not mind who cannot be asked when there is nothing to do', async () => {
    const world = await TwinWorld.open();
    expect((await world.run()).result.outcome).toBe('completed');
    const { prober } = world;
    world.prober = {
      ask: (...question) => prober.ask(...question),
      means: async () => ({ kind: 'unable', client, code: 'NoClientPod', reason: 'so it is' }),
    };
    expect((await world.plan()).plan).toMatchObject({ nothingToDo: true, blockers: [] });
  });
});
