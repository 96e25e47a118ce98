import { describe, expect, it } from 'vitest';
import type { LabelSelector } from '../../../src/kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { createPolicyEngine } from '../../../src/network/policy/create-policy-engine.ts';
import type { PathQuestion, PathVerdict, PolicyWorld, Verdict } from '../../../src/network/policy/engine.ts';
import type { PodPeer, PolicyPeer } from '../../../src/network/policy/peer.ts';
import { policyInputOf } from '../../../src/network/policy/policy-input.ts';

// The API text of network-policy-api v0.3.0 (and v0.1.7 for the older kinds), sentence by sentence and example by example: there was no
// second evaluator to compare with.

const pod = (namespace: string, name: string, labels: Record<string, string> = {}, more: Partial<PodPeer> = {}): PodPeer => ({
  kind: 'pod',
  namespace,
  name,
  labels,
  addresses: [`10.0.0.${name.length}`],
  hostNetwork: false,
  nodeName: 'node-a',
  nodeAddresses: ['192.168.0.1'],
  namedPorts: [{ name: 'web-alt', protocol: 'TCP', port: 8081 }],
  ...more,
});
const outside = (address: string): PolicyPeer => ({ kind: 'address', address });
const named = (name: string): LabelSelector => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
const namespaces = ['sensitive-ns', 'monitoring-ns', 'kube-system', 'bar-ns-1', 'foo-ns-1', 'a'].map((name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { team: name } },
}));

const policyOf =
  (apiVersion: string, kind: string) =>
  (name: string, spec: object): KubernetesObject => ({
    apiVersion: `policy.networking.k8s.io/${apiVersion}`,
    kind,
    metadata: { name },
    spec,
  });
const cluster = policyOf('v1beta1', 'ClusterNetworkPolicy');
const admin = policyOf('v1alpha1', 'AdminNetworkPolicy');
const baseline = policyOf('v1alpha1', 'BaselineAdminNetworkPolicy');
const networkPolicy = (namespace: string, spec: object): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'np', namespace },
  spec,
});

const everyPod = { namespaces: {} };
const client = pod('a', 'client', { app: 'client' });
const server = pod('sensitive-ns', 'server-pod', { app: 'server' });

const ask = (objects: readonly KubernetesObject[], more: Partial<PathQuestion> = {}, world: Partial<PolicyWorld> = {}): PathVerdict =>
  createPolicyEngine({ policies: objects.flatMap((object) => policyInputOf(object) ?? []), namespaces, peers: [], ...world }).path({
    client,
    server,
    port: 80,
    protocol: 'TCP',
    ...more,
  });

const ingress = (name: string, rules: readonly object[], more: object = {}): KubernetesObject =>
  cluster(name, { tier: 'Admin', priority: 10, subject: everyPod, ingress: rules, ...more });
const egress = (name: string, rules: readonly object[], more: object = {}): KubernetesObject =>
  cluster(name, { tier: 'Admin', priority: 10, subject: everyPod, egress: rules, ...more });
const deny = { action: 'Deny', from: [everyPod] };
const accept = { action: 'Accept', from: [everyPod] };
const pass = { action: 'Pass', from: [everyPod] };
const isolated = networkPolicy('sensitive-ns', { podSelector: {}, policyTypes: ['Ingress'] });
const open = networkPolicy('sensitive-ns', { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}] });

