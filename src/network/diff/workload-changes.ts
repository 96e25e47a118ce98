import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import { placeOf } from '../inventory/source-object.ts';
import type { PodPeer } from '../policy/peer.ts';
import type { ObjectChange } from './object-change.ts';

/** Workloads that came, went, or whose pods are now seen otherwise by policies; and the labels of namespaces. */
export const workloadChanges = (before: Inventory, after: Inventory): readonly ObjectChange[] => {
  const [old, now] = [byId(before.peers), byId(after.peers)];
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((id): readonly ObjectChange[] => {
    const [was, is] = [old.get(id), now.get(id)];
    if (was === undefined) return is === undefined ? [] : [{ text: `${id} added`, ...sourceOf(is), effect: { kind: 'presence', id } }];
    if (is === undefined) return [{ text: `${id} removed`, ...sourceOf(was), effect: { kind: 'presence', id } }];
    const edits = editsOf(was, is);
    return edits.length === 0 ? [] : [{ text: `${id}: ${edits.join(', ')}`, ...sourceOf(is), effect: { kind: 'workload', id } }];
  });
};

export const namespaceChanges = (before: Inventory, after: Inventory): readonly ObjectChange[] => {
  const [old, now] = [byName(before.namespaces), byName(after.namespaces)];
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((name): readonly ObjectChange[] => {
    const [was, is] = [old.get(name), now.get(name)];
    const effect = {
      kind: 'namespace' as const,
      name,
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { after: is }),
    };
    if (was === undefined || is === undefined) return [{ text: `Namespace ${name} ${was === undefined ? 'added' : 'removed'}`, effect }];
    const edits = mapEdits(was.metadata.labels ?? {}, is.metadata.labels ?? {});
    return edits.length === 0 ? [] : [{ text: `Namespace ${name}: ${edits.map((edit) => `label ${edit}`).join(', ')}`, effect }];
  });
};

const byId = (peers: readonly NetworkPeer[]): ReadonlyMap<string, NetworkPeer> => new Map(peers.map((peer) => [peer.id, peer]));

const byName = (objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(objects.map((object) => [object.metadata.name, object]));

const sourceOf = ({ source }: NetworkPeer): { readonly source?: string } => {
  const place = source === undefined ? undefined : placeOf(source, []);
  return place === undefined ? {} : { source: place };
};

/** By the first pod of each: replicas differ in nothing that a person wrote. */
const editsOf = (was: NetworkPeer, is: NetworkPeer): readonly string[] => {
  const [old, now] = [was.pods[0]?.peer, is.pods[0]?.peer];
  if (old === undefined || now === undefined) return [];
  return [
    ...mapEdits(old.labels, now.labels).map((edit) => `label ${edit}`),
    ...mapEdits(portsOf(old), portsOf(now)).map((edit) => `port name ${edit}`),
    ...(old.hostNetwork === now.hostNetwork ? [] : [now.hostNetwork ? "now on its node's network" : "no longer on its node's network"]),
  ];
};

const portsOf = ({ namedPorts }: PodPeer): Readonly<Record<string, string>> =>
  Object.fromEntries(namedPorts.map(({ name, protocol, port }) => [name, `${protocol} ${port}`]));

/** `app=a -> app=b`, `tier=x added`, `tier=x removed` */
const mapEdits = (old: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted().flatMap((key) => {
    const [was, is] = [old[key], now[key]];
    if (was === is) return [];
    if (was === undefined) return [`${key}=${is} added`];
    return [is === undefined ? `${key}=${was} removed` : `${key}=${was} -> ${is}`];
  });
