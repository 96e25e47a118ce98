import { allocatableOf, isSchedulable, matchesNode, untoleratedTaints, type Node } from '../../kubernetes/node.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import type { ResourceAmounts } from '../../kubernetes/pod-requests.ts';
import { addQuantities } from '../../kubernetes/quantity.ts';

/** What the pods on a node have booked, and how many they are. */
export interface Bookings {
  readonly amounts: ResourceAmounts;
  readonly pods: number;
}

/** Why a pod cannot go to a node. `lasting`: not even if other pods left it. */
export interface Misfit {
  readonly reasons: readonly string[];
  readonly lasting: boolean;
}

const unschedulableToleration = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/**
 * What speaks against the node, in the scheduler's words: the first kind of obstacle only, as its filters end at the first one that
 * says no.
 *
 * Source: kubernetes `pkg/scheduler/framework/plugins`: nodeunschedulable, tainttoleration, nodeaffinity, noderesources.
 */
export const findMisfit = (pod: Pod, requests: ResourceAmounts, node: Node, bookings: Bookings): Misfit | undefined => {
  if (!isSchedulable(node) && !toleratesCordon(pod, node)) return lastingly('node(s) were unschedulable');
  if (untoleratedTaints(pod, node).length > 0) return lastingly('node(s) had untolerated taint(s)');
  if (!matchesNode(pod, node)) return lastingly("node(s) didn't match Pod's node affinity/selector");

  const allocatable = allocatableOf(node);
  const shortages = Object.entries(requests).filter(
    ([name, amount]) => amount > 0 && amount > (allocatable[name] ?? 0) - (bookings.amounts[name] ?? 0),
  );
  const isFull = bookings.pods + 1 > (allocatable.pods ?? 0);
  if (shortages.length === 0 && !isFull) return undefined;
  return {
    reasons: [...(isFull ? ['Too many pods'] : []), ...shortages.map(([name]) => `Insufficient ${name}`)],
    lasting: shortages.some(([name, amount]) => amount > (allocatable[name] ?? 0)),
  };
};

const lastingly = (reason: string): Misfit => ({ reasons: [reason], lasting: true });

const toleratesCordon = (pod: Pod, node: Node): boolean =>
  untoleratedTaints(pod, { ...node, spec: { taints: [unschedulableToleration] } }).length === 0;

/** How much of its processors and memory the node would have left: the emptier one is preferred. Source: plugin NodeResourcesFit. */
export const roomLeft = (requests: ResourceAmounts, node: Node, { amounts }: Bookings): number => {
  const allocatable = allocatableOf(node);
  const left = ['cpu', 'memory'].map((name) => {
    const total = allocatable[name] ?? 0;
    return total === 0 ? 0 : (total - (amounts[name] ?? 0) - (requests[name] ?? 0)) / total;
  });
  return left.reduce((sum, share) => sum + share, 0);
};

export const book = ({ amounts, pods }: Bookings, requests: ResourceAmounts): Bookings => {
  const total: Record<string, number> = { ...amounts };
  for (const [name, amount] of Object.entries(requests)) total[name] = addQuantities(total[name] ?? 0, amount);
  return { amounts: total, pods: pods + 1 };
};

/**
 * The scheduler's sentence for a pod that fits nowhere: its reasons with how often each was found, and why preemption would not
 * help.
 *
 * Source: kubernetes `FitError` of pkg/scheduler/framework/types.go.
 */
export const explainMisfits = (misfits: readonly Misfit[]): string => {
  if (misfits.length === 0) return 'no nodes available to schedule pods';
  const all = misfits.length;
  const lastingCount = misfits.filter(({ lasting }) => lasting).length;
  const preemption = countReasons([
    ...Array<string>(lastingCount).fill('Preemption is not helpful for scheduling'),
    ...Array<string>(all - lastingCount).fill('No preemption victims found for incoming pod'),
  ]);
  const none = `0/${all} nodes are available:`;
  return `${none} ${countReasons(misfits.flatMap(({ reasons }) => reasons))}. no new claims to deallocate, preemption: ${none} ${preemption}.`;
};

const countReasons = (reasons: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .toSorted()
    .join(', ');
};

/** The sentence for a pod that no node could take, whatever its state: the plug-ins for preemption find no state to go by, and say just that. */
export const explainObstacle = (reason: string, nodeCount: number): string => `0/${nodeCount} nodes are available: ${reason}. not found`;
