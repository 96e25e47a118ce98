import { describe, expect, it } from 'vitest';
import type {
  NetworkPolicy,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from '../../../src/kubernetes/network-policy.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { createPolicyEngine } from '../../../src/network/policy/create-policy-engine.ts';
import type { PathQuestion, Verdict } from '../../../src/network/policy/engine.ts';
import { peerOfPod, type PodPeer, type PolicyPeer } from '../../../src/network/policy/peer.ts';
import { barePod, object } from '../../builders/objects.ts';

const pod = (namespace: string, name: string, labels: Record<string, string>, more: Partial<PodPeer> = {}): PodPeer => ({
  kind: 'pod',
  namespace,
  name,
  labels,
  addresses: [`10.0.0.${name.length}`],
  hostNetwork: false,
  nodeName: 'node-a',
  nodeAddresses: ['192.168.0.1'],
  namedPorts: [],
  ...more,
});

const memory = pod('poimen', 'memory', { app: 'memory' }, { nodeName: 'node-b', nodeAddresses: ['192.168.0.2'] });
const serve = pod(
  'llm',
  'serve',
  { app: 'serve', tier: 'gpu' },
  {
    namedPorts: [
      { name: 'http', protocol: 'TCP', port: 8080 },
      { name: 'dns', protocol: 'UDP', port: 8080 },
    ],
  },
);
const outside: PolicyPeer = { kind: 'address', address: '203.0.113.9' };

const namespaces = [
  object(resources.namespaces, 'llm', { metadata: { labels: { team: 'llm' } } }),
  object(resources.namespaces, 'poimen', { metadata: { labels: { team: 'tools' } } }),
];

const policy = (namespace: string, name: string, spec: NetworkPolicySpec): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace },
  spec,
});
const ingress = (...rules: NetworkPolicyIngressRule[]): NetworkPolicy =>
  policy('llm', 'in', { podSelector: {}, policyTypes: ['Ingress'], ingress: rules });
const from = (...peers: NetworkPolicyPeer[]): NetworkPolicy => ingress({ from: peers });
const onPorts = (...ports: NetworkPolicyPort[]): NetworkPolicy => ingress({ ports });

const ask = (
  policies: NetworkPolicy[],
  { namespaces: known = namespaces, ...question }: Partial<PathQuestion> & { readonly namespaces?: readonly KubernetesObject[] } = {},
) => {
  const inputs = policies.map((given) => ({ kind: 'NetworkPolicy' as const, object: given }));
  const engine = createPolicyEngine({ policies: inputs, namespaces: known, peers: [] });
  return engine.path({ client: memory, server: serve, port: 8080, protocol: 'TCP', ...question });
};

describe('who isolates', () => {
  it.each<[string, NetworkPolicy[], Verdict]>([
    ['no policy at all: everything is open', [], 'allowed'],
    ['a policy without rules: nothing gets in', [ingress()], 'denied'],
    ['an empty rule: everything gets in', [ingress({})], 'allowed'],
    ['a policy of another namespace', [policy('other', 'in', { podSelector: {} })], 'allowed'],
    [
      "a policy that selects other pods of the server's namespace",
      [policy('llm', 'in', { podSelector: { matchLabels: { app: 'other' } } })],
      'allowed',
    ],
    ['an absent podSelector: every pod', [policy('llm', 'in', {})], 'denied'],
    ['absent policyTypes: Ingress always', [policy('llm', 'in', { podSelector: {}, egress: [{}] })], 'denied'],
    ['absent policyTypes without an egress rule: not Egress', [policy('poimen', 'out', { podSelector: {}, egress: [] })], 'allowed'],
    [
      'absent policyTypes with an egress rule: Egress too',
      [policy('poimen', 'out', { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] })],
      'denied',
    ],
    ['empty policyTypes are absent ones', [policy('llm', 'in', { podSelector: {}, policyTypes: [] })], 'denied'],
    [
      'policyTypes without Ingress: ingress rules are without effect',
      [policy('llm', 'in', { podSelector: {}, policyTypes: ['Egress'], ingress: [] })],
      'allowed',
    ],
    [
      'policyTypes Egress without rules: nothing gets out',
      [policy('poimen', 'out', { podSelector: {}, policyTypes: ['Egress'] })],
      'denied',
    ],
    ["the client's ingress rules do not matter", [policy('poimen', 'in', { podSelector: {}, policyTypes: ['Ingress'] })], 'allowed'],
    ["the server's egress rules do not matter", [policy('llm', 'out', { podSelector: {}, policyTypes: ['Egress'] })], 'allowed'],
    ['several policies are a union: one that allows is enough', [ingress(), ingress({})], 'allowed'],
    [
      'a selector by expression',
      [policy('llm', 'in', { podSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['gpu'] }] } })],
      'allowed',
    ],
  ])('%s', (_case, policies, verdict) => {
    expect(ask(policies).verdict).toBe(verdict);
  });
});

