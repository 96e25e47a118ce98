import type { z } from 'zod';
import type { ReachabilityPhase } from './reachability-phase.ts';
import type { Input, StepKind } from './step-kind.ts';
import type { WatchedPath } from './watched-path.ts';

/** One short step of a runbook that stands for a sequence of others. Expanded when the runbook is loaded; the plan shows the result. */
export interface Expansion<Raw extends object> {
  /** The key in a runbook: `cutover`. */
  readonly name: string;
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly input: z.ZodType<Raw>;

  /** The sequence. `id` is the runbook step's own; `reverse` asks for the way back. */
  expand(id: string, input: Input<Raw>, options: ExpandOptions): readonly ExpandedStep[];

  /** The path whose reachability is to be recorded around every step. */
  watched?(input: Input<Raw>, options: ExpandOptions): WatchedPath | undefined;
}

export interface ExpandOptions {
  readonly reverse: boolean;
}

export interface ExpandedStep {
  /** `hand-over/stop-old` */
  readonly id: string;
  readonly kind: StepKind<object, unknown>;
  /** As the kind's functions take it: object names resolved. */
  readonly input: object;
  /** Absent: the kind's default. */
  readonly deadlineMs?: number;
  readonly reachability?: ReachabilityPhase;
}
