import { controllerLabels } from '../../kubernetes/controller-labels.ts';
import type { Labels } from '../../kubernetes/label-selector.ts';
import { peerId, type NetworkPeer } from '../inventory/peers.ts';

/**
 * The peers, with bare pods of the same namespace and labels as one: like the pods of one workload, of which they may be thousands. It is
 * called by its labels, `team/app=batch,tier=x[Pod]`, which no pod can be. `apart`: ids of those that stay what they are.
 */
export const gatherBarePods = (peers: readonly NetworkPeer[], apart: ReadonlySet<string> = new Set()): readonly NetworkPeer[] => {
  const byLabels = Map.groupBy(peers, (peer) => (isBarePod(peer) && !apart.has(peer.id) ? labelsId(peer) : peer.id));
  return [...byLabels].flatMap(([id, alike]): readonly NetworkPeer[] => {
    const [first, ...more] = alike;
    if (first === undefined || more.length === 0) return alike;
    const name = labelsText(labelsOf(first));
    return [{ ...withoutSource(first), id, name, pods: alike.flatMap(({ pods }) => pods), podCount: alike.length }];
  });
};

const isBarePod = ({ kind, pods: [first, ...more] }: NetworkPeer): boolean =>
  kind === 'Pod' && first?.pod !== undefined && more.length === 0;

const labelsId = (peer: NetworkPeer): string => peerId(peer.namespace, labelsText(labelsOf(peer)), 'Pod');

const labelsOf = ({ pods: [first] }: NetworkPeer): Labels => first?.peer.labels ?? {};

const labelsText = (labels: Labels): string => {
  const own = Object.entries(labels).filter(([key]) => !passing.has(key));
  return own.length === 0
    ? '(no labels)'
    : own
        .map(([key, value]) => `${key}=${value}`)
        .toSorted()
        .join();
};

/** They differ from pod to pod. */
const passing: ReadonlySet<string> = new Set(controllerLabels);

const withoutSource = ({ source: _source, ...peer }: NetworkPeer): NetworkPeer => peer;
