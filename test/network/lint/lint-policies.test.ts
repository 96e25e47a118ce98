import { describe, expect, it } from 'vitest';
import { lintPolicies } from '../../../src/network/lint/lint-policies.ts';
import { evaluateInventory } from '../../../src/network/matrix/network-state.ts';
import { inventoryOf, namespace, policy, service, workload } from '../inventory/network-objects.ts';
import { pathText } from '../validity/refused-policies.ts';

const warnings = (...texts: readonly string[]): readonly string[] => {
  const inventory = inventoryOf(texts.join(''));
  return lintPolicies(inventory.policies, inventory, evaluateInventory(inventory, []).engine).map(
    ({ code, path, message }) => `${code} ${pathText(path)}: ${message}`,
  );
};

const labelled = (app: string) => ({ matchLabels: { app } });
const inNamespace = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
const shop = [namespace('shop', { team: 'shop' }), workload('shop/server'), workload('shop/client')];
const team = [namespace('team', { team: 'a' }), workload('team/client')];
const guard = (...ingress: readonly object[]): string => policy('shop/guard', { podSelector: labelled('server'), ingress });

describe('AND written as OR', () => {
  const twoEntries = (app: string) => guard({ from: [{ namespaceSelector: inNamespace('team') }, { podSelector: labelled(app) }] });

  it('is said where the pods are in the other namespace, or nowhere in the own one', () => {
    const said = (app: string) => warnings(namespace('shop'), workload('shop/server'), ...team, twoEntries(app));
    expect(said('client')).toEqual([
      "AndWrittenAsOr spec.ingress[0].from[1]: two entries: every pod of namespaces kubernetes.io/metadata.name=team, or pods app=client of the policy's own namespace",
    ]);
    expect(said('missing')).toHaveLength(1);
    expect(warnings(...shop, ...team, twoEntries('client'))).toHaveLength(1);
  });

  it('is not said of two entries that both make sense, nor of one with both selectors', () => {
    expect(warnings(...shop, namespace('team'), workload('team/other'), twoEntries('client'))).toEqual([]);
    expect(
      warnings(...shop, ...team, guard({ from: [{ namespaceSelector: inNamespace('team'), podSelector: labelled('client') }] })),
    ).toEqual([]);
    expect(warnings(...shop, ...team, guard({ from: [{ namespaceSelector: {} }, { podSelector: labelled('client') }] }))).toEqual([]);
    expect(
      warnings(...shop, ...team, guard({ from: [{ podSelector: labelled('client') }, { namespaceSelector: inNamespace('team') }] })),
    ).toEqual([]);
  });
});

describe('a policy that selects nothing', () => {
  it('is named with the labels that nobody carries', () => {
    expect(warnings(...shop, policy('shop/p', { podSelector: labelled('sever') }))).toEqual([
      'SelectsNothing spec.podSelector: it selects no pod of shop: none is labelled app=sever',
    ]);
  });

  it('is not said where no workload of the namespace is known', () => {
    expect(warnings(...shop, policy('elsewhere/p', { podSelector: labelled('sever') }))).toEqual([]);
  });
});

describe('rules outside of policyTypes', () => {
  it('are without effect', () => {
    const spec = { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}], egress: [{}] };
    expect(warnings(...shop, policy('shop/p', spec))).toEqual([
      'RulesWithoutEffect spec.egress: egress rules without effect: policyTypes is Ingress',
    ]);
    expect(warnings(...shop, policy('shop/p', { ...spec, policyTypes: ['Ingress', 'Egress'] }))).toEqual([]);
    expect(warnings(...shop, policy('shop/p', { podSelector: {}, ingress: [{}], egress: [{}] }))).toEqual([]);
  });
});

describe('a one-sided path', () => {
  const letOut = policy('team/out', {
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [{ to: [{ namespaceSelector: inNamespace('shop'), podSelector: labelled('server') }], ports: [{ port: 8080 }] }],
  });

  it('is the rule that lets out whom nobody lets in', () => {
    expect(warnings(...shop, ...team, letOut, guard({ from: [{ podSelector: {} }] }))).toEqual([
      'OneSidedPath spec.egress[0]: one half of a path: this lets out to shop/server[Deployment], and shop/guard isolates the pod and has no rule for pod team/client on TCP 8080',
    ]);
  });

  it('is the rule that lets in whom nobody lets out', () => {
    const shutIn = policy('team/out', { podSelector: {}, policyTypes: ['Egress'] });
    const [warning, ...more] = warnings(
      ...shop,
      ...team,
      shutIn,
      guard({ from: [{ namespaceSelector: inNamespace('team') }], ports: [{ port: 8080 }] }),
    );
    expect(warning).toContain('OneSidedPath spec.ingress[0]: one half of a path: this lets in from team/client[Deployment]');
    expect(more).toEqual([]);
  });

  it('is not said of a path that is open on one of its ports, or towards one of its pods', () => {
    expect(
      warnings(...shop, ...team, letOut, guard({ from: [{ namespaceSelector: inNamespace('team') }], ports: [{ port: 'http' }] })),
    ).toEqual([]);
    expect(warnings(...shop, ...team, letOut)).toEqual([]);
    expect(warnings(...shop, letOut)).toEqual([]);
  });
});

describe('a namespace label that nobody carries', () => {
  const rule = (key: string, value: string) => guard({ from: [{ namespaceSelector: { matchLabels: { [key]: value } } }] });

  it('is said, with the label that every namespace carries', () => {
    expect(warnings(...shop, rule('name', 'team'))).toEqual([
      'NamespaceLabelNobodyCarries spec.ingress[0].from[0].namespaceSelector: no namespace is labelled name=team',
    ]);
    expect(warnings(...shop, ...team, rule('team', 'a'))).toEqual([]);
  });

  it('is said of a name only where it looks like a known one: others may have namespaces that are not described here', () => {
    expect(warnings(...shop, rule('kubernetes.io/metadata.name', 'shopp'))).toHaveLength(1);
    expect(warnings(...shop, rule('kubernetes.io/metadata.name', 'kube-system'))).toEqual([]);
  });
});

describe("a Service's port in a policy", () => {
  const front = service('shop/front', { selector: { app: 'server' }, ports: [{ port: 80, targetPort: 'http' }, { port: 9090 }] });
  const onPort = (port: number | string) => guard({ from: [{ podSelector: labelled('client') }], ports: [{ port }] });

  it('is said, with the port that a policy sees', () => {
    expect(warnings(...shop, front, onPort(80))).toEqual([
      'ServicePortInPolicy spec.ingress[0].ports[0].port: 80 is the port of Service front; its pods get 8080, and that is what a policy sees',
    ]);
    const out = policy('shop/out', {
      podSelector: labelled('client'),
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: labelled('server') }], ports: [{ port: 80 }] }],
    });
    expect(warnings(...shop, front, out)).toEqual([expect.stringContaining('ServicePortInPolicy spec.egress[0].ports[0].port')]);
  });

  it('is not said of a port that the pods have, too', () => {
    expect(warnings(...shop, front, onPort(8080), onPort(9090).replace('guard', 'other'))).toEqual([]);
    expect(warnings(...shop, front, onPort('http'))).toEqual([]);
    expect(warnings(...shop, onPort(80))).toEqual([]);
  });
});
