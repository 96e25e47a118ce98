import { describe, expect, it } from 'vitest';
import type { NetworkPolicySpec } from '../../../src/kubernetes/network-policy.ts';
import type { CniFacts } from '../../../src/network/policy/cni-facts.ts';
import { createPolicyEngine } from '../../../src/network/policy/create-policy-engine.ts';
import type { PolicyEngine, PolicyWorld } from '../../../src/network/policy/engine.ts';
import type { PodPeer, PolicyPeer } from '../../../src/network/policy/peer.ts';
import type { PolicyInput } from '../../../src/network/policy/policy-input.ts';

const pod = (namespace: string, name: string, labels: Record<string, string>, more: Partial<PodPeer> = {}): PodPeer => ({
  kind: 'pod',
  namespace,
  name,
  labels,
  addresses: ['10.0.0.1'],
  hostNetwork: false,
  nodeName: 'node-a',
  nodeAddresses: ['192.168.0.1'],
  namedPorts: [{ name: 'http', protocol: 'TCP', port: 8080 }],
  ...more,
});
const replicas = (namespace: string, app: string, count: number): PodPeer[] =>
  Array.from({ length: count }, (_, index) =>
    pod(namespace, `${app}-${index}`, { app, 'apps.kubernetes.io/pod-index': `${index}` }, { addresses: [`10.0.${app.length}.${index}`] }),
  );
const policy = (namespace: string, name: string, spec: NetworkPolicySpec): PolicyInput => ({
  kind: 'NetworkPolicy',
  object: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name, namespace }, spec },
});
const app = (name: string) => ({ podSelector: { matchLabels: { app: name } } });
const onlyWeb = policy('a', 'only-web', {
  ...app('db'),
  policyTypes: ['Ingress'],
  ingress: [{ from: [app('web')], ports: [{ port: 'http' }] }],
});

const engineOf = (peers: readonly PolicyPeer[], policies: readonly PolicyInput[], world: Partial<PolicyWorld> = {}): PolicyEngine =>
  createPolicyEngine({ peers, policies, namespaces: [], ...world });

const names = (engine: PolicyEngine): readonly string[][] =>
  engine.classes().map(({ peers }) => peers.map((peer) => (peer.kind === 'pod' ? peer.name : peer.address)));

