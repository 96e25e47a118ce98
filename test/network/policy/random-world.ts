import type { NetworkPolicy } from '../../../src/kubernetes/network-policy.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import type { Protocol } from '../../../src/kubernetes/pod.ts';
import type { PolicyWorld } from '../../../src/network/policy/engine.ts';
import type { PolicyPeer } from '../../../src/network/policy/peer.ts';
import { policyInputOf, type PolicyInput } from '../../../src/network/policy/policy-input.ts';

/**
 * Reads a random cluster from bytes: cheap to make, and smaller bytes are simpler choices, so that a counterexample shrinks. Bytes that
 * are missing are 0.
 */
export class Tape {
  private readonly bytes: Uint8Array;
  private place = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The first is the simplest. */
  choose<Option>(...options: readonly [Option, ...Option[]]): Option {
    return options[(this.bytes[this.place++] ?? 0) % options.length] ?? options[0];
  }

  list<Item>(counts: readonly [number, ...number[]], make: (index: number) => Item): Item[] {
    return Array.from({ length: this.choose(...counts) }, (_, index) => make(index));
  }
}

export interface WorldOptions {
  /** Only what NetworkPolicy v1 defines without a plugin: no host network, all namespaces known, every pod with one address. */
  readonly onlyDefined?: boolean;
  /** With `onlyDefined`: AdminNetworkPolicies, too, each of a priority of its own, and a BaselineAdminNetworkPolicy, about pods alone, their ports by number. */
  readonly withAdminPolicies?: boolean;
}

const namespaceNames = ['a', 'b', 'c'] as const;

export const randomWorld = (tape: Tape, { onlyDefined = false, withAdminPolicies = false }: WorldOptions = {}): PolicyWorld => {
  const namespaces = namespaceNames
    .filter(() => onlyDefined || tape.choose(true, true, true, false))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: labels(tape, 'team') } }));
  const peers = tape.list([2, 3, 4], (index): PolicyPeer => randomPeer(tape, index, onlyDefined));
  const policies = tape.list([1, 2, 3, 4], (index) => randomPolicy(tape, index, onlyDefined));
  if (withAdminPolicies) return { namespaces, peers, policies: [...policies, ...definedAdminPolicies(tape)] };
  if (onlyDefined) return { namespaces, peers, policies };
  const cni = tape.choose(undefined, undefined, {
    name: 'x',
    ipBlockMatchesPods: tape.choose(true, false),
    ipBlockMatchesNodes: tape.choose(true, false),
    selectsHostNetwork: tape.choose(true, false),
  });
  const nodes = tape.choose(
    undefined,
    ['n1', 'n2'].map((name, index) => node(name, index, labels(tape, 'zone'))),
  );
  return { namespaces, peers, policies, ...(cni === undefined ? {} : { cni }), ...(nodes === undefined ? {} : { nodes }) };
};

const node = (name: string, index: number, own: Record<string, string>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: own },
  status: { addresses: [{ type: 'InternalIP', address: `192.168.0.${index + 1}` }] },
});

const labels = (tape: Tape, key: string): Record<string, string> => {
  const value = tape.choose(undefined, 'x', 'y', 'z');
  return value === undefined ? {} : { [key]: value };
};

const randomPeer = (tape: Tape, index: number, onlyDefined: boolean): PolicyPeer => {
  if (tape.choose(false, false, false, true)) {
    const address = onlyDefined
      ? tape.choose('10.0.0.1', '10.1.0.1', '10.0.1.1')
      : tape.choose('10.0.0.1', '10.1.0.1', '10.0.1.1', 'fd00::1', '192.168.0.1', '10.0.0.0/30', '192.168.0.0/31');
    return { kind: 'address', address };
  }
  const hostNetwork = !onlyDefined && tape.choose(false, false, false, true);
  const nodeNumber = onlyDefined ? 1 : tape.choose(1, 2, undefined);
  const v4 = `10.${tape.choose(0, 1)}.${tape.choose(0, 1)}.${index + 2}`;
  const addresses = onlyDefined ? [v4] : tape.choose([v4], [v4, `fd00::${index + 2}`], [`fd00::${index + 2}`], []);
  return {
    kind: 'pod',
    namespace: tape.choose('a', 'b', 'c'),
    name: `p${index}`,
    labels: { ...labels(tape, 'app'), ...labels(tape, 'tier'), unique: `${index}` },
    addresses: hostNetwork ? [] : addresses,
    hostNetwork,
    ...(nodeNumber === undefined ? {} : { nodeName: `n${nodeNumber}` }),
    nodeAddresses: nodeNumber === undefined ? [] : [`192.168.0.${nodeNumber}`],
    namedPorts: tape.list(onlyDefined ? [0, 1] : [0, 1, 2], () => ({
      name: tape.choose('http', 'dns'),
      protocol: randomProtocol(tape),
      port: tape.choose(80, 81, 53),
    })),
  };
};

