import type { LabelSelector } from '../../kubernetes/label-selector.ts';
import type { PodPeer, PolicyPeer } from '../policy/peer.ts';
import type { ServiceEntry } from '../inventory/service-entry.ts';

/** Who FROM or TO stands for. `covers`: pods that it would also stand for, if they were there. */
export type End =
  | { readonly kind: 'pods'; readonly title: string; readonly members: readonly Member[]; readonly covers?: (pod: PodPeer) => boolean }
  /** As TO it is dialled; as FROM its pods are meant, which `members` has. */
  | { readonly kind: 'service'; readonly title: string; readonly entry: ServiceEntry; readonly members: readonly Member[] };

/** A pod, real or hypothetical, an address, or a range of addresses. */
export interface Member {
  readonly peer: PolicyPeer;
  /** The workload it belongs to: `llm-serving/clef-serve[Deployment]`; the bare address of an address. */
  readonly of: string;
  readonly templateOnly: boolean;
  /** A person described it: it stands in no manifest. */
  readonly described?: true;
  /** By which labels its workload knows its pods, where it does. */
  readonly selector?: LabelSelector;
}
