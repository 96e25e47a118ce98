import type { Plan } from '../engine/plan.ts';
import type { RunEvent, RunResult } from '../engine/event.ts';
import type { Clock } from '../clock/clock.ts';
import type { ClusterFlags } from './open-cluster.ts';

/** Where the runbook comes from: a file, a name (`runbooks/NAME.yaml` here, then the shipped ones), or the flags of `cutover`. */
export type RunbookSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'name'; readonly name: string }
  | {
      readonly kind: 'cutover';
      readonly service: string;
      readonly from: string;
      readonly to: string;
      readonly client?: string;
      readonly port?: number;
      readonly path?: string;
      readonly replicas?: number;
    };

export interface PlanRequest {
  readonly source: RunbookSource;
  readonly cluster: ClusterFlags;
  /** `--set NAME=VALUE`, as typed. */
  readonly set: Readonly<Record<string, string>>;
  readonly reverse: boolean;
  /** False: `--no-probe`. */
  readonly probe: boolean;
  /** What was typed, without the program's name: next steps are told in the same words. */
  readonly invocation: readonly string[];
}

/** A plan, and the way to carry it out. Close it in any case. */
export interface PlannedRun {
  readonly plan: Plan;
  /** The run's clock, for views that show how long something has taken. */
  readonly clock: Clock;
  /** Carries out exactly this plan. Never throws for what happens in the cluster: that is in the result. */
  run(listener: (event: RunEvent) => void, signal: AbortSignal): Promise<RunResult>;
  close(): Promise<void>;
}
