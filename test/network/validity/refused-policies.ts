/** Specs of NetworkPolicies, each with the places where an API server refuses it: none for one that it takes. */
export interface PolicyCase {
  readonly what: string;
  readonly spec: unknown;
  readonly refusedAt: readonly string[];
}

const ports = (...list: readonly unknown[]): unknown => ({ podSelector: {}, ingress: [{ ports: list }] });
const from = (...list: readonly unknown[]): unknown => ({ podSelector: {}, ingress: [{ from: list }] });
const to = (...list: readonly unknown[]): unknown => ({ podSelector: {}, egress: [{ to: list }] });
const selector = (...matchExpressions: readonly unknown[]): unknown => ({ podSelector: { matchExpressions } });
const port0 = 'spec.ingress[0].ports[0]';
const from0 = 'spec.ingress[0].from[0]';

export const policyCases: readonly PolicyCase[] = [
  { what: 'an empty spec', spec: {}, refusedAt: [] },
  { what: 'every field', spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'], ingress: [{}], egress: [] }, refusedAt: [] },
  { what: 'nulls', spec: { podSelector: null, policyTypes: null, ingress: [{ from: null, ports: null }], egress: null }, refusedAt: [] },

  { what: 'the last port', spec: ports({ port: 65_535 }), refusedAt: [] },
  { what: 'port 0', spec: ports({ port: 0 }), refusedAt: [`${port0}.port`] },
  { what: 'port 65536', spec: ports({ port: 65_536 }), refusedAt: [`${port0}.port`] },
  { what: 'half a port', spec: ports({ port: 80.5 }), refusedAt: [`${port0}.port`] },
  { what: 'a port name', spec: ports({ port: 'http-alt' }), refusedAt: [] },
  { what: 'a port number as a text', spec: ports({ port: '8080' }), refusedAt: [`${port0}.port`] },
  { what: 'a port name of 16 characters', spec: ports({ port: 'abcdefghijklmnop' }), refusedAt: [`${port0}.port`] },
  { what: 'a port name in capitals', spec: ports({ port: 'HTTP' }), refusedAt: [`${port0}.port`] },
  { what: 'a port name with two hyphens', spec: ports({ port: 'a--b' }), refusedAt: [`${port0}.port`] },
  { what: 'a port name that ends in a hyphen', spec: ports({ port: 'a-' }), refusedAt: [`${port0}.port`] },
  { what: 'a protocol in small letters', spec: ports({ protocol: 'tcp' }), refusedAt: [`${port0}.protocol`] },
  { what: 'ICMP', spec: ports({ protocol: 'ICMP' }), refusedAt: [`${port0}.protocol`] },
  { what: 'a range of ports', spec: ports({ port: 80, endPort: 90 }), refusedAt: [] },
  { what: 'a range of one port', spec: ports({ port: 80, endPort: 80 }), refusedAt: [] },
  { what: 'endPort alone', spec: ports({ endPort: 90 }), refusedAt: [`${port0}.endPort`] },
  { what: 'endPort behind a name', spec: ports({ port: 'http', endPort: 90 }), refusedAt: [`${port0}.endPort`] },
  { what: 'endPort below port', spec: ports({ port: 80, endPort: 79 }), refusedAt: [`${port0}.endPort`] },
  { what: 'endPort out of range', spec: ports({ port: 80, endPort: 70_000 }), refusedAt: [`${port0}.endPort`] },
  {
    what: 'two mistakes',
    spec: ports({ port: 0 }, { port: 80 }, { protocol: 'X' }),
    refusedAt: [`${port0}.port`, 'spec.ingress[0].ports[2].protocol'],
  },

  { what: 'an IPv4 block', spec: from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }), refusedAt: [] },
  { what: 'an IPv6 block', spec: to({ ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] } }), refusedAt: [] },
  { what: 'host bits in a block', spec: from({ ipBlock: { cidr: '10.1.2.3/8' } }), refusedAt: [] },
  { what: 'leading zeros in a block', spec: from({ ipBlock: { cidr: '010.001.0.0/16', except: ['10.1.2.0/24'] } }), refusedAt: [] },
  { what: 'an address without bits', spec: from({ ipBlock: { cidr: '10.0.0.1' } }), refusedAt: [`${from0}.ipBlock.cidr`] },
  { what: 'too many bits', spec: from({ ipBlock: { cidr: '10.0.0.0/33' } }), refusedAt: [`${from0}.ipBlock.cidr`] },
  { what: 'no address', spec: from({ ipBlock: { cidr: '10.0.0/8' } }), refusedAt: [`${from0}.ipBlock.cidr`] },
  { what: 'no cidr', spec: from({ ipBlock: {} }), refusedAt: [`${from0}.ipBlock`] },
  {
    what: 'an exception outside',
    spec: from({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
    refusedAt: [`${from0}.ipBlock.except[0]`],
  },
  {
    what: 'an exception of everything',
    spec: from({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }),
    refusedAt: [`${from0}.ipBlock.except[0]`],
  },
  {
    what: 'an exception around it',
    spec: from({ ipBlock: { cidr: '10.0.0.0/8', except: ['0.0.0.0/0'] } }),
    refusedAt: [`${from0}.ipBlock.except[0]`],
  },
  {
    what: 'an exception of the other family',
    spec: from({ ipBlock: { cidr: '10.0.0.0/8', except: ['::/96'] } }),
    refusedAt: [`${from0}.ipBlock.except[0]`],
  },
  {
    what: 'an exception that is none',
    spec: to({ ipBlock: { cidr: '10.0.0.0/8', except: ['x'] } }),
    refusedAt: ['spec.egress[0].to[0].ipBlock.except[0]'],
  },

  { what: 'a peer that names nobody', spec: from({}), refusedAt: [from0] },
  { what: 'a peer whose selector is null', spec: from({ podSelector: null }), refusedAt: [from0] },
  { what: 'both selectors', spec: from({ podSelector: {}, namespaceSelector: {} }), refusedAt: [] },
  { what: 'ipBlock beside a selector', spec: from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }), refusedAt: [from0] },

  {
    what: 'all operators',
    spec: selector(
      { key: 'a', operator: 'In', values: ['x'] },
      { key: 'b', operator: 'NotIn', values: [''] },
      { key: 'c', operator: 'Exists' },
      { key: 'd', operator: 'DoesNotExist', values: [] },
    ),
    refusedAt: [],
  },
  {
    what: 'an impossible operator',
    spec: selector({ key: 'a', operator: 'Gt', values: ['1'] }),
    refusedAt: ['spec.podSelector.matchExpressions[0].operator'],
  },
  {
    what: 'an operator in small letters',
    spec: selector({ key: 'a', operator: 'exists' }),
    refusedAt: ['spec.podSelector.matchExpressions[0].operator'],
  },
  { what: 'In without values', spec: selector({ key: 'a', operator: 'In' }), refusedAt: ['spec.podSelector.matchExpressions[0]'] },
  {
    what: 'Exists with values',
    spec: selector({ key: 'a', operator: 'Exists', values: ['x'] }),
    refusedAt: ['spec.podSelector.matchExpressions[0].values'],
  },
  { what: 'no key', spec: selector({ operator: 'Exists' }), refusedAt: ['spec.podSelector.matchExpressions[0]'] },
  {
    what: 'a key that is none',
    spec: selector({ key: '-a', operator: 'Exists' }),
    refusedAt: ['spec.podSelector.matchExpressions[0].key'],
  },
  {
    what: 'a value that is none',
    spec: selector({ key: 'a', operator: 'In', values: ['a b'] }),
    refusedAt: ['spec.podSelector.matchExpressions[0].values[0]'],
  },
  {
    what: 'a label that is a number',
    spec: { podSelector: { matchLabels: { tier: 1 } } },
    refusedAt: ['spec.podSelector.matchLabels.tier'],
  },
  {
    what: 'a label value that is none',
    spec: { podSelector: { matchLabels: { app: 'a/b' } } },
    refusedAt: ['spec.podSelector.matchLabels.app'],
  },
  {
    what: 'a label of 64 characters',
    spec: { podSelector: { matchLabels: { app: 'a'.repeat(64) } } },
    refusedAt: ['spec.podSelector.matchLabels.app'],
  },

  { what: 'a direction that is none', spec: { podSelector: {}, policyTypes: ['ingress'] }, refusedAt: ['spec.policyTypes[0]'] },
  { what: 'three directions', spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Egress'] }, refusedAt: ['spec.policyTypes'] },
  { what: 'a map where a list is expected', spec: { podSelector: {}, ingress: { from: [] } }, refusedAt: ['spec.ingress'] },
  { what: 'a list where a map is expected', spec: { podSelector: [] }, refusedAt: ['spec.podSelector'] },
  { what: 'a text as the spec', spec: 'all', refusedAt: ['spec'] },
];

export const policyOf = ({ spec }: PolicyCase, name = 'p') => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace: 'default' },
  spec,
});

/** `spec.ingress[0].from[1]` */
export const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((before, step) => (typeof step === 'number' ? `${before}[${step}]` : before === '' ? step : `${before}.${step}`), '');
