import { matchesEqualities, matchesRequirements } from '../../kubernetes/label-selector.ts';
import { namespacesOf, type Inventory } from '../inventory/inventory.ts';
import type { InventoryPod, NetworkPeer } from '../inventory/peers.ts';
import { serviceName, type ServiceEntry } from '../inventory/service-entry.ts';
import type { End, Member } from './end.ts';
import { ambiguous, nothingThere, unknownKind, unknownNamespace, unknownObject, type EndErrorContext } from './end-errors.ts';
import type { EndText } from './end-text.ts';
import { kindNamed, typedKind } from './kind-names.ts';

export interface FindOptions extends EndErrorContext {
  /** For what is named without one. */
  readonly namespace: string;
}

/** @throws PoimenError usage: no such object, several of the name, no pod. */
export const findEnd = (end: EndText, options: FindOptions): End => {
  switch (end.kind) {
    case 'address':
      return findAddress(end.address, options.inventory);
    case 'range':
      return addressEnd(end.cidr);
    case 'description':
      return describedPod(end, options);
    case 'selector':
      return findSelected(end, options);
    case 'reference':
      return findReferenced(end, options);
    case 'name':
      return findNamed(end, options);
  }
};

/** An address of a pod or of a Service stands for it. A pod on its node's network has the node's address: that one stays an address. */
const findAddress = (address: string, { peers, services }: Inventory): End => {
  for (const owner of peers) {
    const found = owner.pods.find(({ peer }) => !peer.hostNetwork && peer.addresses.includes(address));
    if (found !== undefined)
      return { kind: 'pods', title: `${address} (pod/${found.peer.name}.${found.peer.namespace})`, members: [memberOf(owner, found)] };
  }
  const entry = services.find(({ service }) => [service.spec.clusterIP, ...(service.spec.clusterIPs ?? [])].includes(address));
  if (entry !== undefined) return { ...serviceEnd(entry, peers), title: `${address} (${serviceName(entry)})` };
  return addressEnd(address);
};

const addressEnd = (address: string): End => ({
  kind: 'pods',
  title: address,
  members: [{ peer: { kind: 'address', address }, of: address, templateOnly: false }],
});

const describedPod = ({ labels, namespace }: Extract<EndText, { kind: 'description' }>, { namespace: current }: FindOptions): End => {
  const inNamespace = namespace ?? current;
  const text = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const name = `(${text.join(',') || 'no labels'})`;
  return {
    kind: 'pods',
    title: `a pod ${text.length === 0 ? 'without labels' : `labelled ${text.join(',')}`} in ${inNamespace}`,
    members: [
      {
        peer: {
          kind: 'pod',
          namespace: inNamespace,
          name,
          labels,
          addresses: [],
          hostNetwork: false,
          nodeAddresses: [],
          namedPorts: [],
        },
        of: `${inNamespace}/${name}[Pod]`,
        templateOnly: true,
        described: true,
        selector: { matchLabels: labels },
      },
    ],
  };
};

const findSelected = (end: Extract<EndText, { kind: 'selector' }>, options: FindOptions): End => {
  const namespace = knownNamespace(end.namespace ?? options.namespace, options);
  const members = options.inventory.peers
    .filter((peer) => peer.namespace === namespace)
    .flatMap((owner) =>
      owner.pods.filter(({ peer }) => matchesRequirements(end.requirements, peer.labels)).map((pod) => memberOf(owner, pod)),
    );
  const text = end.requirements.map(({ key, operator, values }) =>
    operator === 'In' ? `${key}=${values.join('|')}` : `${key} ${operator} ${values.join(',')}`.trim(),
  );
  const title = `pods ${text.join(',')} in ${namespace}`;
  if (members.length === 0)
    throw nothingThere(`there are no ${title}`, options, [`for a pod that does not exist yet: as:KEY=VALUE,ns=${namespace}`]);
  return {
    kind: 'pods',
    title,
    members,
    covers: (pod) => pod.namespace === namespace && matchesRequirements(end.requirements, pod.labels),
  };
};

const findReferenced = (end: Extract<EndText, { kind: 'reference' }>, options: FindOptions): End => {
  const { inventory } = options;
  const kind = kindNamed(end.kindText);
  if (kind === undefined) throw unknownKind(end.kindText, end.name, options);
  if (kind === 'Namespace') {
    const whole = end.namespace === undefined ? end.name : `${end.name}.${end.namespace}`;
    const namespace = knownNamespace(whole, options);
    const members = inventory.peers
      .filter((peer) => peer.namespace === namespace)
      .flatMap((owner) => owner.pods.map((pod) => memberOf(owner, pod)));
    if (members.length === 0) throw nothingThere(`namespace ${namespace} has no pods and no pod templates`, options);
    return { kind: 'pods', title: `namespace ${namespace}`, members, covers: (pod) => pod.namespace === namespace };
  }
  const namespace = knownNamespace(end.namespace ?? options.namespace, options);
  const found = kind === 'Service' ? findService(end.name, namespace, inventory) : findWorkload(kind, end.name, namespace, inventory);
  if (found === undefined) throw unknownObject(kind, end.name, namespace, textsNamed(end.name, inventory), options);
  return found;
};