describe('classes', () => {
  const peers = [...replicas('a', 'web', 3), ...replicas('a', 'db', 2), ...replicas('a', 'batch', 2)];

  it('hold the pods that no policy tells apart: a label per pod does not divide, nor an app that no selector names', () => {
    expect(names(engineOf(peers, [onlyWeb]))).toEqual([
      ['web-0', 'web-1', 'web-2'],
      ['db-0', 'db-1'],
      ['batch-0', 'batch-1'],
    ]);
    expect(names(engineOf([...replicas('a', 'x', 1), ...replicas('a', 'yy', 1)], [onlyWeb]))).toEqual([['x-0', 'yy-0']]);
    expect(names(engineOf(peers, []))).toHaveLength(1);
  });

  it('divide by a label that a selector names, only in the namespace that it concerns', () => {
    const first = { podSelector: { matchExpressions: [{ key: 'apps.kubernetes.io/pod-index', operator: 'In' as const, values: ['0'] }] } };
    const one = policy('a', 'first', { ...first, policyTypes: ['Ingress'] });
    expect(names(engineOf([...replicas('a', 'web', 3), ...replicas('b', 'web', 3)], [one]))).toEqual([
      ['web-0'],
      ['web-1', 'web-2'],
      ['web-0', 'web-1', 'web-2'],
    ]);
  });

  it('divide by named ports, address ranges, families and host network where a rule looks at them', () => {
    const other = pod('a', 'web-9', { app: 'web' }, { namedPorts: [{ name: 'http', protocol: 'TCP', port: 9090 }] });
    const far = pod('a', 'web-8', { app: 'web' }, { addresses: ['10.9.0.1'] });
    const six = pod('a', 'web-7', { app: 'web' }, { addresses: ['fd00::1'] });
    const host = pod('a', 'web-6', { app: 'web' }, { hostNetwork: true });
    const all = [...replicas('a', 'web', 1), other, far, six];
    expect(names(engineOf(all, []))).toHaveLength(1);
    expect(names(engineOf(all, [onlyWeb]))).toEqual([['web-0', 'web-8', 'web-7'], ['web-9']]);
    const block = policy('a', 'block', { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '10.9.0.0/16' } }] }] });
    expect(names(engineOf(all, [block]))).toEqual([['web-0', 'web-9'], ['web-8'], ['web-7']]);
    expect(names(engineOf([...replicas('a', 'web', 1), host], []))).toEqual([['web-0'], ['web-6']]);
  });

  it('divide where a new policy looks, and the answers are those of an engine made anew', () => {
    const before = engineOf(peers, [onlyWeb]);
    const one = policy('a', 'one', {
      podSelector: { matchExpressions: [{ key: 'apps.kubernetes.io/pod-index', operator: 'In', values: ['1'] }] },
      policyTypes: ['Ingress'],
    });
    before.classes().forEach((server) => before.reachRow(server));
    const after = before.withPolicy(one);
    expect(after.classes()).toHaveLength(6);
    expect(before.classes()).toHaveLength(3);
    for (const client of after.classes())
      for (const server of after.classes()) {
        const expected = engineOf(peers, [onlyWeb, one]).reach(client.peers[0], server.peers[0]);
        if (client !== server) expect(after.reachOfClasses(client, server).ports).toEqual(expected);
        if (client !== server) expect(after.reachOf(after.reachRow(server)[client.id] ?? 0).ports).toEqual(expected);
      }
    expect(after.classesSelectedBy(one).map(({ peers: [first] }) => first.kind === 'pod' && first.name)).toEqual([
      'web-1',
      'db-1',
      'batch-1',
    ]);
    const back = after.withoutPolicy(one);
    expect(back.reach(peers[1] ?? onHost, peers[0] ?? onHost)).toHaveLength(3);
  });

  const onHost = pod('kube-system', 'agent', {}, { hostNetwork: true });

  it('say what holds on the own node, where one end is a node', () => {
    const engine = engineOf([...replicas('a', 'db', 2), onHost], [onlyWeb]);
    const [db, agent] = engine.classes();
    if (db === undefined || agent === undefined) throw new Error('two classes were expected');
    const { ports, onOwnNode } = engine.reachOfClasses(agent, db);
    expect(ports).toEqual([]);
    expect(onOwnNode?.map(({ protocol, from, to }) => `${protocol} ${from}-${to}`)).toEqual(['TCP 1-65535', 'UDP 1-65535', 'SCTP 1-65535']);
  });
});

describe('all ports of a pair', () => {
  it('are ranges, each with its verdict', () => {
    const [web, db] = [pod('a', 'web', { app: 'web' }), pod('a', 'db', { app: 'db' })];
    const spec: NetworkPolicySpec = {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        { from: [app('web')], ports: [{ port: 'http' }, { port: 53, protocol: 'UDP' }, { port: 8081, endPort: 8090 }] },
        { from: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 1, endPort: 80 }] },
      ],
    };
    expect(engineOf([], [policy('a', 'in', spec)]).reach(web, db)).toEqual([
      { protocol: 'TCP', from: 1, to: 80, verdict: 'depends' },
      { protocol: 'TCP', from: 8080, to: 8090, verdict: 'allowed' },
      { protocol: 'UDP', from: 53, to: 53, verdict: 'allowed' },
    ]);
  });
});

