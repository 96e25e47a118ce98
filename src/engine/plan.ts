import type { ClusterIdentity } from '../cluster/cluster.ts';
import type { ProbeTool } from '../cluster/prober.ts';
import type { Blocker, Mutation } from '../steps/step-kind.ts';
import type { ReachabilityPhase } from '../steps/reachability-phase.ts';

/** What a run would do, decided from one observation of the cluster. The executor consumes it and re-checks it. */
export interface Plan {
  readonly runbook: string;
  readonly summary: string;
  readonly hash: string;
  readonly cluster: ClusterIdentity;
  /** False: live probing is off, the verdicts rest on readiness, EndpointSlices and policies. */
  readonly probing: boolean;
  /** Pods that are made for this run, to ask from, and removed at its end. Absent: it asks from the clients' own. */
  readonly probePods?: readonly PlannedProbePodNotice[];
  /** From where it asks and with what, for each client. Absent: it does not ask from pods. */
  readonly probes?: readonly PlannedProbes[];
  readonly steps: readonly PlannedStep[];
  /** Every reason not to start, of all steps. */
  readonly blockers: readonly Blocker[];
  /** Worth knowing, not in the way. */
  readonly warnings: readonly string[];
  /** Nothing would be written and everything that a step waits for is there. */
  readonly nothingToDo: boolean;
}

export interface PlannedStep {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  /** `change`: writes; `check`: observes or waits; `satisfied`: there already; `skipped`: its `when` is false; `blocked`. */
  readonly state: 'change' | 'check' | 'satisfied' | 'skipped' | 'blocked';
  readonly mutations: readonly Mutation[];
  /** The fields that the mutations replace, as they are now. */
  readonly changes: readonly { readonly object: string; readonly path: string; readonly before: unknown; readonly after: unknown }[];
  readonly undo: readonly Mutation[];
  readonly deadlineMs: number;
  readonly when?: string;
  readonly postcondition?: string;
  readonly reachability?: ReachabilityPhase;
}

/** The container that a client's questions are asked from, and what was found in it. */
export interface PlannedProbes {
  /** `deployment/poimen-memory.poimen` */
  readonly client: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Everything in it that can ask, the best first. */
  readonly tools: readonly ProbeTool[];
  /** The tool that is used for HTTP, and for bare connections, where such are asked for. */
  readonly http?: string;
  readonly tcp?: string;
}

/** A pod that stands in for a client that has nothing to ask with. */
export interface PlannedProbePodNotice {
  /** `deployment/poimen-memory.poimen` */
  readonly client: string;
  readonly namespace: string;
  readonly image: string;
  readonly node: string;
  /** `notReported`: the node does not list it, and may have it all the same; `unknown`: the node may not be read. Both: it may be pulled. */
  readonly imagePresence: 'present' | 'notReported' | 'unknown';
  /** How its labels differ from the client's: `without pod-template-hash=7d9f`. May be empty. */
  readonly difference: string;
  readonly notes: readonly string[];
  /** When it ends by itself, whatever becomes of the run. */
  readonly deadlineSeconds: number;
}
