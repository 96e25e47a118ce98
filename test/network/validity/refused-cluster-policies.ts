import type { KubernetesObject } from '../../../src/kubernetes/object.ts';

/** A cluster-wide policy, and whether the definitions of its kind let an API server take it. */
export interface ClusterPolicyCase {
  readonly what: string;
  readonly policy: KubernetesObject;
  readonly isRefused: boolean;
}

const taken = (what: string, policy: KubernetesObject): ClusterPolicyCase => ({ what, policy, isRefused: false });
const refused = (what: string, policy: KubernetesObject): ClusterPolicyCase => ({ what, policy, isRefused: true });

const everywhere = { namespaces: {} };
const everyPod = { pods: { podSelector: {} } };
const times = <Item>(count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const cluster = (spec: object, version = 'v1beta1'): KubernetesObject => ({
  apiVersion: `policy.networking.k8s.io/${version}`,
  kind: 'ClusterNetworkPolicy',
  metadata: { name: 'p' },
  spec: { tier: 'Admin', priority: 10, subject: everywhere, ...spec },
});

const to = (...peers: readonly unknown[]): KubernetesObject => cluster({ egress: [{ action: 'Deny', to: peers }] });
const from = (...peers: readonly unknown[]): KubernetesObject => cluster({ ingress: [{ action: 'Accept', from: peers }] });
const protocols = (...list: readonly unknown[]): KubernetesObject =>
  cluster({ ingress: [{ action: 'Accept', from: [everywhere], protocols: list }] });
const port = (destinationPort: unknown): KubernetesObject => protocols({ tcp: { destinationPort } });
const selecting = (...matchExpressions: readonly unknown[]): KubernetesObject => cluster({ subject: { namespaces: { matchExpressions } } });

export const clusterNetworkPolicyCases: readonly ClusterPolicyCase[] = [
  taken('no rules', cluster({})),
  taken('v1alpha2', cluster({}, 'v1alpha2')),
  taken('the Baseline tier', cluster({ tier: 'Baseline' })),
  refused('a tier in small letters', cluster({ tier: 'admin' })),
  refused('no tier', cluster({ tier: null })),
  taken('priority 0', cluster({ priority: 0 })),
  taken('priority 1000', cluster({ priority: 1000 })),
  refused('priority 1001', cluster({ priority: 1001 })),
  refused('priority -1', cluster({ priority: -1 })),
  refused('a priority as a text', cluster({ priority: '10' })),
  refused('half a priority', cluster({ priority: 1.5 })),
  refused('no priority', cluster({ priority: null })),
  refused('no subject', cluster({ subject: null })),
  refused('an empty subject', cluster({ subject: {} })),
  refused('two subjects', cluster({ subject: { ...everywhere, ...everyPod } })),
  taken('pods of all namespaces', cluster({ subject: everyPod })),
  taken('pods of some namespaces', cluster({ subject: { pods: { namespaceSelector: { matchLabels: { a: 'b' } }, podSelector: {} } } })),
  refused('pods without podSelector', cluster({ subject: { pods: { namespaceSelector: {} } } })),
  refused('a subject that selects nodes', cluster({ subject: { nodes: {} } })),

  refused('Allow', cluster({ ingress: [{ action: 'Allow', from: [everywhere] }] })),
  refused('no action', cluster({ ingress: [{ from: [everywhere] }] })),
  refused('no from', cluster({ ingress: [{ action: 'Deny' }] })),
  refused('an empty to', to()),
  refused('an empty peer', from({})),
  refused('a peer of two kinds', from({ ...everywhere, ...everyPod })),
  refused('networks as a source', from({ networks: ['10.0.0.0/8'] })),
  taken('25 peers', from(...times(25, () => everywhere))),
  refused('26 peers', from(...times(26, () => everywhere))),
  taken('25 rules', cluster({ ingress: times(25, () => ({ action: 'Pass', from: [everywhere] })) })),
  refused('26 rules', cluster({ ingress: times(26, () => ({ action: 'Pass', from: [everywhere] })) })),
  taken('a rule with a name', cluster({ ingress: [{ name: 'n'.repeat(100), action: 'Pass', from: [everywhere] }] })),
  refused('a long name of a rule', cluster({ ingress: [{ name: 'n'.repeat(101), action: 'Pass', from: [everywhere] }] })),

  taken('networks', to({ networks: ['10.0.0.0/8', '::/0', '203.0.113.9/32'] })),
  refused('no networks', to({ networks: [] })),
  refused('a network with host bits', to({ networks: ['10.1.0.0/8'] })),
  refused('an address without bits', to({ networks: ['10.0.0.1'] })),
  refused('no address', to({ networks: ['ten/8'] })),
  refused('leading zeros in a network', to({ networks: ['010.0.0.0/8'] })),
  refused('an IPv4 address in IPv6 notation', to({ networks: ['::ffff:10.0.0.0/104'] })),
  refused('the same network twice', to({ networks: ['10.0.0.0/8', '10.0.0.0/8'] })),
  refused('26 networks', to({ networks: times(26, (index) => `10.${index}.0.0/16`) })),
  taken('nodes', to({ nodes: { matchLabels: { zone: 'a' } } })),
  taken(
    'domain names',
    cluster({ egress: [{ action: 'Accept', to: [{ domainNames: ['example.org', '*.example.org', 'Example.ORG.'] }] }] }),
  ),
  refused('a domain name that is none', cluster({ egress: [{ action: 'Accept', to: [{ domainNames: ['-x'] }] }] })),
  refused('an asterisk inside a domain name', cluster({ egress: [{ action: 'Accept', to: [{ domainNames: ['a.*.org'] }] }] })),
  refused('the same domain name twice', cluster({ egress: [{ action: 'Accept', to: [{ domainNames: ['a.org', 'a.org'] }] }] })),
  taken('domain names denied, which the text forbids and the definition does not', to({ domainNames: ['example.org'] })),

  taken(
    'ports of each protocol',
    protocols(
      { tcp: { destinationPort: { number: 80 } } },
      { udp: { destinationPort: { range: { start: 1, end: 2 } } } },
      { sctp: { destinationPort: { number: 1 } } },
    ),
  ),
  taken('a named port', protocols({ destinationNamedPort: 'http' })),
  refused(
    'a named port towards networks',
    cluster({ egress: [{ action: 'Deny', to: [{ networks: ['10.0.0.0/8'] }], protocols: [{ destinationNamedPort: 'http' }] }] }),
  ),
  taken(
    'a named port towards pods',
    cluster({ egress: [{ action: 'Deny', to: [everyPod], protocols: [{ destinationNamedPort: 'http' }] }] }),
  ),
  refused('no protocols', protocols()),
  refused('an empty protocol', protocols({})),
  refused('two protocols in one entry', protocols({ tcp: { destinationPort: { number: 80 } }, udp: { destinationPort: { number: 80 } } })),
  refused('a protocol without a port', protocols({ tcp: {} })),
  refused('port 0', port({ number: 0 })),
  taken('the last port', port({ number: 65_535 })),
  refused('port 65536', port({ number: 65_536 })),
  refused('a port as a text', port({ number: '80' })),
  refused('a number and a range', port({ number: 80, range: { start: 1, end: 2 } })),
  refused('a range of one port', port({ range: { start: 5, end: 5 } })),
  refused('a range backwards', port({ range: { start: 6, end: 5 } })),
  refused('half a range', port({ range: { start: 5 } })),
  refused('ports as AdminNetworkPolicy has them, in place of protocols', protocols({ portNumber: { protocol: 'TCP', port: 80 } })),

  taken('an operator that is none, which the definition does not know', selecting({ key: 'a', operator: 'Gt', values: ['1'] })),
  refused('an expression without an operator', selecting({ key: 'a' })),
  refused('a label that is a number', cluster({ subject: { namespaces: { matchLabels: { tier: 1 } } } })),
  refused('a list where a map is expected', cluster({ subject: [] })),
  refused('a map where a list is expected', cluster({ ingress: { action: 'Deny' } })),
  taken('nulls', cluster({ ingress: null, egress: null })),
];

const admin = (spec: object): KubernetesObject => ({
  apiVersion: 'policy.networking.k8s.io/v1alpha1',
  kind: 'AdminNetworkPolicy',
  metadata: { name: 'p' },
  spec: { priority: 10, subject: everywhere, ...spec },
});
const baseline = (spec: object, name = 'default'): KubernetesObject => ({
  apiVersion: 'policy.networking.k8s.io/v1alpha1',
  kind: 'BaselineAdminNetworkPolicy',
  metadata: { name },
  spec: { subject: everywhere, ...spec },
});
const rule = (action: string, more: object = {}): object => ({ ingress: [{ action, from: [everywhere], ...more }] });
const outward = (action: string, ...peers: readonly unknown[]): object => ({ egress: [{ action, to: peers }] });
const adminPorts = (...ports: readonly unknown[]): KubernetesObject => admin(rule('Allow', { ports }));

export const adminNetworkPolicyCases: readonly ClusterPolicyCase[] = [
  taken('no rules', admin({})),
  ...['Allow', 'Deny', 'Pass'].map((action) => taken(action, admin(rule(action)))),
  refused('Accept', admin(rule('Accept'))),
  refused('no priority', admin({ priority: null })),
  taken('priority 1000', admin({ priority: 1000 })),
  refused('priority 1001', admin({ priority: 1001 })),
  refused('an empty subject', admin({ subject: {} })),
  refused('two subjects', admin({ subject: { ...everywhere, ...everyPod } })),
  refused('pods without namespaceSelector', admin({ subject: everyPod })),
  taken('pods', admin({ subject: { pods: { podSelector: {}, namespaceSelector: {} } } })),
  refused('an empty peer', admin({ ingress: [{ action: 'Deny', from: [{}] }] })),
  refused('no from', admin({ ingress: [{ action: 'Deny' }] })),
  taken('100 rules', admin({ ingress: times(100, () => ({ action: 'Deny', from: [everywhere] })) })),
  refused('101 rules', admin({ ingress: times(101, () => ({ action: 'Deny', from: [everywhere] })) })),
  taken('a network with host bits', admin(outward('Deny', { networks: ['10.1.0.0/8'] }))),
  refused('an address without bits', admin(outward('Deny', { networks: ['10.0.0.1'] }))),
  refused('the same network twice', admin(outward('Deny', { networks: ['10.0.0.0/8', '10.0.0.0/8'] }))),
  taken('nodes', admin(outward('Deny', { nodes: {} }))),
  taken('domain names', admin(outward('Allow', { domainNames: ['example.org'] }))),
  taken('domain names denied', admin(outward('Deny', { domainNames: ['example.org'] }))),
  taken('a port', adminPorts({ portNumber: { protocol: 'TCP', port: 80 } })),
  taken('a protocol in small letters, which nothing has', adminPorts({ portNumber: { protocol: 'tcp', port: 80 } })),
  taken('a port without a protocol, which is TCP', adminPorts({ portNumber: { port: 80 } })),
  refused('a protocol without a port', adminPorts({ portNumber: { protocol: 'TCP' } })),
  taken('a range without a protocol', adminPorts({ portRange: { start: 1, end: 2 } })),
  taken('a range of one port', adminPorts({ portRange: { start: 2, end: 2 } })),
  taken('a range backwards', adminPorts({ portRange: { start: 3, end: 2 } })),
  taken('a named port', adminPorts({ namedPort: 'http' })),
  refused('two ports in one entry', adminPorts({ namedPort: 'http', portNumber: { protocol: 'TCP', port: 80 } })),
  refused('no ports', adminPorts()),
  refused(
    'a named port towards networks',
    admin({ egress: [{ action: 'Deny', to: [{ networks: ['10.0.0.0/8'] }], ports: [{ namedPort: 'http' }] }] }),
  ),
];

export const baselineCases: readonly ClusterPolicyCase[] = [
  ...['Allow', 'Deny'].map((action) => taken(action, baseline(rule(action)))),
  refused('Pass', baseline(rule('Pass'))),
  refused('another name', baseline({}, 'x')),
  taken('networks', baseline(outward('Deny', { networks: ['10.0.0.0/8'] }))),
  refused('domain names', baseline(outward('Allow', { domainNames: ['example.org'] }))),
  refused('an empty subject', baseline({ subject: {} })),
];