describe('the user stories', () => {
  it('1: deny traffic at a cluster level', () => {
    const story = ingress(
      'cluster-wide-deny-example',
      [{ name: 'select-all-deny-all', action: 'Deny', from: [{ namespaces: { matchLabels: {} } }] }],
      {
        subject: { namespaces: named('sensitive-ns') },
      },
    );
    expect(ask([story]).verdict).toBe('denied');
    expect(ask([story, open]).verdict).toBe('denied'); // no developer overrides it
    expect(ask([story], { server: pod('a', 'other') }).verdict).toBe('allowed');
    expect(ask([story], { client: outside('203.0.113.9') }).verdict).toBe('allowed'); // namespaces hold pods only
  });

  it('2: allow traffic at a cluster level', () => {
    const story = cluster('cluster-wide-allow-example', {
      tier: 'Admin',
      priority: 30,
      subject: everyPod,
      ingress: [{ action: 'Accept', from: [{ namespaces: named('monitoring-ns') }] }],
      egress: [
        {
          action: 'Accept',
          to: [{ pods: { namespaceSelector: named('kube-system'), podSelector: { matchLabels: { app: 'kube-dns' } } } }],
        },
      ],
    });
    const shut = networkPolicy('a', { podSelector: {}, policyTypes: ['Egress'] });
    expect(ask([story, isolated], { client: pod('monitoring-ns', 'prometheus') }).verdict).toBe('allowed');
    expect(ask([story, isolated]).verdict).toBe('denied');
    expect(ask([story, shut], { server: pod('kube-system', 'dns', { app: 'kube-dns' }), port: 53, protocol: 'UDP' }).verdict).toBe(
      'allowed',
    );
    expect(ask([story, shut], { server: pod('kube-system', 'dns', { app: 'other' }) }).verdict).toBe('denied');
  });

  it('3: delegate traffic to the NetworkPolicies', () => {
    const story = egress(
      'pub-svc-delegate-example',
      [
        {
          action: 'Pass',
          to: [{ pods: { namespaceSelector: named('bar-ns-1'), podSelector: { matchLabels: { app: 'svc-pub' } } } }],
          protocols: [
            { tcp: { destinationPort: { number: 8080 } } },
            { destinationNamedPort: 'web-alt' },
            { udp: { destinationPort: { number: 53 } } },
          ],
        },
      ],
      { priority: 20 },
    );
    const denyAll = egress('deny-all', [{ action: 'Deny', to: [everyPod] }], { priority: 21 });
    const publicService = pod('bar-ns-1', 'svc', { app: 'svc-pub' });
    const to = (port: number, protocol: 'TCP' | 'UDP', policies: KubernetesObject[] = []): Verdict =>
      ask([denyAll, story, ...policies], { server: publicService, port, protocol }).verdict;
    expect([to(8080, 'TCP'), to(8081, 'TCP'), to(53, 'UDP')]).toEqual(['allowed', 'allowed', 'allowed']); // no NetworkPolicy: allowed
    expect([to(53, 'TCP'), to(8080, 'UDP'), to(8081, 'UDP')]).toEqual(['denied', 'denied', 'denied']);
    expect(to(8080, 'TCP', [networkPolicy('a', { podSelector: {}, policyTypes: ['Egress'] })])).toBe('denied');
  });

  it('5: a default that NetworkPolicies override', () => {
    const story = ingress('default', [deny], { tier: 'Baseline' });
    expect(ask([story]).verdict).toBe('denied');
    expect(ask([story, open]).verdict).toBe('allowed');
    expect(ask([story, isolated]).verdict).toBe('denied');
  });
});

describe('tiers and actions', () => {
  it.each<[string, KubernetesObject[], Verdict]>([
    ['Accept in the Admin tier: no NetworkPolicy is asked', [ingress('x', [accept]), isolated], 'allowed'],
    ['Pass in the Admin tier: the NetworkPolicies decide', [ingress('x', [pass]), isolated], 'denied'],
    ['Pass skips the later rules of the tier', [ingress('x', [pass, deny]), ingress('y', [deny], { priority: 11 })], 'allowed'],
    ['Pass, then the Baseline tier', [ingress('x', [pass]), ingress('y', [deny], { tier: 'Baseline' })], 'denied'],
    ['Pass in the Baseline tier: allowed as by default', [ingress('x', [pass, deny], { tier: 'Baseline' })], 'allowed'],
    ['no implicit isolation', [ingress('x', [{ ...deny, from: [{ namespaces: named('monitoring-ns') }] }])], 'allowed'],
    [
      'no ingress rules: ingress is not affected',
      [egress('x', [{ action: 'Deny', to: [{ namespaces: named('kube-system') }] }])],
      'allowed',
    ],
    ['the first rule that matches decides', [ingress('x', [accept, deny])], 'allowed'],
    ['the lower priority value goes first', [ingress('x', [deny], { priority: 2 }), ingress('y', [accept], { priority: 1 })], 'allowed'],
    ['Accept lets out, the destination still decides', [egress('x', [{ action: 'Accept', to: [everyPod] }]), isolated], 'denied'],
    ['equal priorities that say the same', [ingress('x', [deny]), ingress('y', [deny])], 'denied'],
    ['equal priorities of different tiers', [ingress('x', [accept]), ingress('y', [deny], { tier: 'Baseline' })], 'allowed'],
  ])('%s', (_case, policies, verdict) => {
    expect(ask(policies).verdict).toBe(verdict);
  });

  it('leaves equal priorities open, and names the two', () => {
    const { verdict, ingress: half } = ask([ingress('x', [deny]), ingress('y', [accept])]);
    expect(verdict).toBe('depends');
    expect(half.reason).toBe(
      'depends on which policy goes first, which the API leaves open for equal priorities: x denies it (ingress rule 0), y allows it (ingress rule 0)',
    );
  });

  it('names what denies', () => {
    expect(ask([ingress('x', [{ ...accept, from: [{ namespaces: named('kube-system') }] }, deny])]).ingress).toMatchObject({
      verdict: 'denied',
      policy: 'x',
      rule: 1,
      reason: 'x denies it (ingress rule 1)',
      findings: [
        {
          says: 'denies',
          rule: 1,
          rules: [
            {
              matches: 'no',
              pointer: '/spec/ingress/0',
              why: 'needs kubernetes.io/metadata.name=kube-system, namespace a has kubernetes.io/metadata.name=a',
            },
            { matches: 'yes', pointer: '/spec/ingress/1', why: 'covers pod a/client on TCP 80' },
          ],
        },
      ],
    });
  });
});