describe('from', () => {
  it.each<[string, NetworkPolicy, Verdict]>([
    ['empty: everyone', ingress({ from: [] }), 'allowed'],
    ["podSelector alone: pods of the policy's own namespace", from({ podSelector: { matchLabels: { app: 'memory' } } }), 'denied'],
    ["an empty podSelector alone: still only the policy's own namespace", from({ podSelector: {} }), 'denied'],
    ['namespaceSelector alone: every pod of the namespaces', from({ namespaceSelector: { matchLabels: { team: 'tools' } } }), 'allowed'],
    ['an empty namespaceSelector: every namespace', from({ namespaceSelector: {} }), 'allowed'],
    [
      'both in one entry: both have to hold',
      from({ namespaceSelector: { matchLabels: { team: 'tools' } }, podSelector: { matchLabels: { app: 'other' } } }),
      'denied',
    ],
    [
      'both in one entry, both holding',
      from({ namespaceSelector: { matchLabels: { team: 'tools' } }, podSelector: { matchLabels: { app: 'memory' } } }),
      'allowed',
    ],
    [
      'both as two entries: either is enough',
      from({ namespaceSelector: { matchLabels: { team: 'tools' } } }, { podSelector: { matchLabels: { app: 'other' } } }),
      'allowed',
    ],
    [
      'the name that every namespace carries as a label',
      from({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'poimen' } } }),
      'allowed',
    ],
    [
      'expressions over namespace labels',
      from({ namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['llm'] }] } }),
      'denied',
    ],
    ['an ipBlock does not cover a pod with another address', from({ ipBlock: { cidr: '203.0.113.0/24' } }), 'denied'],
    ["an ipBlock over a pod's address: left to the CNI", from({ ipBlock: { cidr: '10.0.0.0/8' } }), 'depends'],
    ["an ipBlock that excepts the pod's address", from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/24'] } }), 'denied'],
    [
      'an ipBlock for the CNI next to an entry that decides',
      from({ ipBlock: { cidr: '10.0.0.0/8' } }, { namespaceSelector: {} }),
      'allowed',
    ],
    ['an entry that names nobody, which a server refuses', from({}), 'depends'],
  ])('%s', (_case, given, verdict) => {
    expect(ask([given]).verdict).toBe(verdict);
  });

  it('lets pods of the own namespace in by podSelector', () => {
    const client = pod('llm', 'neighbour', { app: 'memory' });
    expect(ask([from({ podSelector: { matchLabels: { app: 'memory' } } })], { client }).verdict).toBe('allowed');
  });
});

describe('namespaces that are not there', () => {
  const missing = { namespaces: [] };

  it('makes a custom label unknown, not denied', () => {
    const answer = ask([from({ namespaceSelector: { matchLabels: { team: 'tools' } } })], missing);
    expect(answer.verdict).toBe('depends');
    expect(answer.ingress.reason).toBe('depends on the labels of namespace poimen, whose object is not there');
  });

  it('still knows the name, and what it rules out', () => {
    const name = (value: string) => ({ 'kubernetes.io/metadata.name': value });
    expect(ask([from({ namespaceSelector: { matchLabels: name('poimen') } })], missing).verdict).toBe('allowed');
    expect(ask([from({ namespaceSelector: { matchLabels: { ...name('other'), team: 'tools' } } })], missing).verdict).toBe('denied');
    expect(ask([from({ namespaceSelector: {} })], missing).verdict).toBe('allowed');
  });

  it('does not let a label of the object outvote the name', () => {
    const lying = [object(resources.namespaces, 'poimen', { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } })];
    expect(
      ask([from({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } })], { namespaces: lying }).verdict,
    ).toBe('denied');
  });
});