describe('what a network plugin decides', () => {
  const [client, server] = [
    pod('a', 'web', {}, { addresses: ['10.0.0.2', 'fd00::2'] }),
    pod('a', 'db', {}, { addresses: ['10.0.0.3', 'fd00::3'] }),
  ];
  const from = (...cidrs: string[]): PolicyInput =>
    policy('a', 'in', { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: cidrs.map((cidr) => ({ ipBlock: { cidr } })) }] });
  const ask = (given: PolicyInput, facts: Partial<CniFacts>, ends: { client: PolicyPeer; server: PolicyPeer } = { client, server }) =>
    engineOf([], [given], { cni: { name: 'x', ...facts } }).path({ ...ends, port: 80, protocol: 'TCP' });

  it('is settled by its facts: ipBlocks over pods', () => {
    expect(ask(from('10.0.0.0/8', 'fd00::/8'), {}).verdict).toBe('depends');
    expect(ask(from('10.0.0.0/8', 'fd00::/8'), { ipBlockMatchesPods: true }).verdict).toBe('allowed');
    expect(ask(from('10.0.0.0/8', 'fd00::/8'), { ipBlockMatchesPods: false }).verdict).toBe('denied');
  });

  it('leaves the address family open where only one is let through', () => {
    expect(ask(from('10.0.0.0/8'), { ipBlockMatchesPods: true }).ingress).toMatchObject({
      verdict: 'depends',
      reason: 'depends on the address family: allowed over IPv4, denied over IPv6',
    });
    const onlyFour = { ...client, addresses: ['10.0.0.2'] };
    expect(ask(from('10.0.0.0/8'), { ipBlockMatchesPods: true }, { client: onlyFour, server }).verdict).toBe('allowed');
  });

  it('is settled by its facts: pods on the host network', () => {
    const onHost = pod('a', 'agent', {}, { hostNetwork: true, nodeName: 'node-b' });
    const selecting = policy('a', 'in', { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: {} }] }] });
    const ends = { client: onHost, server };
    expect(ask(selecting, {}, ends).verdict).toBe('depends');
    expect(ask(selecting, { selectsHostNetwork: true }, ends).verdict).toBe('allowed');
    expect(ask(selecting, { selectsHostNetwork: false }, ends).verdict).toBe('denied');
    const shut = policy('a', 'in', { podSelector: {}, policyTypes: ['Ingress'] });
    const toHost = { client: server, server: onHost };
    expect([{}, { selectsHostNetwork: true }, { selectsHostNetwork: false }].map((facts) => ask(shut, facts, toHost).verdict)).toEqual([
      'depends',
      'denied',
      'allowed',
    ]);
  });

  it('is settled by its facts: ipBlocks over nodes', () => {
    const onHost = pod('b', 'agent', {}, { hostNetwork: true, nodeName: 'node-b', addresses: [], nodeAddresses: ['10.0.0.9'] });
    const ends = { client: onHost, server };
    expect(ask(from('10.0.0.9/32'), { ipBlockMatchesNodes: true }, ends).verdict).toBe('allowed');
    expect(ask(from('10.0.0.9/32'), { ipBlockMatchesNodes: false }, ends).verdict).toBe('denied');
  });
});

describe('ranges of outside addresses', () => {
  const server = pod('a', 'db', {});
  const block = policy('a', 'in', {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ ipBlock: { cidr: '203.0.113.0/24', except: ['203.0.113.128/25'] } }] }],
  });
  it.each([
    ['203.0.113.0/25', 'allowed'],
    ['203.0.113.0-203.0.113.127', 'allowed'],
    ['203.0.113.0/24', 'depends'],
    ['203.0.113.128/25', 'denied'],
    ['0.0.0.0/0', 'depends'],
    ['203.0.113.200', 'denied'],
    ['2001:db8::/32', 'denied'],
  ])('%s: %s', (address, verdict) => {
    const client: PolicyPeer = { kind: 'address', address };
    expect(engineOf([], [block]).path({ client, server, port: 80, protocol: 'TCP' }).verdict).toBe(verdict);
  });
});