export const randomProtocol = (tape: Tape): Protocol => tape.choose('TCP', 'TCP', 'UDP', 'SCTP');

const randomSelector = (tape: Tape, key: 'app' | 'tier' | 'team' | 'zone'): object => {
  const other = key === 'app' ? tape.choose('app', 'app', 'tier') : key;
  return tape.choose(
    () => ({}),
    () => ({ matchLabels: { [other]: tape.choose('x', 'y') } }),
    () => ({ matchExpressions: [{ key: other, operator: tape.choose('In', 'NotIn'), values: tape.choose(['x'], ['x', 'y']) }] }),
    () => ({ matchExpressions: [{ key: other, operator: tape.choose('Exists', 'DoesNotExist') }] }),
    () => ({ matchLabels: { [other]: 'x' }, matchExpressions: [{ key: other, operator: 'Exists' }] }),
  )();
};

const randomNamespaceSelector = (tape: Tape): object =>
  tape.choose(
    () => randomSelector(tape, 'team'),
    () => ({ matchLabels: { 'kubernetes.io/metadata.name': tape.choose(...namespaceNames) } }),
  )();

const randomPolicy = (tape: Tape, index: number, onlyDefined: boolean): PolicyInput => {
  const object = tape.choose(
    randomNetworkPolicy,
    randomNetworkPolicy,
    onlyDefined ? randomNetworkPolicy : randomClusterPolicy,
    onlyDefined ? randomNetworkPolicy : randomAdminPolicy,
  )(tape, index, onlyDefined);
  const input = policyInputOf(object);
  if (input === undefined) throw new Error(`no policy: ${JSON.stringify(object)}`);
  return input;
};

const randomNetworkPolicy = (tape: Tape, index: number, onlyDefined: boolean): NetworkPolicy => {
  const rule = (peers: 'from' | 'to') => ({
    ...tape.choose(
      () => ({ [peers]: tape.list([1, 0, 2], () => randomPolicyPeer(tape, onlyDefined)) }),
      () => ({}),
    )(),
    ...tape.choose(
      () => ({}),
      () => ({ ports: tape.list([1, 0, 2], () => randomPolicyPort(tape)) }),
    )(),
  });
  const policyTypes = onlyDefined
    ? tape.choose(['Ingress'], ['Egress'], ['Ingress', 'Egress'])
    : tape.choose(['Ingress'], ['Egress'], ['Ingress', 'Egress'], undefined);
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `np${index}`, namespace: tape.choose('a', 'b') },
    spec: {
      podSelector: randomSelector(tape, 'app'),
      ...(policyTypes === undefined ? {} : { policyTypes }),
      ingress: tape.list([1, 0, 2], () => rule('from')),
      egress: tape.list([1, 0, 2], () => rule('to')),
    },
  } as NetworkPolicy;
};

const randomPolicyPeer = (tape: Tape, onlyDefined: boolean): object =>
  tape.choose<() => object>(
    () => ({ podSelector: randomSelector(tape, 'app') }),
    () => ({ namespaceSelector: randomNamespaceSelector(tape) }),
    () => ({ namespaceSelector: randomNamespaceSelector(tape), podSelector: randomSelector(tape, 'app') }),
    () => ({
      ipBlock: {
        cidr: onlyDefined
          ? tape.choose('10.0.0.0/8', '0.0.0.0/0', '10.1.0.0/16')
          : tape.choose('10.0.0.0/8', '0.0.0.0/0', '::/0', '10.1.0.0/16', 'fd00::/64', '192.168.0.0/24'),
        ...tape.choose({}, { except: ['10.0.0.0/31'] }, { except: ['10.0.1.0/24', '10.1.0.0/24'] }),
      },
    }),
    ...(onlyDefined ? [] : [(): object => ({})]),
  )();

const randomPolicyPort = (tape: Tape): object =>
  tape.choose<() => object>(
    () => ({ port: tape.choose(80, 81) }),
    () => ({ port: tape.choose('http', 'dns'), protocol: randomProtocol(tape) }),
    () => ({ port: tape.choose(53, 80), endPort: tape.choose(80, 90), protocol: randomProtocol(tape) }),
    () => ({ protocol: randomProtocol(tape) }),
  )();

const randomClusterPolicy = (tape: Tape, index: number): KubernetesObject => ({
  apiVersion: 'policy.networking.k8s.io/v1beta1',
  kind: 'ClusterNetworkPolicy',
  metadata: { name: `cnp${index}` },
  spec: {
    tier: tape.choose('Admin', 'Baseline'),
    priority: tape.choose(1, 1, 2, 3),
    subject: randomSubject(tape),
    ingress: tape.list([1, 0, 2], () => clusterRule(tape, 'from', ['Accept', 'Deny', 'Pass'], () => randomClusterPort(tape), 'protocols')),
    egress: tape.list([1, 0, 2], () => clusterRule(tape, 'to', ['Accept', 'Deny', 'Pass'], () => randomClusterPort(tape), 'protocols')),
  },
});

