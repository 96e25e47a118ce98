import type { ClusterState } from '../steps/step-kind.ts';
import type { StepKind } from '../steps/step-kind.ts';
import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import type { ReachabilityPhase } from '../steps/reachability-phase.ts';
import type { WatchedPath } from '../steps/watched-path.ts';

/** A runbook that is loaded: checked, inputs filled in, `cutover` expanded, names resolved. What the engine runs. */
export interface Runbook {
  readonly name: string;
  readonly summary: string;
  /** `sha256:` of the text and the inputs; identifies what was run. */
  readonly hash: string;
  readonly objects: Readonly<Record<string, ObjectReference>>;
  readonly steps: readonly RunbookStep[];
  /** Pins the cluster: the UID of its kube-system namespace. */
  readonly clusterUid?: string;
  /** The Service, client and port whose reachability is recorded around every step, where the runbook says. */
  readonly watched?: WatchedPath;
}

export interface RunbookStep {
  /** Unique in the runbook; of a step that came from an expansion, `hand-over/stop-old`. */
  readonly id: string;
  readonly kind: StepKind<object, unknown>;
  /** Validated by the kind's schema, object names resolved. */
  readonly input: object;
  readonly deadlineMs: number;
  /** The step is skipped while this is false when its turn comes. */
  readonly when?: Condition;
  /** Holds before the step counts as done, besides what its kind observes. */
  readonly postcondition?: Condition;
  /** What a client of the watched path must find after this step. */
  readonly reachability?: ReachabilityPhase;
}

/** A CEL expression, checked when the runbook was loaded. */
export interface Condition {
  readonly source: string;
  /** What it reads of the cluster. */
  readonly reads: readonly Selection[];
  /** An evaluation error is a value, in the words of the expression language. */
  evaluate(state: ClusterState): { readonly kind: 'true' | 'false' } | { readonly kind: 'error'; readonly message: string };
}