describe('ports', () => {
  it.each<[string, NetworkPolicyPort[], Verdict]>([
    ['empty: every port', [], 'allowed'],
    ['the number, TCP by default', [{ port: 8080 }], 'allowed'],
    ['another number', [{ port: 80 }], 'denied'],
    ['the number in another protocol', [{ port: 8080, protocol: 'UDP' }], 'denied'],
    ['a protocol without port: every port of it', [{ protocol: 'TCP' }], 'allowed'],
    ['another protocol without port', [{ protocol: 'SCTP' }], 'denied'],
    ['a range, its last port included', [{ port: 8000, endPort: 8080 }], 'allowed'],
    ['a range, its first port included', [{ port: 8080, endPort: 9000 }], 'allowed'],
    ['a range that begins after', [{ port: 8081, endPort: 9000 }], 'denied'],
    ['a range that ends before', [{ port: 8000, endPort: 8079 }], 'denied'],
    ["a name of the server's pod", [{ port: 'http' }], 'allowed'],
    ['a name that it has in another protocol only', [{ port: 'dns' }], 'denied'],
    ['a name that it does not have', [{ port: 'grpc' }], 'denied'],
    ['several entries: either is enough', [{ port: 80 }, { port: 8080 }], 'allowed'],
  ])('%s', (_case, ports, verdict) => {
    expect(ask([onPorts(...ports)]).verdict).toBe(verdict);
  });

  it.each(['UDP', 'SCTP'] as const)('keeps %s apart from TCP', (protocol) => {
    expect(ask([onPorts({ port: 8080 })], { protocol }).verdict).toBe('denied');
    expect(ask([onPorts({ port: 8080, protocol })], { protocol }).verdict).toBe('allowed');
  });

  it("resolves a name on the destination's pod also for egress, each pod for itself", () => {
    const out = policy('poimen', 'out', { policyTypes: ['Egress'], egress: [{ ports: [{ port: 'http' }] }] });
    expect(ask([out]).verdict).toBe('allowed');
    expect(ask([out], { server: { ...serve, namedPorts: [{ name: 'http', protocol: 'TCP', port: 8081 }] } }).verdict).toBe('denied');
    expect(ask([out], { server: outside }).verdict).toBe('denied');
  });

  it('leaves a name that stands for several numbers to the CNI', () => {
    const twice = {
      ...serve,
      namedPorts: [
        { name: 'http', protocol: 'TCP' as const, port: 8080 },
        { name: 'http', protocol: 'TCP' as const, port: 8081 },
      ],
    };
    expect(ask([onPorts({ port: 'http' })], { server: twice }).verdict).toBe('depends');
  });

  it('asks for peer and port of one rule, not of two', () => {
    const two = ingress(
      { from: [{ namespaceSelector: {} }], ports: [{ port: 80 }] },
      { from: [{ podSelector: { matchLabels: { app: 'x' } } }], ports: [{ port: 8080 }] },
    );
    expect(ask([two]).verdict).toBe('denied');
  });
});

describe('addresses outside of the cluster', () => {
  it.each<[string, string, { cidr: string; except?: string[] }, Verdict]>([
    ['in the range', '203.0.113.9', { cidr: '203.0.113.0/24' }, 'allowed'],
    ['in the range, written with host bits', '203.0.113.9', { cidr: '203.0.113.77/24' }, 'allowed'],
    ['not in the range', '203.0.114.9', { cidr: '203.0.113.0/24' }, 'denied'],
    ['in the exception', '203.0.113.9', { cidr: '203.0.113.0/24', except: ['203.0.113.8/31'] }, 'denied'],
    ['everything', '203.0.113.9', { cidr: '0.0.0.0/0' }, 'allowed'],
    ['everything, IPv6: not by an IPv4 range', '2001:db8::1', { cidr: '0.0.0.0/0' }, 'denied'],
    ['IPv6 in the range', '2001:db8::1', { cidr: '2001:db8::/32' }, 'allowed'],
    ['IPv6 in the exception', '2001:db8:1::1', { cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] }, 'denied'],
    ['a range that cannot be read', '203.0.113.9', { cidr: '203.0.113.0' }, 'depends'],
    ['a range that cannot be read, for its length', '203.0.113.9', { cidr: '203.0.113.0/33' }, 'depends'],
  ])('%s', (_case, address, ipBlock, verdict) => {
    expect(ask([from({ ipBlock })], { client: { kind: 'address', address } }).verdict).toBe(verdict);
  });

  it('are no pods: no selector covers them, not even an empty one', () => {
    expect(ask([from({ namespaceSelector: {} }, { podSelector: {} })], { client: outside }).verdict).toBe('denied');
    expect(ask([ingress({})], { client: outside }).verdict).toBe('allowed');
  });
});