describe('peers', () => {
  const to = (peer: object, more: object = {}): KubernetesObject => egress('x', [{ action: 'Deny', to: [peer], ...more }]);
  const onHost = { hostNetwork: true, addresses: [], nodeName: 'node-b', nodeAddresses: ['192.168.0.2'] };
  const nodes = [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-b', labels: { zone: 'b' } },
      status: { addresses: [{ type: 'InternalIP', address: '192.168.0.2' }] },
    },
  ];

  it.each<[string, KubernetesObject[], Partial<PathQuestion>, Verdict]>([
    ['networks matches pods, too', [to({ networks: ['10.0.0.0/8'] })], {}, 'denied'],
    ['networks of the other family', [to({ networks: ['::/0'] })], {}, 'allowed'],
    ['networks outside', [to({ networks: ['203.0.113.0/24'] })], { server: outside('203.0.113.9') }, 'denied'],
    [
      'networks over a pod that has no address yet',
      [to({ networks: ['10.0.0.0/8'] })],
      { server: pod('a', 'x', {}, { addresses: [] }) },
      'depends',
    ],
    ['networks over every address', [to({ networks: ['0.0.0.0/0', '::/0'] })], { server: pod('a', 'x', {}, { addresses: [] }) }, 'denied'],
    ['pods on the host network are no peers', [to(everyPod)], { server: pod('a', 'x', {}, onHost) }, 'allowed'],
    ['nor subjects', [ingress('x', [deny])], { server: pod('a', 'x', {}, onHost) }, 'allowed'],
    ['but their node has its address', [to({ networks: ['192.168.0.0/24'] })], { server: pod('a', 'x', {}, onHost) }, 'denied'],
    ['nodes by their addresses', [to({ nodes: { matchLabels: { zone: 'b' } } })], { server: outside('192.168.0.2') }, 'denied'],
    ['nodes with other labels', [to({ nodes: { matchLabels: { zone: 'a' } } })], { server: outside('192.168.0.2') }, 'allowed'],
    ['pods on a node’s network', [to({ nodes: {} })], { server: pod('a', 'x', {}, onHost) }, 'denied'],
    ['nodes are no pods', [to({ nodes: {} })], {}, 'allowed'],
    [
      'a domain name may stand for an address',
      [
        egress('x', [
          { action: 'Accept', to: [{ domainNames: ['*.example.org'] }] },
          { action: 'Deny', to: [{ networks: ['0.0.0.0/0'] }] },
        ]),
      ],
      { server: outside('203.0.113.9') },
      'depends',
    ],
    [
      'an unknown field fails closed: Accept matches nothing',
      [ingress('x', [{ action: 'Accept', from: [everyPod, { newer: {} }] }]), isolated],
      {},
      'denied',
    ],
    [
      'an unknown field fails closed: Deny denies all',
      [to({ newer: {} }, { protocols: [{ udp: {} }] })],
      { server: outside('203.0.113.9') },
      'denied',
    ],
    ['an unknown field fails closed: Pass denies all', [egress('x', [{ action: 'Pass', to: [{ newer: {} }] }])], {}, 'denied'],
    [
      'networks in ingress is an unknown field',
      [ingress('x', [{ action: 'Deny', from: [{ networks: ['203.0.113.0/24'] }] }])],
      {},
      'denied',
    ],
    ['a pod is never subject to it for itself', [ingress('x', [deny])], { client: server }, 'allowed'],
  ])('%s', (_case, policies, question, verdict) => {
    expect(ask(policies, question, { nodes }).verdict).toBe(verdict);
  });
});

