import { describe, expect, it } from 'vitest';
import { proposeFix, type Fix } from '../../../src/network/query/fix.ts';
import { custom, namespace, pod, policy, service, workload } from '../inventory/network-objects.ts';
import { ask, verdictOf } from './ask.ts';

const web = workload('shop/web');
const front = service('shop/front', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] });
const base = [namespace('shop'), namespace('desk'), workload('shop/till'), workload('desk/memo'), web, front];
const shutWeb = policy('shop/web', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] });
const shutTill = policy('shop/till', { podSelector: { matchLabels: { app: 'till' } }, policyTypes: ['Egress'], egress: [] });

const fixOf = (texts: readonly string[], from = 'deploy/till', to = 'svc/front', port?: number): Fix =>
  proposeFix(ask([...base, ...texts], from, to, port === undefined ? {} : { port }));

/** The cluster with the changes applied. */
const applied = (texts: readonly string[], { changes }: Fix): readonly string[] => {
  const names = new Set(changes.map(({ manifest }) => `"name": "${manifest.metadata.name}"`));
  const kept = texts.filter((text) => !text.includes('"kind": "NetworkPolicy"') || ![...names].some((name) => text.includes(name)));
  return [...kept, ...new Set(changes.map(({ manifest }) => `---\n${JSON.stringify(manifest, undefined, 2)}\n`))];
};

describe('the smallest rule', () => {
  it('for the half that is shut, in the policy that shuts it', () => {
    const { changes, opens, obstacles } = fixOf([shutWeb]);
    expect(changes).toMatchObject([{ half: 'ingress', kind: 'newRule', policy: 'shop/web', index: 0 }]);
    expect(changes[0]?.rule).toEqual({
      from: [{ podSelector: { matchLabels: { app: 'till' } } }],
      ports: [{ protocol: 'TCP', port: 8080 }],
    });
    expect([opens, obstacles]).toEqual([true, []]);
  });

  it('names the namespace of a client in another one, by the label that every namespace has', () => {
    expect(fixOf([shutWeb], 'deploy/memo.desk').changes[0]?.rule).toMatchObject({
      from: [
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'desk' } }, podSelector: { matchLabels: { app: 'memo' } } },
      ],
    });
  });

  it('for both halves, where both are shut; each is needed', () => {
    const fix = fixOf([shutWeb, shutTill]);
    expect(fix.changes.map(({ half, policy: name }) => [half, name])).toEqual([
      ['egress', 'shop/till'],
      ['ingress', 'shop/web'],
    ]);
    expect(fix.opens).toBe(true);
    const objects = [...base, shutWeb, shutTill];
    expect(verdictOf(applied(objects, fix), 'deploy/till', 'svc/front')).toBe('allowed');
    for (const change of fix.changes)
      expect(verdictOf(applied(objects, { ...fix, changes: [change] }), 'deploy/till', 'svc/front')).toBe('denied');
  });

  it('opens for nobody else and on nothing else', () => {
    const objects = applied([...base, shutWeb], fixOf([shutWeb]));
    expect(verdictOf(objects, 'deploy/till', 'svc/front')).toBe('allowed');
    expect(verdictOf(objects, 'deploy/memo.desk', 'svc/front')).toBe('denied');
    expect(verdictOf(objects, 'deploy/till', 'deploy/web', { port: 8081 })).toBe('denied');
  });

  it('is one more port where a rule for just this client is there already', () => {
    const other = policy('shop/web', {
      podSelector: { matchLabels: { app: 'web' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'till' } } }], ports: [{ protocol: 'TCP', port: 9090 }] }],
    });
    const { changes, opens } = fixOf([other]);
    expect(changes).toMatchObject([{ kind: 'newPort', index: 0 }]);
    expect(changes[0]?.rule.ports).toEqual([
      { protocol: 'TCP', port: 9090 },
      { protocol: 'TCP', port: 8080 },
    ]);
    expect(opens).toBe(true);
  });

  it('goes into the policy that selects the fewest pods', () => {
    const all = policy('shop/all', { podSelector: {}, policyTypes: ['Ingress'] });
    expect(fixOf([all, shutWeb]).changes).toMatchObject([{ policy: 'shop/web', cautions: [] }]);
    expect(fixOf([all]).changes[0]?.cautions).toEqual(['the policy also selects other pods: the rule holds for them, too']);
  });

  it('never goes by a label that changes with every rollout', () => {
    const bare = pod('shop/x', { labels: { app: 'x', 'pod-template-hash': '7d9f', 'controller-revision-hash': 'a' }, ip: '10.0.0.1' });
    expect(fixOf([shutWeb, bare], 'pod/x').changes[0]?.rule).toMatchObject({ from: [{ podSelector: { matchLabels: { app: 'x' } } }] });
  });

  it('says who else carries the labels that it goes by', () => {
    const twin = workload('shop/twin', { labels: { app: 'till', also: 'twin' } });
    expect(fixOf([shutWeb, twin]).changes[0]?.cautions).toEqual([
      'the same labels are carried by shop/twin[Deployment]: the rule covers them, too',
    ]);
  });

  it('is an address range for an address', () => {
    const { changes, opens } = fixOf([shutTill], 'deploy/till', '203.0.113.9', 443);
    expect(changes[0]?.rule).toEqual({ to: [{ ipBlock: { cidr: '203.0.113.9/32' } }], ports: [{ protocol: 'TCP', port: 443 }] });
    expect(opens).toBe(true);
    expect(fixOf([shutTill], 'deploy/till', 'fd00::/64', 443).changes[0]?.rule).toMatchObject({ to: [{ ipBlock: { cidr: 'fd00::/64' } }] });
  });

  it('leaves out what a server adds, and keeps labels', () => {
    const live = custom('networking.k8s.io/v1', 'NetworkPolicy', 'shop/web', {
      metadata: {
        name: 'web',
        namespace: 'shop',
        uid: 'u',
        resourceVersion: '7',
        generation: 1,
        creationTimestamp: '2026-11-30T12:00:00Z',
        labels: { a: 'b' },
        managedFields: [],
      },
      spec: { podSelector: {}, policyTypes: ['Ingress'] },
    });
    expect(fixOf([live]).changes[0]?.manifest.metadata).toEqual({ name: 'web', namespace: 'shop', labels: { a: 'b' } });
  });

  it('two servers in one policy: one manifest with both rules', () => {
    const all = policy('shop/all', { podSelector: {}, policyTypes: ['Egress'] });
    const fix = fixOf([all, workload('desk/memo2')], 'deploy/till', 'ns/desk', 8080);
    expect(fix.changes).toHaveLength(2);
    expect(fix.changes.map(({ manifest }) => manifest.spec?.egress?.length)).toEqual([2, 2]);
    expect(fix.opens).toBe(true);
  });
});