const findService = (name: string, namespace: string, { services, peers }: Inventory): End | undefined => {
  const entry = services.find((candidate) => candidate.namespace === namespace && candidate.service.metadata.name === name);
  return entry === undefined ? undefined : serviceEnd(entry, peers);
};

const serviceEnd = (entry: ServiceEntry, peers: readonly NetworkPeer[]): Extract<End, { kind: 'service' }> => ({
  kind: 'service',
  title: serviceName(entry),
  entry,
  members: podsBehind(entry, peers),
});

/** For a Service as FROM. One without a selector has the pods that its slices name. */
const podsBehind = ({ service, namespace, slices }: ServiceEntry, peers: readonly NetworkPeer[]): readonly Member[] => {
  const named = new Set(slices.flatMap(({ endpoints }) => endpoints ?? []).map(({ targetRef }) => targetRef?.name));
  const isBehind = ({ peer }: InventoryPod): boolean =>
    service.spec.selector === undefined ? named.has(peer.name) : matchesEqualities(service.spec.selector, peer.labels);
  return peers
    .filter((owner) => owner.namespace === namespace)
    .flatMap((owner) => owner.pods.filter(isBehind).map((pod) => memberOf(owner, pod)));
};

/** A pod by its name, a workload's pods by any of the workloads that made them. */
const findWorkload = (kind: string, name: string, namespace: string, { peers }: Inventory): End | undefined => {
  const members = peers
    .filter((owner) => owner.namespace === namespace)
    .flatMap((owner) => {
      if (owner.kind === kind && owner.name === name) return owner.pods.map((pod) => memberOf(owner, pod));
      return owner.pods
        .filter(({ pod, peer, owners }) => (kind === 'Pod' ? pod !== undefined && peer.name === name : owners.includes(`${kind}/${name}`)))
        .map((pod) => memberOf(owner, pod));
    });
  return members.length === 0 ? undefined : { kind: 'pods', title: `${kind.toLowerCase()}/${name}.${namespace}`, members };
};

/** Of whichever kind there is one. Two of them, or a Service and a workload, are for the reader to tell apart. */
const findNamed = ({ name, namespace }: Extract<EndText, { kind: 'name' }>, options: FindOptions): End => {
  const { inventory } = options;
  const within = namespace ?? options.namespace;
  const candidates = objectsNamed(name, inventory);
  const here = candidates.filter((candidate) => candidate.namespace === within);
  const [first, second] = here;
  if (first !== undefined && second === undefined) return first.end();
  if (first !== undefined)
    throw ambiguous(
      name,
      here.map(({ text }) => text),
      options,
    );
  if (namespace === undefined && candidates.length > 0)
    throw ambiguous(name, textsNamed(name, inventory), options, `there is none of that name in ${within}`);
  throw unknownObject(undefined, name, knownNamespace(within, options), [], options);
};

const textsNamed = (name: string, inventory: Inventory): readonly string[] => objectsNamed(name, inventory).map(({ text }) => text);

interface Candidate {
  readonly text: string;
  readonly namespace: string;
  end(): End;
}

const objectsNamed = (name: string, inventory: Inventory): readonly Candidate[] => [
  ...inventory.services
    .filter(({ service }) => service.metadata.name === name)
    .map((entry) => ({ text: serviceName(entry), namespace: entry.namespace, end: () => serviceEnd(entry, inventory.peers) })),
  ...inventory.peers.flatMap((owner): readonly Candidate[] => {
    const all = { text: `${typedKind(owner.kind)}/${name}.${owner.namespace}`, namespace: owner.namespace };
    if (owner.name === name) return [{ ...all, end: () => podsEnd(owner, owner.pods) }];
    return owner.pods
      .filter(({ pod, peer }) => pod !== undefined && peer.name === name)
      .map((pod) => ({ ...all, text: `pod/${name}.${owner.namespace}`, end: () => podsEnd(owner, [pod], 'Pod', name) }));
  }),
];

const podsEnd = (owner: NetworkPeer, pods: readonly InventoryPod[], kind = owner.kind, name = owner.name): End => ({
  kind: 'pods',
  title: `${kind.toLowerCase()}/${name}.${owner.namespace}`,
  members: pods.map((pod) => memberOf(owner, pod)),
});

export const memberOf = ({ id, selector }: NetworkPeer, { peer, pod }: InventoryPod): Member => ({
  peer,
  of: id,
  templateOnly: pod === undefined,
  ...(selector === undefined ? {} : { selector }),
});

const knownNamespace = (name: string, options: FindOptions): string => {
  const known = namespacesOf(options.inventory);
  if (!known.has(name)) throw unknownNamespace(name, known, options);
  return name;
};