describe('why', () => {
  const namespaces = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', labels: { team: 'x' } } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'b', labels: { team: 'y' } } },
  ];
  const client = pod('b', 'web', { app: 'web' });
  const server = pod('a', 'db', { app: 'db' });
  const whyOf = (ingress: NetworkPolicySpec['ingress'], given: PolicyPeer = client): readonly string[] => {
    const engine = engineOf([], [policy('a', 'in', { podSelector: {}, policyTypes: ['Ingress'], ingress: ingress ?? [] })], { namespaces });
    return engine
      .path({ client: given, server, port: 80, protocol: 'TCP' })
      .ingress.findings.flatMap(({ rules }) => rules.map(({ why }) => why));
  };

  it.each<[string, NetworkPolicySpec['ingress'], string]>([
    [
      'a label is missing',
      [{ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { tier: 'front' } } }] }],
      'needs tier=front, pod b/web has no label tier',
    ],
    [
      'a label differs',
      [{ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: 'x' } } }] }],
      'needs app=x, pod b/web has app=web',
    ],
    ['the namespace is another', [{ from: [app('web')] }], 'covers pods of its own namespace a only (no namespaceSelector), not of b'],
    [
      'the namespace’s label differs',
      [{ from: [{ namespaceSelector: { matchLabels: { team: 'x' } } }] }],
      'needs team=x, namespace b has team=y',
    ],
    [
      'one of both selectors holds',
      [{ from: [{ namespaceSelector: { matchLabels: { team: 'x' } }, ...app('web') }] }],
      'needs team=x, namespace b has team=y (the pod matches, but both selectors of one entry have to)',
    ],
    [
      'two entries, neither holds',
      [{ from: [{ namespaceSelector: { matchLabels: { team: 'x' } } }, app('web')] }],
      'entry 0: needs team=x, namespace b has team=y; entry 1: covers pods of its own namespace a only (no namespaceSelector), not of b',
    ],
    ['another port', [{ ports: [{ port: 8080 }, { port: 81, endPort: 90 }] }], 'has TCP 8080, TCP 81-90 only, not TCP 80'],
    [
      'a name that stands for another port',
      [{ ports: [{ port: 'http' }] }],
      'has TCP http only, not TCP 80; pod a/db has http for TCP 8080',
    ],
    [
      'a name that the pod does not have',
      [{ ports: [{ port: 'grpc' }] }],
      'has TCP grpc only, not TCP 80; pod a/db has no port named grpc',
    ],
    ['addresses', [{ from: [{ ipBlock: { cidr: '10.8.0.0/16' } }] }], 'ipBlock 10.8.0.0/16 does not cover pod b/web'],
    ['it matches', [{ from: [{ namespaceSelector: {} }] }], 'covers pod b/web on TCP 80'],
  ])('%s', (_case, ingress, why) => {
    expect(whyOf(ingress)).toEqual([why]);
  });

  it('an outside address is no pod', () => {
    expect(whyOf([{ from: [app('web')] }], { kind: 'address', address: '203.0.113.9' })).toEqual(['selects pods, and 203.0.113.9 is none']);
  });

  it('names every policy that selects the pod', () => {
    const policies = ['in', 'also'].map((name) => policy('a', name, { podSelector: {}, policyTypes: ['Ingress'] }));
    const { findings } = engineOf([], policies).path({ client, server, port: 80, protocol: 'TCP' }).ingress;
    expect(findings.map(({ policy: { object }, says }) => `${object.metadata.name} ${says}`)).toEqual(['in none', 'also none']);
  });
});

describe('what a server would refuse', () => {
  const [client, server] = [pod('a', 'web', {}), pod('a', 'db', {})];
  const askSpec = (spec: unknown) =>
    engineOf([], [policy('a', 'in', spec as NetworkPolicySpec)]).path({ client, server, port: 80, protocol: 'TCP' }).verdict;

  it('reads null as absent', () => {
    expect(askSpec({ podSelector: null, policyTypes: ['Ingress'], ingress: [{ from: null, ports: [{ port: null }] }] })).toBe('allowed');
  });

  it('never lets an action through that it does not know', () => {
    const object = { apiVersion: 'policy.networking.k8s.io/v1beta1', kind: 'ClusterNetworkPolicy', metadata: { name: 'x' } };
    const spec = { tier: 'Admin', priority: 1, subject: { namespaces: {} }, ingress: [{ action: 'Log', from: [{ namespaces: {} }] }] };
    const engine = engineOf([], [{ kind: 'ClusterNetworkPolicy', object: { ...object, spec } } as unknown as PolicyInput]);
    expect(engine.path({ client, server, port: 80, protocol: 'TCP' }).verdict).toBe('depends');
  });
});
