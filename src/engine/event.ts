import type { Blocker, Mutation, Trouble } from '../steps/step-kind.ts';
import type { ReachabilityPhase } from '../steps/reachability-phase.ts';
import type { ClusterIdentity } from '../cluster/cluster.ts';
import type { LatencyQuantiles } from '../network/probe/quantiles.ts';

/**
 * Everything that happens in a run, in order. Views, the report and `-o jsonl` are made from these alone; the keys are a
 * stable interface. `at` is RFC 3339 with milliseconds, on the run's clock (virtual on the twin).
 */
export type RunEvent =
  | {
      readonly type: 'runStarted';
      readonly at: string;
      readonly run: string;
      readonly runbook: string;
      readonly cluster: ClusterIdentity;
      readonly simulated: boolean;
      readonly probing: boolean;
    }
  | { readonly type: 'stepStarted'; readonly at: string; readonly step: string; readonly title: string }
  /** The step's effect was there already, or its `when` is false. */
  | {
      readonly type: 'stepSkipped';
      readonly at: string;
      readonly step: string;
      readonly title: string;
      readonly reason: 'satisfied' | 'when';
    }
  | { readonly type: 'written'; readonly at: string; readonly step: string; readonly mutation: Mutation; readonly resourceVersion: string }
  /** What the step waits for now; sent when the words change. */
  | { readonly type: 'waiting'; readonly at: string; readonly step: string; readonly missing: string; readonly sinceMs: number }
  | {
      readonly type: 'stepDone';
      readonly at: string;
      readonly step: string;
      readonly tookMs: number;
      readonly evidence?: string;
      readonly notProbed?: true;
      readonly probe?: ProbeEvidence;
    }
  | {
      readonly type: 'reachability';
      readonly at: string;
      readonly step: string | undefined;
      readonly expected: ReachabilityPhase;
      readonly met: boolean;
      readonly seen: string;
      readonly probed: boolean;
    }
  /** The Service gained its first ready endpoint, or lost its last one. */
  | { readonly type: 'backends'; readonly at: string; readonly service: string; readonly ready: readonly string[] }
  | {
      readonly type: 'stepFailed';
      /** Nothing went wrong: somebody stopped the run here. */
      readonly interrupted?: true;
      readonly at: string;
      readonly step: string;
      readonly reason: string;
      readonly troubles: readonly Trouble[];
      readonly blockers: readonly Blocker[];
    }
  | { readonly type: 'warning'; readonly at: string; readonly message: string }
  | { readonly type: 'runFinished'; readonly at: string; readonly result: RunResult };

export type RunOutcome = 'completed' | 'nothingToDo' | 'halted' | 'interrupted' | 'refused';

/** The one document that `-o json` prints. */
export interface RunResult {
  readonly run: string | undefined;
  readonly runbook: string;
  readonly outcome: RunOutcome;
  readonly cluster: ClusterIdentity;
  /** True on the twin: times are virtual. */
  readonly simulated: boolean;
  /** False: reachability was judged by readiness, EndpointSlices and policies only. */
  readonly probed: boolean;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly steps: readonly StepResult[];
  /** What this run wrote, in order. Of a run that did not complete: what is half done. */
  readonly changes: readonly ChangeResult[];
  /** Milliseconds without a ready endpoint behind the watched Service, and when; absent without a watched path. */
  readonly outage?: { readonly totalMs: number; readonly windows: readonly { readonly from: string; readonly to: string | undefined }[] };
  /** Why it did not complete. */
  readonly failure?: {
    readonly step?: string;
    readonly reason: string;
    readonly troubles: readonly Trouble[];
    readonly blockers: readonly Blocker[];
  };
  /** What a person has to know though the run went on: connections that were kept, a window that was not one. */
  readonly warnings: readonly string[];
  /** Commands: how to go on, or back. */
  readonly nextSteps: readonly string[];
}

export interface StepResult {
  readonly id: string;
  readonly title: string;
  /** `satisfied`: its effect was there already; `skipped`: its `when` is false. */
  readonly state: 'done' | 'satisfied' | 'skipped' | 'failed' | 'notReached' | 'interrupted';
  readonly tookMs?: number;
  readonly evidence?: string;
  readonly notProbed?: true;
  /** What was asked on the wire, and how quickly it was answered. */
  readonly probe?: ProbeEvidence;
}

/** The good answers in a row that settled a step. */
export interface ProbeEvidence {
  /** Times in a row that everything that was asked was answered well. */
  readonly rounds: number;
  /** From the first of them to the last. */
  readonly spanMs: number;
  /** Of all their answers, as they were measured in the client's pod where its tool measures. */
  readonly latencyMs: LatencyQuantiles;
}

/** One field that was written: what it was and what it is. */
export interface ChangeResult {
  /** `deployment/clef-serve.llm-serving` */
  readonly object: string;
  /** JSON Pointer: `/spec/replicas`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}