const randomAdminPolicy = (tape: Tape, index: number): KubernetesObject => {
  const baseline = tape.choose(false, true);
  const actions = baseline ? (['Allow', 'Deny'] as const) : (['Allow', 'Deny', 'Pass'] as const);
  return {
    apiVersion: 'policy.networking.k8s.io/v1alpha1',
    kind: baseline ? 'BaselineAdminNetworkPolicy' : 'AdminNetworkPolicy',
    metadata: { name: `anp${index}` },
    spec: {
      ...(baseline ? {} : { priority: tape.choose(1, 1, 2, 3) }),
      subject: randomSubject(tape),
      ingress: tape.list([1, 0, 2], () => clusterRule(tape, 'from', actions, () => randomAdminPort(tape), 'ports')),
      egress: tape.list([1, 0, 2], () => clusterRule(tape, 'to', actions, () => randomAdminPort(tape), 'ports')),
    },
  };
};

const numberedAdminPort = (tape: Tape): object =>
  tape.choose(
    { portNumber: { protocol: randomProtocol(tape), port: tape.choose(80, 81) } },
    { portRange: { protocol: randomProtocol(tape), start: 53, end: 80 } },
  );

const definedAdminPolicies = (tape: Tape): readonly PolicyInput[] => {
  const rule = (peers: 'from' | 'to', actions: readonly [string, ...string[]]) => ({
    action: tape.choose(...actions),
    [peers]: tape.list([1, 2], () => randomSubject(tape)),
    ...tape.choose(
      () => ({}),
      () => ({ ports: tape.list([1, 2], () => numberedAdminPort(tape)) }),
    )(),
  });
  const spec = (actions: readonly [string, ...string[]]) => ({
    subject: randomSubject(tape),
    ingress: tape.list([1, 2], () => rule('from', actions)),
    egress: tape.list([1, 2], () => rule('to', actions)),
  });
  const apiVersion = 'policy.networking.k8s.io/v1alpha1';
  const priorities = tape.choose([1], [1, 2], [2, 1], []);
  const objects: readonly KubernetesObject[] = [
    ...priorities.map((priority, index) => ({
      apiVersion,
      kind: 'AdminNetworkPolicy',
      metadata: { name: `anp${index}` },
      spec: { priority, ...spec(['Allow', 'Deny', 'Pass']) },
    })),
    ...tape.list([1, 0], () => ({
      apiVersion,
      kind: 'BaselineAdminNetworkPolicy',
      metadata: { name: 'default' },
      spec: spec(['Allow', 'Deny']),
    })),
  ];
  return objects.flatMap((object) => policyInputOf(object) ?? []);
};

const randomSubject = (tape: Tape): object =>
  tape.choose<() => object>(
    () => ({ namespaces: randomNamespaceSelector(tape) }),
    () => ({ pods: { namespaceSelector: randomNamespaceSelector(tape), podSelector: randomSelector(tape, 'app') } }),
  )();

const clusterRule = (
  tape: Tape,
  peers: 'from' | 'to',
  actions: readonly [string, ...string[]],
  port: () => object,
  portsField: 'ports' | 'protocols',
): object => ({
  action: tape.choose(...actions),
  [peers]: tape.list([1, 2], () => randomClusterPeer(tape, peers)),
  ...tape.choose(
    () => ({}),
    () => ({ [portsField]: tape.list([1, 2], port) }),
  )(),
});

const randomClusterPeer = (tape: Tape, peers: 'from' | 'to'): object =>
  tape.choose<() => object>(
    () => randomSubject(tape),
    () => randomSubject(tape),
    ...(peers === 'from'
      ? []
      : [
          () => ({ networks: tape.choose(['0.0.0.0/0'], ['10.1.0.0/16', 'fd00::/64'], ['0.0.0.0/0', '::/0'], ['192.168.0.0/24']) }),
          () => ({ nodes: randomSelector(tape, 'zone') }),
          () => ({ domainNames: ['example.org'] }),
        ]),
    () => ({ newer: {} }), // a field of a version that is not known here
  )();

const randomClusterPort = (tape: Tape): object =>
  tape.choose<() => object>(
    () => ({ [tape.choose('tcp', 'udp', 'sctp')]: { destinationPort: tape.choose({ number: 80 }, { range: { start: 53, end: 80 } }) } }),
    () => ({ [tape.choose('tcp', 'udp', 'sctp')]: {} }),
    () => ({ destinationNamedPort: tape.choose('http', 'dns') }),
  )();

const randomAdminPort = (tape: Tape): object =>
  tape.choose<() => object>(
    () => ({ portNumber: { protocol: randomProtocol(tape), port: tape.choose(80, 81) } }),
    () => ({ portRange: { start: 53, end: 80 } }),
    () => ({ namedPort: tape.choose('http', 'dns') }),
  )();
