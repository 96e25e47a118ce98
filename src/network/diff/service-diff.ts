import { backendsOf } from '../inventory/backends.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import type { ServiceEntry } from '../inventory/service-entry.ts';
import { placeOf } from '../inventory/source-object.ts';
import type { NetworkState } from '../matrix/network-state.ts';
import { compareOpenPorts, cutOpenPorts, mergeReaches, type OpenPorts } from '../matrix/open-ports.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { KindOfPair } from './reach-diff.ts';

export interface ServiceDiff {
  /** What clients got from, or lost with, a Service that is not as it was. One that only its pods' policies changed is not among them. */
  readonly pairs: readonly KindOfPair[];
  readonly changes: readonly { readonly text: string; readonly source?: string }[];
}

export const compareServices = (before: NetworkState, after: NetworkState): ServiceDiff => {
  const [old, now] = [byId(before.inventory), byId(after.inventory)];
  const diffs = [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((id): readonly ServiceDiff[] => {
    const [was, is] = [old.get(id), now.get(id)];
    const edits = editsOf(was, is, before.inventory, after.inventory);
    if (edits.length === 0) return [];
    const entry = is ?? was;
    const source = entry === undefined ? undefined : placeOf(entry.source, ['spec']);
    const text = `Service ${id.replace('[Service]', '')}${edits.length === 1 && (was === undefined || is === undefined) ? ' ' : ': '}${edits.join(', ')}`;
    return [{ changes: [{ text, ...(source === undefined ? {} : { source }) }], pairs: pairsOf(id, was, is, before, after, text) }];
  });
  return { changes: diffs.flatMap(({ changes }) => changes), pairs: diffs.flatMap(({ pairs }) => pairs) };
};

const byId = ({ services }: Inventory): ReadonlyMap<string, ServiceEntry> =>
  new Map(services.map((entry) => [`${entry.namespace}/${entry.service.metadata.name}[Service]`, entry]));

const editsOf = (was: ServiceEntry | undefined, is: ServiceEntry | undefined, before: Inventory, after: Inventory): readonly string[] => {
  if (was === undefined || is === undefined) return [was === undefined ? 'added' : 'removed'];
  const [old, now] = [was.service.spec, is.service.spec];
  const [oldPods, newPods] = [podsBehind(was, before), podsBehind(is, after)];
  return [
    ...(selectorText(was) === selectorText(is) ? [] : [`selector ${selectorText(was)} -> ${selectorText(is)}`]),
    ...portTexts(was)
      .filter((port) => !portTexts(is).includes(port))
      .map((port) => `port ${port} removed`),
    ...portTexts(is)
      .filter((port) => !portTexts(was).includes(port))
      .map((port) => `port ${port} added`),
    ...((old.type ?? 'ClusterIP') === (now.type ?? 'ClusterIP') ? [] : [`type ${old.type ?? 'ClusterIP'} -> ${now.type ?? 'ClusterIP'}`]),
    ...(selectorText(was) !== selectorText(is) || oldPods === newPods ? [] : [`its pods ${oldPods} -> ${newPods}`]),
  ];
};

const selectorText = ({ service }: ServiceEntry): string =>
  Object.entries(service.spec.selector ?? {})
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(',') || 'none';

const portTexts = ({ service }: ServiceEntry): readonly string[] =>
  (service.spec.ports ?? []).map(
    ({ port, protocol = 'TCP', targetPort = port }) =>
      `${protocol === 'TCP' ? '' : `${protocol} `}${port}${targetPort === port ? '' : ` to ${targetPort}`}`,
  );

const podsBehind = (entry: ServiceEntry, { peers }: Inventory): string => {
  const [port] = entry.service.spec.ports ?? [];
  const backends = port === undefined ? [] : backendsOf(entry, port.port, port.protocol ?? 'TCP', peers);
  const owners = backends.map(({ peer }) => (peer.kind === 'pod' ? ownerOf(peers, peer.namespace, peer) : peer.address));
  return [...new Set(owners)].toSorted().join(' and ') || 'none';
};

const ownerOf = (peers: readonly NetworkPeer[], namespace: string, pod: NetworkPeer['pods'][number]['peer']): string =>
  peers.find((peer) => peer.namespace === namespace && peer.pods.some((candidate) => candidate.peer === pod))?.name ?? pod.name;

const pairsOf = (
  id: string,
  was: ServiceEntry | undefined,
  is: ServiceEntry | undefined,
  before: NetworkState,
  after: NetworkState,
  because: string,
): readonly KindOfPair[] => {
  const old = new Map(before.inventory.peers.map((peer) => [peer.id, peer]));
  return after.inventory.peers.flatMap((client): readonly KindOfPair[] => {
    const clientBefore = old.get(client.id);
    if (clientBefore === undefined) return [];
    const [portsThen, portsNow] = [portsThrough(was, clientBefore, before), portsThrough(is, client, after)];
    const ports = compareOpenPorts(portsThen, portsNow);
    if (ports.length === 0) return [];
    const kind = portsThen.length === 0 ? 'added' : portsNow.length === 0 ? 'removed' : 'changed';
    return [{ kind, change: { from: client.id, to: id, ports, because: [because], endChanged: was === undefined } }];
  });
};

/** The Service's ports that lead the client to a pod. A port without pods behind it leads nowhere. */
const portsThrough = (entry: ServiceEntry | undefined, client: NetworkPeer, { engine, inventory }: NetworkState): readonly OpenPorts[] => {
  const [pod] = client.pods;
  if (entry === undefined || pod === undefined) return [];
  return (entry.service.spec.ports ?? []).flatMap(({ port, protocol = 'TCP' }): readonly OpenPorts[] => {
    const reaches = backendsOf(entry, port, protocol, inventory.peers).flatMap((backend) =>
      backend.port === undefined
        ? []
        : [cutOpenPorts(mergeReaches([engine.reach(pod.peer, backend.peer)]), onePort(protocol, backend.port))],
    );
    const verdicts = new Set(reaches.map(([open]) => open?.verdict ?? 'denied'));
    if (verdicts.size === 0 || (verdicts.size === 1 && verdicts.has('denied'))) return [];
    const [only] = verdicts;
    const verdict =
      verdicts.size > 1 ? (verdicts.has('depends') ? 'depends' : 'mixed') : only === 'denied' || only === undefined ? 'mixed' : only;
    return [{ ...onePort(protocol, port), verdict }];
  });
};

const onePort = (protocol: Protocol, port: number) => ({ protocol, from: port, to: port });
