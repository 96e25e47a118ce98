import { matchesSelector, type LabelSelector, type Labels } from '../../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { namespacesOf, type Inventory } from '../inventory/inventory.ts';
import { namespaceOf } from '../inventory/source-object.ts';
import { namespaceNameLabel } from '../policy/matching-context.ts';
import type { PodPeer } from '../policy/peer.ts';
import type { Member } from './end.ts';

/** Clients that could be made, and namespaces for them. */
export interface HypotheticalClients {
  readonly clients: readonly Member[];
  readonly namespaces: readonly KubernetesObject[];
}

const anyPod = 'any pod in any namespace';

/**
 * The least that a pod needs for each entry of each policy to let it in: the labels that the entry asks for, in every namespace that it
 * asks for, those that could be made included. Besides them a pod without labels in every namespace and in a new one, and every address
 * outside.
 */
export const hypotheticalClients = (
  inventory: Inventory,
  servers: readonly Member[],
  wanted: readonly Member[],
  isWanted: (pod: PodPeer) => boolean,
): HypotheticalClients => {
  const known = [...namespacesOf(inventory)];
  const entries = inventory.policies.flatMap((policy): readonly PodEntry[] => {
    switch (policy.kind) {
      case 'NetworkPolicy':
        if (!servers.some(({ peer }) => peer.kind === 'pod' && peer.namespace === namespaceOf(policy.object))) return [];
        return (policy.object.spec?.ingress ?? [])
          .flatMap(({ from }) => from ?? [])
          .filter(({ ipBlock }) => ipBlock === undefined)
          .map(({ podSelector = {}, namespaceSelector }) => ({
            podSelector,
            namespaceSelector: namespaceSelector ?? named(namespaceOf(policy.object)),
          }));
      case 'ClusterNetworkPolicy':
        return (policy.object.spec?.ingress ?? []).flatMap(({ from }) => from).flatMap(({ pods, namespaces }) => entryOf(pods, namespaces));
      case 'AdminNetworkPolicy':
      case 'BaselineAdminNetworkPolicy':
        return (policy.object.spec?.ingress ?? []).flatMap(({ from }) => from).flatMap(({ pods, namespaces }) => entryOf(pods, namespaces));
    }
  });
  const labelsOf = (namespace: string): Labels => ({
    ...inventory.namespaces.find(({ metadata }) => metadata.name === namespace)?.metadata.labels,
    [namespaceNameLabel]: namespace,
  });

  const clients = new Map<string, Member>();
  const namespaces = new Map<string, KubernetesObject>();
  const add = (namespace: string, labels: Labels, where: string): void => {
    const client = podIn(namespace, labels, where);
    if (!isWanted(client.peer) && !wanted.some((member) => isOneOf(member, client))) clients.set(client.of, client);
  };
  const newNamespace = (labels: Labels): string => {
    const { [namespaceNameLabel]: name = `new-${namespaces.size + 1}`, ...own } = labels;
    namespaces.set(name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: own } });
    return name;
  };

  add(newNamespace({}), {}, 'any namespace');
  for (const namespace of known) add(namespace, {}, `namespace ${namespace}`);
  for (const { podSelector, namespaceSelector } of entries) {
    const labels = leastLabels(podSelector);
    for (const namespace of known.filter((name) => matchesSelector(namespaceSelector, labelsOf(name))))
      add(namespace, labels, `namespace ${namespace}`);
    const wantedLabels = leastLabels(namespaceSelector);
    const { [namespaceNameLabel]: name, ...own } = wantedLabels;
    if (name !== undefined && known.includes(name)) continue;
    const where =
      name === undefined ? (Object.keys(own).length === 0 ? 'any namespace' : `a namespace labelled ${textOf(own)}`) : `namespace ${name}`;
    add(newNamespace(wantedLabels), labels, where);
  }
  const outside = ['0.0.0.0/0', '::/0'].map((address): Member => ({
    peer: { kind: 'address', address },
    of: address,
    templateOnly: false,
  }));
  return { clients: [...clients.values(), ...outside], namespaces: [...namespaces.values()] };
};

interface PodEntry {
  readonly podSelector: LabelSelector;
  readonly namespaceSelector: LabelSelector;
}

const named = (namespace: string): LabelSelector => ({ matchLabels: { [namespaceNameLabel]: namespace } });

const entryOf = (
  pods: { readonly podSelector?: LabelSelector; readonly namespaceSelector?: LabelSelector } | undefined,
  namespaces: LabelSelector | undefined,
): readonly PodEntry[] => [
  ...(pods === undefined ? [] : [{ podSelector: pods.podSelector ?? {}, namespaceSelector: pods.namespaceSelector ?? {} }]),
  ...(namespaces === undefined ? [] : [{ podSelector: {}, namespaceSelector: namespaces }]),
];

/** The fewest labels that a selector is content with. `NotIn` and `DoesNotExist` are content with none. */
const leastLabels = ({ matchLabels, matchExpressions }: LabelSelector): Labels =>
  Object.fromEntries([
    ...Object.entries(matchLabels ?? {}),
    ...(matchExpressions ?? []).flatMap(({ key, operator, values }) => {
      if (operator === 'In') return [[key, values?.[0] ?? '']] as const;
      return operator === 'Exists' ? ([[key, 'any']] as const) : [];
    }),
  ]);

/** A pod with these labels would be taken for one of the member's: rules cannot tell them apart. */
const isOneOf = ({ peer, selector }: Member, client: Member): boolean => {
  if (peer.kind === 'address' || client.peer.kind === 'address' || peer.namespace !== client.peer.namespace) return false;
  const labels = client.peer.labels;
  if (selector !== undefined) return matchesSelector(selector, labels) && Object.keys(labels).length > 0;
  return Object.keys(labels).length > 0 && Object.entries(peer.labels).every(([key, value]) => labels[key] === value);
};

const podIn = (namespace: string, labels: Labels, where: string): Member & { readonly peer: PodPeer } => {
  const text = textOf(labels);
  const title = `any pod${text === '' ? '' : ` labelled ${text}`} in ${where}`;
  const peer: PodPeer = {
    kind: 'pod',
    namespace,
    name: title,
    labels,
    addresses: [],
    hostNetwork: false,
    nodeAddresses: [],
    namedPorts: [],
  };
  return { peer, of: title, templateOnly: true };
};

const textOf = (labels: Labels): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

/** What a wider one of the list says already. */
export const isCovered = (client: string, all: readonly string[]): boolean => {
  const [, labels = '', where = ''] = /^any pod( labelled \S+)? in (.+)$/.exec(client) ?? [];
  if (where === '') return false;
  const wider = [
    ...(labels === '' ? [] : [`any pod in ${where}`]),
    ...(where === 'any namespace' && labels === '' ? [] : [anyPod, `any pod${labels} in any namespace`]),
  ];
  return wider.some((candidate) => candidate !== client && all.includes(candidate));
};
