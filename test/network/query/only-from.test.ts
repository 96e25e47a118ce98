import { describe, expect, it } from 'vitest';
import { cniProfiles } from '../../../src/network/inventory/cni-profiles.ts';
import { answerOnlyFrom as answered, type OnlyFromAnswer } from '../../../src/network/query/only-from.ts';
import { custom, inventoryOf, namespace, pod, policy, service, workload } from '../inventory/network-objects.ts';
import { endOf } from './ask.ts';

const answerOnlyFrom = (...question: Parameters<typeof answered>): OnlyFromAnswer => answered(...question).answer;

const base = [
  namespace('shop'),
  namespace('desk', { team: 'a' }),
  workload('shop/till'),
  workload('shop/other'),
  workload('desk/memo'),
  workload('shop/web'),
  service('shop/front', { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] }),
];
const letIn = (...from: readonly object[]) =>
  policy('shop/web', {
    podSelector: { matchLabels: { app: 'web' } },
    policyTypes: ['Ingress'],
    ingress: [{ from, ports: [{ protocol: 'TCP', port: 8080 }] }],
  });
const till = { podSelector: { matchLabels: { app: 'till' } } };

const onlyFrom = (texts: readonly string[], ...only: readonly string[]): OnlyFromAnswer => {
  const inventory = inventoryOf([...base, ...texts].join(''));
  return answerOnlyFrom(inventory, {
    only: (only.length === 0 ? ['deploy/till'] : only).map((text) => endOf(text, inventory)),
    to: endOf('svc/front', inventory),
  });
};
const others = (texts: readonly string[], ...only: readonly string[]) =>
  onlyFrom(texts, ...only).others.map(({ client, verdict }) => `${client}: ${verdict}`);

describe('only from', () => {
  it('holds where a rule lets in just this one', () => {
    expect(onlyFrom([letIn(till)])).toMatchObject({
      verdict: 'yes',
      others: [],
      meant: [{ client: 'deployment/till.shop', verdict: 'allowed' }],
    });
  });

  it('names everybody where nothing isolates the server', () => {
    const { verdict } = onlyFrom([]);
    expect(verdict).toBe('no');
    expect(others([])).toEqual(
      expect.arrayContaining([
        'desk/memo[Deployment]: allowed',
        'shop/other[Deployment]: allowed',
        'any pod in any namespace: allowed',
        '0.0.0.0/0: depends',
      ]),
    );
  });

  it.each([
    [
      'all pods of a namespace',
      [letIn(till, { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'desk' } } })],
      ['desk/memo[Deployment]: allowed', 'any pod in namespace desk: allowed'],
    ],
    [
      'all pods of namespaces with a label, also new ones',
      [letIn(till, { namespaceSelector: { matchLabels: { team: 'a' } } })],
      ['desk/memo[Deployment]: allowed', 'any pod in namespace desk: allowed', 'any pod in a namespace labelled team=a: allowed'],
    ],
    [
      'a label that nobody carries yet',
      [letIn(till, { podSelector: { matchLabels: { role: 'admin' } } })],
      ['any pod labelled role=admin in namespace shop: allowed'],
    ],
    [
      'a label that somebody carries',
      [letIn(till, { podSelector: { matchLabels: { app: 'other' } } })],
      ['shop/other[Deployment]: allowed', 'any pod labelled app=other in namespace shop: allowed'],
    ],
    [
      'a namespace that is not there',
      [letIn(till, { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'later' } } })],
      ['any pod in namespace later: allowed'],
    ],
  ])('finds %s', (_what, texts, expected) => {
    expect(others(texts).toSorted()).toEqual(expected.toSorted());
    expect(onlyFrom(texts).verdict).toBe('no');
  });

  it('an address range outside, as far as the Service is open to it', () => {
    const inventory = inventoryOf([...base, letIn(till, { ipBlock: { cidr: '203.0.113.0/24' } })].join(''));
    const question = { only: [endOf('deploy/till', inventory)], to: endOf('svc/front', inventory) };
    const { verdict, others: found } = answerOnlyFrom(inventory, question, cniProfiles['cilium']);
    expect(found.map((other) => `${other.client}: ${other.verdict}`)).toEqual(['203.0.113.0-203.0.113.255: depends']);
    expect(verdict).toBe('depends');
    expect(answerOnlyFrom(inventory, question).others).not.toHaveLength(1); // without --cni it may cover pods, too
  });

  it('the same label in two hands is one client to a rule', () => {
    expect(others([letIn(till), workload('shop/twin', { labels: { app: 'till', also: 'twin' } })])).toEqual([
      'shop/twin[Deployment]: allowed',
    ]);
  });

  it('somebody who is shut by his own egress does not reach it', () => {
    const shut = policy('shop/other', { podSelector: { matchLabels: { app: 'other' } }, policyTypes: ['Egress'] });
    expect(others([letIn({ podSelector: { matchLabels: { app: 'other' } } }, till), shut])).toEqual([
      'any pod labelled app=other in namespace shop: allowed',
    ]);
  });

  it('is a no when the one who is meant is shut out', () => {
    expect(onlyFrom([letIn({ podSelector: { matchLabels: { app: 'nobody' } } })], 'deploy/till').verdict).toBe('no');
    expect(onlyFrom([policy('shop/web', { podSelector: {}, policyTypes: ['Ingress'] })])).toMatchObject({
      verdict: 'no',
      others: [],
      meant: [{ verdict: 'denied' }],
    });
  });

  it('several may be meant, a namespace and labels as well', () => {
    const both = [letIn(till, { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'desk' } } })];
    expect(onlyFrom(both, 'deploy/till', 'ns/desk').verdict).toBe('yes');
    expect(onlyFrom([letIn(till)], 'app=till').verdict).toBe('yes');
  });

  it('depends on policies that are not evaluated', () => {
    expect(onlyFrom([letIn(till), custom('cilium.io/v2', 'CiliumNetworkPolicy', 'shop/x', {})]).verdict).toBe('depends');
  });

  it('lists what no policy keeps out, with the pods on the host network by name', () => {
    const agent = pod('shop/agent', { spec: { hostNetwork: true }, ip: '192.0.2.1', node: 'worker-1' });
    const way = custom('networking.k8s.io/v1', 'Ingress', 'shop/entry', {
      spec: { defaultBackend: { service: { name: 'front', port: { number: 80 } } } },
    });
    const hostPort = workload('shop/web-2', {
      labels: { app: 'web', also: 'x' },
      ports: [{ name: 'http', containerPort: 8080, hostPort: 80 }],
    });
    const { cannotExclude, verdict } = onlyFrom([letIn(till), agent, way, hostPort]);
    expect(cannotExclude).toContain('what comes in by hostPort 80 shop/web-2[Deployment]: policies see a node, or the client');
    expect(verdict).toBe('yes');
    expect(cannotExclude).toContain("pods on their node's network: shop/agent[Pod]");
    expect(cannotExclude).toContain("what comes in by Ingress ingress/entry.shop: policies see the controller's pods");
  });
});