describe('protocols', () => {
  const on = (...protocols: object[]): KubernetesObject[] => [ingress('x', [{ ...deny, protocols }])];

  it.each<[string, KubernetesObject[], Partial<PathQuestion>, Verdict]>([
    ['none: every protocol', [ingress('x', [deny])], { protocol: 'SCTP' }, 'denied'],
    ['without destinationPort: all ports of the protocol', on({ tcp: {} }), {}, 'denied'],
    ['another protocol', on({ udp: {} }), {}, 'allowed'],
    ['a number', on({ tcp: { destinationPort: { number: 80 } } }), {}, 'denied'],
    ['another number', on({ tcp: { destinationPort: { number: 81 } } }), {}, 'allowed'],
    ['a range with its start', on({ tcp: { destinationPort: { range: { start: 80, end: 90 } } } }), {}, 'denied'],
    ['a range with its end', on({ sctp: { destinationPort: { range: { start: 70, end: 80 } } } }), { protocol: 'SCTP' }, 'denied'],
    ['a name of the destination, in its protocol', on({ destinationNamedPort: 'web-alt' }), { port: 8081 }, 'denied'],
    ['a name in another protocol', on({ destinationNamedPort: 'web-alt' }), { port: 8081, protocol: 'UDP' }, 'allowed'],
    ['alternatives', on({ udp: {} }, { tcp: { destinationPort: { number: 80 } } }), {}, 'denied'],
    ['an unknown field', on({ quic: {} }), {}, 'depends'],
  ])('%s', (_case, policies, question, verdict) => {
    expect(ask(policies, question).verdict).toBe(verdict);
  });
});

describe('AdminNetworkPolicy and BaselineAdminNetworkPolicy', () => {
  const rule = (action: string, more: object = {}): object => ({ action, from: [everyPod], ...more });
  const adminIngress = (action: string, more: object = {}, priority = 10): KubernetesObject =>
    admin(`${action}-${priority}`, { priority, subject: everyPod, ingress: [rule(action, more)] });
  const baselineIngress = (action: string, more: object = {}): KubernetesObject =>
    baseline('default', { subject: everyPod, ingress: [rule(action, more)] });

  it.each<[string, KubernetesObject[], Verdict]>([
    ['Allow before the NetworkPolicies', [adminIngress('Allow'), isolated], 'allowed'],
    ['Deny before the NetworkPolicies', [adminIngress('Deny'), open], 'denied'],
    ['Pass to the NetworkPolicies', [adminIngress('Pass'), isolated], 'denied'],
    ['by priority', [adminIngress('Deny', {}, 20), adminIngress('Allow', {}, 19)], 'allowed'],
    ['equal priorities', [adminIngress('Deny'), adminIngress('Allow')], 'depends'],
    ['the baseline after the NetworkPolicies', [baselineIngress('Deny'), open], 'allowed'],
    ['the baseline without NetworkPolicies', [baselineIngress('Deny')], 'denied'],
    ['a portNumber, TCP by default', [adminIngress('Deny', { ports: [{ portNumber: { port: 80 } }] })], 'denied'],
    ['a portNumber of another protocol', [adminIngress('Deny', { ports: [{ portNumber: { port: 80, protocol: 'UDP' } }] })], 'allowed'],
    ['a portRange', [baselineIngress('Deny', { ports: [{ portRange: { start: 1, end: 80 } }] })], 'denied'],
    ['a namedPort', [adminIngress('Deny', { ports: [{ namedPort: 'web-alt' }] })], 'allowed'],
    [
      'beside a ClusterNetworkPolicy that says otherwise: nobody has ordered the two',
      [adminIngress('Deny', {}, 1), ingress('x', [accept])],
      'depends',
    ],
  ])('%s', (_case, policies, verdict) => {
    expect(ask(policies).verdict).toBe(verdict);
  });
});