describe('beyond the text of the policies', () => {
  const shut = [ingress(), policy('poimen', 'out', { policyTypes: ['Egress'] })];

  it('lets a pod reach itself', () => {
    expect(ask([...shut, policy('llm', 'out', { policyTypes: ['Egress'] })], { client: serve }).verdict).toBe('allowed');
  });

  it("lets the pod's own node in, and leaves another node's pods to the CNI only where a selector would match them", () => {
    const daemon = pod('kube-system', 'agent', { app: 'agent' }, { hostNetwork: true });
    expect(ask(shut, { client: daemon }).ingress).toMatchObject({
      verdict: 'allowed',
      reason: 'a pod and its own node (node-a) always reach each other',
    });
    expect(ask(shut, { client: { ...daemon, nodeName: 'node-b' } }).verdict).toBe('denied');
    expect(
      ask([from({ namespaceSelector: { matchLabels: { team: 'tools' } } })], { client: { ...daemon, nodeName: 'node-b' } }).verdict,
    ).toBe('depends'); // kube-system has no object here
    expect(ask([from({ podSelector: {} })], { client: { ...daemon, nodeName: 'node-b' } }).verdict).toBe('denied');
    const admitting = from({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } });
    expect(ask([admitting], { client: { ...daemon, nodeName: 'node-b' } }).verdict).toBe('depends');
    expect(ask(shut, { client: { kind: 'address', address: '192.168.0.1' } }).ingress.verdict).toBe('allowed');
  });

  it('does not guess the node of a pod that is not scheduled yet', () => {
    const { nodeName: _nodeName, ...unscheduled } = pod('kube-system', 'agent', {}, { hostNetwork: true });
    expect(ask(shut, { client: unscheduled }).verdict).toBe('depends');
  });

  it('leaves policies over a hostNetwork pod itself to the CNI, and says so only if one would select it', () => {
    const onNode = { ...serve, hostNetwork: true, nodeName: 'node-c' };
    expect(ask([ingress()], { server: onNode }).ingress.verdict).toBe('depends');
    expect(ask([], { server: onNode }).verdict).toBe('allowed');
  });

  it('leaves an address that a pod will get to the CNI, whatever the range', () => {
    expect(ask([from({ ipBlock: { cidr: '203.0.113.0/24' } })], { client: { ...memory, addresses: [] } }).verdict).toBe('depends');
  });
});

describe('the answer', () => {
  it('names the policy and the rule that let it in', () => {
    expect(ask([ingress({ ports: [{ port: 80 }] }, { ports: [{ port: 8080 }] })]).ingress).toMatchObject({
      verdict: 'allowed',
      policy: 'llm/in',
      rule: 1,
      isolatedBy: ['llm/in'],
      reason: 'llm/in allows it (ingress rule 1)',
    });
  });

  it('names who isolates, whom and what no rule is for', () => {
    expect(ask([ingress()]).ingress).toMatchObject({
      verdict: 'denied',
      policy: 'llm/in',
      isolatedBy: ['llm/in'],
      reason: 'llm/in isolates the pod and has no rule for pod poimen/memory on TCP 8080',
    });
  });

  it('shows the rule that comes closest: let out, dropped on arrival by the port', () => {
    const answer = ask([
      ingress({ from: [{ namespaceSelector: {} }], ports: [{ port: 80 }, { port: 9000, endPort: 9010, protocol: 'UDP' }] }),
      policy('llm', 'other', {}),
    ]);
    expect(answer.ingress.reason).toBe(
      'llm/in and llm/other isolate the pod and have no rule for pod poimen/memory on TCP 8080 (ingress rule 0 of llm/in has TCP 80, UDP 9000-9010 only)',
    );
    expect(answer.ingress.policy).toBeUndefined();
    expect(answer.egress).toMatchObject({ verdict: 'allowed', isolatedBy: [], reason: 'no policy isolates pod poimen/memory for egress' });
  });

  it('is denied when one half is, whatever the other depends on', () => {
    const out = policy('poimen', 'out', { policyTypes: ['Egress'] });
    expect(ask([from({ ipBlock: { cidr: '10.0.0.0/8' } }), out])).toMatchObject({
      verdict: 'denied',
      egress: { verdict: 'denied' },
      ingress: { verdict: 'depends', policy: 'llm/in', rule: 0 },
    });
  });
});

describe('peerOfPod', () => {
  it('holds what policies look at, ports of sidecars included', () => {
    const running = barePod('p', {
      metadata: { labels: { app: 'x' } },
      spec: {
        initContainers: [
          { name: 's', restartPolicy: 'Always', ports: [{ name: 'proxy', containerPort: 15001 }] },
          { name: 'i', ports: [{ name: 'gone', containerPort: 1 }] },
        ],
      },
      status: {
        podIP: '10.0.0.7',
        podIPs: [{ ip: '10.0.0.7' }, { ip: 'fd00::7' }],
        hostIP: '192.168.0.1',
        hostIPs: [{ ip: '192.168.0.1' }],
      },
    });
    expect(peerOfPod(running)).toEqual({
      kind: 'pod',
      namespace: 'llm-serving',
      name: 'p',
      labels: { app: 'x' },
      addresses: ['10.0.0.7', 'fd00::7'],
      hostNetwork: false,
      nodeName: 'worker-1',
      nodeAddresses: ['192.168.0.1'],
      namedPorts: [
        { name: 'http', protocol: 'TCP', port: 8080 },
        { name: 'proxy', protocol: 'TCP', port: 15001 },
      ],
    });
  });
});
