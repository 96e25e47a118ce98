import { describe, expect, it } from 'vitest';
import { lossOf } from '../../../src/network/diff/reach-diff.ts';
import { namespace, policy, service, workload } from '../inventory/network-objects.ts';
import { compare, linesOf } from './compare.ts';

const yaml = (...texts: readonly string[]): string => texts.join('');

const fromPods = (app: string, port: number) => ({ from: [{ podSelector: { matchLabels: { app } } }], ports: [{ port }] });
const server = { matchLabels: { app: 'server' } };

const cluster = yaml(namespace('shop'), workload('shop/client'), workload('shop/other'), workload('shop/server'));
const guarded = (...ingress: readonly object[]): string => yaml(cluster, policy('shop/guard', { podSelector: server, ingress }));

describe('compareStates: who lost what, and by which change', () => {
  it('finds nothing between a state and itself', () => {
    expect(compare(guarded(fromPods('client', 8080)), guarded(fromPods('client', 8080)))).toEqual({
      added: [],
      removed: [],
      changed: [],
      changes: [],
      dependsOn: [],
    });
  });

  it('names a removed rule', () => {
    const diff = compare(guarded(fromPods('client', 8080), fromPods('other', 9090)), guarded(fromPods('other', 9090)));
    expect(linesOf(diff.removed)).toEqual(['shop/client -> shop/server: TCP 8080 allowed -> denied']);
    expect(diff.removed[0]?.because).toEqual(['NetworkPolicy shop/guard: ingress rule 0 removed']);
    expect(diff.changes).toMatchObject([{ source: expect.stringMatching(/^net\.yaml:\d+$/), hasEffect: true, firstFor: [] }]);
    expect([diff.added, diff.changed, lossOf(diff)]).toEqual([[], [], 'lost']);
  });

  it('tells an edited rule, an added rule and an edited selector of one policy apart', () => {
    const before = guarded(fromPods('client', 8080));
    const diff = compare(before, guarded(fromPods('client', 8081), fromPods('other', 1)));
    expect(linesOf(diff.changed)).toEqual(['shop/client -> shop/server: TCP 8080 allowed -> denied, TCP 8081 denied -> allowed']);
    expect(diff.changed[0]?.because).toEqual(['NetworkPolicy shop/guard: ingress rule 0 edited']);
    expect(diff.added).toMatchObject([{ from: 'shop/other[Deployment]', because: ['NetworkPolicy shop/guard: ingress rule 1 added'] }]);
    expect(lossOf(diff)).toBe('lost');
  });

  it('says for whom a policy is the first, and that all ports go with it', () => {
    const diff = compare(cluster, guarded(fromPods('client', 8080)));
    expect(linesOf(diff.removed)).toEqual(
      ['shop/other', 'IPv4', 'IPv6'].map(
        (from) => `${from} -> shop/server: TCP 1-65535 allowed -> denied, UDP 1-65535 allowed -> denied, SCTP 1-65535 allowed -> denied`,
      ),
    );
    expect(linesOf(diff.changed)).toEqual([
      'shop/client -> shop/server: TCP 1-8079 allowed -> denied, TCP 8081-65535 allowed -> denied, UDP 1-65535 allowed -> denied, SCTP 1-65535 allowed -> denied',
    ]);
    expect(diff.changes).toMatchObject([{ text: 'NetworkPolicy shop/guard added', firstFor: ['shop/server[Deployment] for ingress'] }]);
  });

  it('blames the label that was taken away, not the policy', () => {
    const diff = compare(
      guarded(fromPods('client', 8080)),
      guarded(fromPods('client', 8080)).replace(workload('shop/client'), workload('shop/client', { labels: { app: 'renamed' } })),
    );
    expect(linesOf(diff.removed)).toEqual(['shop/client -> shop/server: TCP 8080 allowed -> denied']);
    expect(diff.removed[0]?.because).toEqual(['shop/client[Deployment]: label app=client -> renamed']);
  });

  it("blames a namespace's label", () => {
    const rule = { from: [{ namespaceSelector: { matchLabels: { team: 'a' } } }], ports: [{ port: 80 }] };
    const state = (labels: Readonly<Record<string, string>>): string =>
      yaml(
        namespace('shop'),
        namespace('team', labels),
        workload('team/client'),
        workload('shop/server'),
        policy('shop/guard', { podSelector: {}, ingress: [rule] }),
      );
    const diff = compare(state({ team: 'a' }), state({ team: 'b' }));
    expect(linesOf(diff.removed)).toEqual(['team/client -> shop/server: TCP 80 allowed -> denied']);
    expect(diff.removed[0]?.because).toEqual(['Namespace team: label team=a -> b']);
  });

  it('blames the port name that moved', () => {
    const rule = { ...fromPods('client', 0), ports: [{ port: 'http' }] };
    const moved = workload('shop/server', { ports: [{ name: 'http', containerPort: 9000 }] });
    const diff = compare(guarded(rule), guarded(rule).replace(workload('shop/server'), moved));
    expect(linesOf(diff.changed)).toEqual(['shop/client -> shop/server: TCP 8080 allowed -> denied, TCP 9000 denied -> allowed']);
    expect(diff.changed[0]?.because).toEqual(['shop/server[Deployment]: port name http=TCP 8080 -> TCP 9000']);
  });

  it('names both of two policies when each alone shuts the port, and both when only both do', () => {
    const shut = (name: string) => policy(`shop/${name}`, { podSelector: server, policyTypes: ['Ingress'] });
    const either = compare(cluster, yaml(cluster, shut('one'), shut('two')));
    expect(either.removed[0]?.because).toEqual(['NetworkPolicy shop/one added', 'NetworkPolicy shop/two added']);

    const open = policy('shop/one', { podSelector: server, ingress: [fromPods('client', 80)], policyTypes: ['Ingress'] });
    const alsoOpen = policy('shop/two', { podSelector: server, policyTypes: ['Ingress'], ingress: [fromPods('client', 80)] });
    const bystander = policy('shop/three', { podSelector: { matchLabels: { app: 'other' } }, policyTypes: ['Ingress'] });
    const both = compare(yaml(cluster, open, alsoOpen), yaml(cluster, shut('one'), shut('two'), bystander));
    expect(both.removed.find(({ to }) => to === 'shop/server[Deployment]')?.because).toEqual([
      'NetworkPolicy shop/one: ingress rule 0 removed',
      'NetworkPolicy shop/two: ingress rule 0 removed',
    ]);
  });

  it('says of a change that nobody notices that it has no effect', () => {
    const diff = compare(guarded(fromPods('client', 8080)), guarded(fromPods('client', 8080), fromPods('nobody', 1)));
    expect(diff).toMatchObject({ added: [], removed: [], changed: [] });
    expect(diff.changes).toMatchObject([{ text: 'NetworkPolicy shop/guard: ingress rule 1 added', hasEffect: false }]);
    expect(lossOf(diff)).toBe('none');
  });

  it('cuts the outside where either state does', () => {
    const block = (cidr: string) => ({ from: [{ ipBlock: { cidr } }], ports: [{ port: 443 }] });
    const diff = compare(guarded(block('10.0.0.0/8')), guarded(block('10.0.0.0/9')));
    expect(linesOf(diff.removed)).toEqual(['10.128.0.0-10.255.255.255 -> shop/server: TCP 443 allowed -> denied']);
  });

  it('does not count it as a loss that a workload is gone', () => {
    const diff = compare(cluster, cluster.replace(workload('shop/other'), ''));
    expect(diff.removed.length).toBeGreaterThan(0);
    expect(diff.removed.every(({ endChanged, because }) => endChanged && because.join() === 'shop/other[Deployment] removed')).toBe(true);
    expect(lossOf(diff)).toBe('none');
  });

  it('follows Services: a port, a selector, a whole Service', () => {
    const state = (spec: object): string => yaml(cluster, service('shop/front', spec));
    const web = {
      selector: { app: 'server' },
      ports: [
        { port: 80, targetPort: 8080 },
        { port: 81, targetPort: 8080 },
      ],
    };
    const fewer = compare(state(web), state({ ...web, ports: [web.ports[0]] }));
    expect(linesOf(fewer.changed)).toContain('shop/client -> shop/front[Service]: TCP 81 allowed -> denied');
    expect(fewer.changed[0]?.because).toEqual(['Service shop/front: port 81 to 8080 removed']);

    const lost = compare(state(web), state({ ...web, selector: { app: 'nobody' } }));
    expect(linesOf(lost.removed)).toContain('shop/client -> shop/front[Service]: TCP 80-81 allowed -> denied');
    expect(lost.changes).toMatchObject([{ text: 'Service shop/front: selector app=server -> app=nobody' }]);

    const shut = policy('shop/guard', { podSelector: server, policyTypes: ['Ingress'] });
    const { removed } = compare(yaml(state(web), shut), yaml(cluster, shut));
    expect(removed.map(({ from }) => from)).toEqual(['shop/server[Deployment]']); // a pod reaches itself, whatever policies say

    const gone = compare(state(web), cluster);
    expect(gone.removed[0]?.because).toEqual(['Service shop/front removed']);
    expect(lossOf(gone)).toBe('lost');

    const moved = compare(state(web), state(web).replace(workload('shop/server'), workload('shop/server', { labels: { app: 'else' } })));
    expect(moved.changes).toMatchObject([{ hasEffect: false }, { text: 'Service shop/front: its pods server -> none', hasEffect: true }]);
  });
});