describe('what a rule cannot do', () => {
  const admin = (tier: string) =>
    custom('policy.networking.k8s.io/v1beta1', 'ClusterNetworkPolicy', 'guard', {
      spec: { tier, priority: 1, subject: { namespaces: {} }, ingress: [{ name: 'none', action: 'Deny', from: [{ namespaces: {} }] }] },
    });

  it('get past a cluster policy of the Admin tier', () => {
    const fix = fixOf([admin('Admin')]);
    expect(fix).toMatchObject({ changes: [], opens: false });
    expect(fix.obstacles).toEqual([
      'ClusterNetworkPolicy guard denies it before any NetworkPolicy is asked: only whoever owns it can change that',
    ]);
  });

  it('be the first policy of a pod without a word about the rest', () => {
    const fix = fixOf([admin('Baseline')]);
    expect(fix).toMatchObject({ opens: true, changes: [{ kind: 'newPolicy', half: 'ingress', policy: 'shop/web-from-till' }] });
    expect(fix.changes[0]?.cautions).toEqual([
      'it is the first ingress policy of shop/web[Deployment]: whatever else it is reached by is shut from then on, unless a rule for it is added',
    ]);
  });

  it('settle what depends', () => {
    const cilium = custom('cilium.io/v2', 'CiliumNetworkPolicy', 'shop/x', {});
    expect(fixOf([shutWeb, cilium]).opens).toBe(false);
  });

  it('nothing to do for an open path', () => {
    expect(fixOf([])).toEqual({ changes: [], opens: true, obstacles: [] });
  });
});
