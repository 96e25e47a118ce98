import { requirementsOf, type LabelSelector } from '../../kubernetes/label-selector.ts';
import { addressSet, parseCidr, withoutAddresses, type AddressSet } from './address-set.ts';
import type { CompiledPeers, CompiledPolicy, CompiledRule, PeerEntry, Tier } from './compiled-policy.ts';
import { compileClusterRules, compileSubject } from './compile-cluster-rules.ts';
import { compileAdminPorts, compileClusterPorts, compilePorts } from './compile-ports.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../kubernetes/network-policy.ts';
import { everyone } from './everyone.ts';
import type { PolicyInput } from './policy-input.ts';

/** Never throws: what an API server would refuse matches perhaps. */
export const compilePolicy = (input: PolicyInput, id: number): CompiledPolicy => ({ id, input, ...compileRead(withoutNulls(input)) });

/** `null` in a manifest is a field that is absent. */
const withoutNulls = <Value>(value: Value): Value => (holdsNull(value) ? (copyWithoutNulls(value) as Value) : value);

const holdsNull = (value: unknown): boolean => {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  for (const name in value) if (holdsNull(value[name as keyof typeof value])) return true;
  return false;
};

const copyWithoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyWithoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([name, field]) => [name, copyWithoutNulls(field)]));
};

const compileRead = (input: PolicyInput): Omit<CompiledPolicy, 'id' | 'input'> => {
  switch (input.kind) {
    case 'NetworkPolicy':
      return compileNetworkPolicy(input.object);
    case 'ClusterNetworkPolicy': {
      const { tier = 'Admin', priority = 0, subject, ingress, egress } = input.object.spec ?? {};
      return {
        ...clusterWide(tier, priority, subject),
        ...compileClusterRules({ ingress, egress }, ({ protocols }) => compileClusterPorts(protocols)),
      };
    }
    case 'AdminNetworkPolicy': {
      const { priority = 0, subject, ingress, egress } = input.object.spec ?? {};
      return {
        ...clusterWide('Admin', priority, subject),
        ...compileClusterRules({ ingress, egress }, ({ ports }) => compileAdminPorts(ports)),
      };
    }
    case 'BaselineAdminNetworkPolicy': {
      const { subject, ingress, egress } = input.object.spec ?? {};
      return {
        ...clusterWide('Baseline', 0, subject),
        ...compileClusterRules({ ingress, egress }, ({ ports }) => compileAdminPorts(ports)),
      };
    }
  }
};

const clusterWide = (
  tier: Tier,
  priority: number,
  subject: Parameters<typeof compileSubject>[0],
): Pick<CompiledPolicy, 'tier' | 'priority' | 'subject'> => ({ tier, priority, subject: compileSubject(subject) });

/**
 * Rules under a direction that `policyTypes` does not name are without effect.
 *
 * Source: Kubernetes API reference, NetworkPolicySpec, and the API server's default for `policyTypes`: Ingress always, Egress if there
 * is an egress rule.
 */
const compileNetworkPolicy = ({ metadata, spec }: NetworkPolicy): Omit<CompiledPolicy, 'id' | 'input'> => {
  const namespace = metadata.namespace ?? 'default';
  const types = spec?.policyTypes ?? [];
  const ingress = types.length === 0 || types.includes('Ingress');
  const egress = types.length === 0 ? (spec?.egress ?? []).length > 0 : types.includes('Egress');
  const compileRule = (
    peers: readonly NetworkPolicyPeer[] | null | undefined,
    ports: readonly NetworkPolicyPort[] | null | undefined,
    index: number,
  ): CompiledRule => ({ index, action: 'allow', peers: compilePeers(peers, namespace), ports: compilePorts(ports) });
  return {
    tier: 'NetworkPolicy',
    priority: 0,
    subject: podsOf(namespace, undefined, spec?.podSelector),
    ...(ingress ? { ingress: (spec?.ingress ?? []).map(({ from, ports }, index) => compileRule(from, ports, index)) } : {}),
    ...(egress ? { egress: (spec?.egress ?? []).map(({ to, ports }, index) => compileRule(to, ports, index)) } : {}),
  };
};

const podsOf = (namespace: string, namespaceSelector: LabelSelector | undefined, podSelector: LabelSelector | undefined): PeerEntry => ({
  kind: 'pods',
  namespaces:
    namespaceSelector === undefined ? { kind: 'own', namespace } : { kind: 'selected', requirements: requirementsOf(namespaceSelector) },
  pods: podSelector === undefined ? [] : requirementsOf(podSelector),
  hostNetwork: 'plugin',
});

/** An absent or empty list covers everyone. */
const compilePeers = (peers: readonly NetworkPolicyPeer[] | null | undefined, namespace: string): CompiledPeers => {
  if (peers === undefined || peers === null || peers.length === 0) return everyone;
  const usesOwn = peers.some(({ ipBlock, namespaceSelector }) => ipBlock === undefined && namespaceSelector === undefined);
  return {
    key: `${usesOwn ? namespace : ''} ${JSON.stringify(peers)}`,
    entries: peers.map((peer) => compilePeer(peer, namespace)),
  };
};

const compilePeer = ({ ipBlock, namespaceSelector, podSelector }: NetworkPolicyPeer, namespace: string): PeerEntry => {
  if (ipBlock !== undefined) return compileIpBlock(ipBlock);
  if (namespaceSelector === undefined && podSelector === undefined)
    return { kind: 'unclear', what: 'an entry that names neither pods nor namespaces nor addresses, which the API server refuses' };
  return podsOf(namespace, namespaceSelector, podSelector);
};

/** Source: Kubernetes API reference, IPBlock v1 networking.k8s.io. */
const compileIpBlock = ({ cidr, except }: NonNullable<NetworkPolicyPeer['ipBlock']>): PeerEntry => {
  const exceptions = except ?? [];
  const unreadable = [cidr, ...exceptions].find((range) => parseCidr(range) === undefined);
  if (unreadable !== undefined) return { kind: 'unclear', what: `the address range ${unreadable}, which cannot be read` };
  return {
    kind: 'addresses',
    text: `ipBlock ${cidr}${exceptions.length === 0 ? '' : ` except ${exceptions.join(', ')}`}`,
    set: withoutAddresses(setOf([cidr]), setOf(exceptions)),
    pods: 'plugin',
  };
};

const setOf = (cidrs: readonly string[]): AddressSet =>
  addressSet(
    cidrs.flatMap((cidr) => {
      const range = parseCidr(cidr);
      return range === undefined ? [] : [range];
    }),
  );
