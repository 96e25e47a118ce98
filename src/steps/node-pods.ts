import { allocatableOf, type Node } from '../kubernetes/node.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { Pod, PodSpec } from '../kubernetes/pod.ts';
import { lackedDevices } from './devices.ts';
import { fits } from './preflight/node-room.ts';
import { allNodes, everyPod, podsOn } from './selections.ts';
import type { ClusterState, Reading } from './step-kind.ts';

/** Nodes whose pods are listed node by node. Where more matter, one list of all pods costs less, page by page and reduced. */
export const aFewNodes = 4;

/** Nodes on which such a pod could run if they were empty: what runs on the others does not matter to it. */
export const candidateNodes = (spec: PodSpec, nodes: readonly Node[]): readonly Node[] =>
  nodes.filter((node) => fits(spec, { node, free: allocatableOf(node), booking: [] }));

/** Where those are found who hold a device that these pods wait for; nothing as long as none waits for one. */
export const takerReadings = (pods: readonly Pod[], state: ClusterState): readonly Reading[] => {
  const waiting = pods.find((pod) => lackedDevices(pod).length > 0);
  if (waiting === undefined) return [];
  const candidates = state.has(allNodes) ? candidateNodes(waiting.spec, state.list<Node>(allNodes)) : [];
  return candidates.length > 0 && candidates.length <= aFewNodes ? candidates.map(({ metadata }) => podsOn(metadata.name)) : [everyPod];
};

/** Each once, in the form in which it comes first. */
export const distinct = <T extends KubernetesObject>(...lists: readonly (readonly T[])[]): readonly T[] => {
  const byKey = new Map<string, T>();
  for (const object of lists.flat()) {
    const { uid, namespace = '', name } = object.metadata;
    const key = `${object.kind}/${uid ?? `${namespace}/${name}`}`;
    if (!byKey.has(key)) byKey.set(key, object);
  }
  return [...byKey.values()];
};
