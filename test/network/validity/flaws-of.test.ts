import { describe, expect, it } from 'vitest';
import { flawsOf, isRefused } from '../../../src/network/validity/flaws-of.ts';
import { adminNetworkPolicyCases, baselineCases, clusterNetworkPolicyCases } from './refused-cluster-policies.ts';
import { pathText, policyCases, policyOf } from './refused-policies.ts';

const flaws = (apiVersion: string, kind: string, spec: unknown, name = 'default'): string[] =>
  flawsOf({ apiVersion, kind, metadata: { name }, spec }).map(({ kind: how, path, message }) => `${how} ${pathText(path)}: ${message}`);

describe('a NetworkPolicy', () => {
  it.each(policyCases)('with $what', (policyCase) => {
    expect(flawsOf(policyOf(policyCase)).map(({ path }) => pathText(path))).toEqual(policyCase.refusedAt);
  });

  it('with a field that nobody knows is used without it', () => {
    expect(flaws('networking.k8s.io/v1', 'NetworkPolicy', { podselector: {}, ingress: [{ form: [] }] })).toEqual([
      'unknown spec.podselector: unknown field podselector, which the API server drops',
      'unknown spec.ingress[0].form: unknown field form, which the API server drops',
    ]);
  });

  it('needs a name that a server takes', () => {
    expect(flaws('networking.k8s.io/v1', 'NetworkPolicy', {}, 'My_Policy')).toEqual(['refused metadata.name: "My_Policy" is not a name']);
  });

  it('says what to write', () => {
    const [flaw] = flawsOf(policyOf({ what: '', spec: { ingress: [{ ports: [{ port: '8080' }] }] }, refusedAt: [] }));
    expect(flaw).toMatchObject({ message: '"8080" is not a port', hint: expect.stringContaining('without quotes') });
  });
});

describe('a ClusterNetworkPolicy', () => {
  const of = (rules: object): string[] =>
    flaws('policy.networking.k8s.io/v1beta1', 'ClusterNetworkPolicy', {
      tier: 'Admin',
      priority: 10,
      subject: { namespaces: {} },
      ...rules,
    });
  const egress = (...to: readonly unknown[]): object => ({ egress: [{ action: 'Deny', to }] });
  const protocols = (...list: readonly unknown[]): object => ({
    ingress: [{ action: 'Accept', from: [{ namespaces: {} }], protocols: list }],
  });

  it.each([
    [{}, []],
    [egress({ networks: ['10.0.0.0/8', '::/0'] }), []],
    [protocols({ tcp: { destinationPort: { number: 80 } } }, { udp: { destinationPort: { range: { start: 1, end: 2 } } } }), []],
    [{ tier: 'admin' }, ['spec.tier: tier cannot be "admin"']],
    [{ priority: 1001 }, ['spec.priority: priority 1001 is out of range']],
    [{ subject: {} }, ['spec.subject: subject has none of namespaces, pods']],
    [{ subject: { namespaces: {}, pods: { podSelector: {} } } }, ['spec.subject: subject has namespaces and pods together']],
    [egress(), ['spec.egress[0].to: to is empty']],
    [egress({ networks: ['10.1.0.0/8'] }), ['spec.egress[0].to[0].networks[0]: 10.1.0.0/8 begins inside of its range']],
    [egress({ networks: [] }), ['spec.egress[0].to[0].networks: networks is empty']],
    [{ ingress: [{ action: 'Allow', from: [{ namespaces: {} }] }] }, ['spec.ingress[0].action: action cannot be "Allow"']],
    [{ ingress: [{ action: 'Deny' }] }, ['spec.ingress[0]: from is missing']],
    [
      protocols({ tcp: { destinationPort: { range: { start: 5, end: 5 } } } }),
      ['spec.ingress[0].protocols[0].tcp.destinationPort.range: a range from 5 to 5'],
    ],
    [protocols({ tcp: {} }), ['spec.ingress[0].protocols[0].tcp: tcp has none of destinationPort']],
    [
      { egress: [{ action: 'Deny', to: [{ networks: ['10.0.0.0/8'] }], protocols: [{ destinationNamedPort: 'http' }] }] },
      ['spec.egress[0]: a named port towards networks, nodes or domainNames'],
    ],
  ])('%j', (rules, expected) => {
    expect(of(rules)).toEqual(expected.map((flaw) => `refused ${flaw}`));
  });
});

describe('an AdminNetworkPolicy, and the Baseline', () => {
  const rule = (action: string, ports?: unknown) => ({
    subject: { namespaces: {} },
    ingress: [{ action, from: [{ namespaces: {} }], ...(ports === undefined ? {} : { ports }) }],
  });

  it('take what they take, and no more', () => {
    const version = 'policy.networking.k8s.io/v1alpha1';
    expect(flaws(version, 'AdminNetworkPolicy', { priority: 1, ...rule('Pass', [{ portNumber: { protocol: 'TCP', port: 80 } }]) })).toEqual(
      [],
    );
    expect(flaws(version, 'BaselineAdminNetworkPolicy', rule('Pass'))).toEqual(['refused spec.ingress[0].action: action cannot be "Pass"']);
    expect(flaws(version, 'BaselineAdminNetworkPolicy', rule('Deny'), 'x')).toEqual([
      'refused metadata.name: a BaselineAdminNetworkPolicy named x',
    ]);
    expect(flaws(version, 'AdminNetworkPolicy', rule('Allow'))).toEqual(['refused spec: priority is missing']);
  });
});

describe('a cluster-wide policy', () => {
  it.each([...clusterNetworkPolicyCases, ...adminNetworkPolicyCases, ...baselineCases])(
    '$policy.kind: $what is refused: $isRefused',
    ({ policy, isRefused: expected }) => {
      expect(isRefused(flawsOf(policy))).toBe(expected);
    },
  );
});

describe('anything else', () => {
  it('is not judged, a policy of the same name from another group included', () => {
    expect(flaws('crd.projectcalico.org/v1', 'NetworkPolicy', 'whatever')).toEqual([]);
    expect(flaws('v1', 'Pod', 7)).toEqual([]);
  });
});
