import type { z } from 'zod';
import type { ProbeAnswer, ProbeQuestion } from '../cluster/prober.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { JsonPatch } from '../kubernetes/patch.ts';
import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import type { ObjectName } from './object-name.ts';

/**
 * One kind of step: the key that selects it in a runbook, and what it means.
 *
 * Everything in it is a pure function over observed state. The executor alone observes, writes, waits and asks, so a kind
 * can be planned, dry-run, rehearsed and run without knowing which of these is happening.
 *
 * `Raw` is what a runbook says (objects by their name in the runbook); the functions get `Input`, in which the names have
 * become references.
 */
export interface StepKind<Raw extends object, Observed> {
  /** The key in a runbook: `scale`. */
  readonly name: string;
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly input: z.ZodType<Raw>;
  /** The deadline of a step that names none. */
  readonly defaultDeadlineMs: number;

  /** What a person sees in the plan: `scale deployment/clef-serve to 0`. */
  title(input: Input<Raw>): string;

  /** What the step reads and writes. Watches, locks and the least Role are derived from it. */
  access(input: Input<Raw>): Access;

  /**
   * What has to be listed besides once `access` has been read: what only the objects themselves tell, such as the nodes that matter. Asked
   * again with what it named, until it names nothing new; then as `access.once`. Absent: nothing.
   */
  alsoOnce?(input: Input<Raw>, state: ClusterState): readonly Reading[];

  /**
   * What has to be watched from now on: asked after every change, so that a watch which is seldom needed is only paid for when it is. Until its
   * first list is in, and where it may not be read, its `list` is empty. Absent: nothing.
   */
  alsoReads?(input: Input<Raw>, state: ClusterState): readonly Reading[];

  /** Reduces the cluster's state to what this step decides on. */
  observe(input: Input<Raw>, state: ClusterState): Observed;

  /** Decides what would have to be written now. */
  plan(input: Input<Raw>, observed: Observed): Decision;

  /** Tells whether the step's effect can be seen, and if not, what is still missing. `before` is what was observed when the step began. */
  settled(input: Input<Raw>, observed: Observed, before: Observed): Settled;

  /** What has to be listed consistently before `settled` is believed: selections of `access.reads`. Absent: nothing. */
  confirms?(input: Input<Raw>): readonly Selection[];

  /** Takes the step back to what was observed before it. */
  undo(input: Input<Raw>, before: Observed): Undo;

  /** What has to be asked on the wire besides, once `settled` is done. Absent: nothing. */
  probe?(input: Input<Raw>, observed: Observed): Probe | undefined;
}

/** `Raw` with every object name replaced by the reference that it stands for. */
export type Input<Raw extends object> = {
  readonly [Field in keyof Raw]: Raw[Field] extends ObjectName | undefined ? ObjectReference | Extract<Raw[Field], undefined> : Raw[Field];
};

/** A selection, and what of its objects is needed. Two of the same selection keep the same. */
export interface Reading extends Selection {
  /** Absent: all of each object. `get` finds whole objects only. As in `ListOptions`. */
  readonly keep?: (object: KubernetesObject) => KubernetesObject | undefined;
}

export interface Access {
  /** Watched while the step runs. Each distinct one costs a LIST and a WATCH: use `selections.ts`, so that steps share them. */
  readonly reads: readonly Reading[];
  /**
   * Listed once in a run, when it is planned, and not watched: what only a check before the first write decides on. `get` and
   * `list` find them like the others.
   */
  readonly once?: readonly Reading[];
  readonly writes: readonly ObjectReference[];
}

/** A view of the selections that the step names (no others can be read), as plain JSON from the server. */
export interface ClusterState {
  /** Milliseconds since the Unix epoch, for "since when". */
  readonly now: number;
  /** The object, if some selection of `access.reads` covers it and it exists. */
  get<T>(reference: ObjectReference): T | undefined;
  /** Whether the selection has been read; what `alsoOnce` and `alsoReads` name may not have been yet. */
  has(selection: Selection): boolean;
  /** Every object of a selection, which must be one that the step names. */
  list<T>(selection: Selection): readonly T[];
  /** Why the selection could not be read, if so; its `list` is empty then. Absence of a resource's API is one reason. */
  unavailable(selection: Selection): Unavailable | undefined;
}

export interface Unavailable {
  /**
   * `notServed`: this cluster does not have the resource, so there is none of it. Nobody knows whether there is when it is `forbidden` to look,
   * or when the server has it and gave no answer (`unanswered`), as while the backend of an aggregated API is down.
   */
  readonly reason: 'forbidden' | 'notServed' | 'unanswered';
  /** The server's own words. */
  readonly message: string;
}

export type Decision =
  /** What the step is for can be seen already. A step with a `probe` asks nevertheless when its turn comes in a run that does something. */
  | { readonly kind: 'satisfied'; readonly warnings?: readonly string[] }
  /** Without mutations: there is nothing to write, but something to wait for. */
  | { readonly kind: 'change'; readonly mutations: readonly Mutation[]; readonly warnings?: readonly string[] }
  | { readonly kind: 'blocked'; readonly blockers: readonly Blocker[]; readonly warnings?: readonly string[] };

/** A reason not to start, or not to go on. */
export interface Blocker {
  /** Stable, CamelCase: `SelectorMatchesTwoWorkloads`. */
  readonly code: string;
  /** What is in the way, with the object's name, in one line. */
  readonly reason: string;
  /** What to do about it: a command where there is one. */
  readonly nextSteps: readonly string[];
}

export type Settled =
  | { readonly done: true; readonly evidence?: string }
  /** `missing` is shown to a person who is waiting: "clef-candle-7d9f: pulling". `troubles` name what stands in the way. */
  | { readonly done: false; readonly missing: string; readonly troubles?: readonly Trouble[] };

/**
 * A known cause for a wait that does not end. It fails the step when it has lasted longer than its grace (0: at once);
 * what a deadline reports is the troubles that were there when it passed.
 *
 * Source: `kubernetes#78678`: scaling from 0 to 1 never sets ProgressDeadlineExceeded, so the cause has to be found elsewhere.
 */
export interface Trouble {
  /** Kubernetes' own word where there is one: `ImagePullBackOff`, `Unschedulable`, `FailedCreate`. */
  readonly code: string;
  /** `pod/clef-candle-7d9f` */
  readonly object: string;
  /** With the server's own words. */
  readonly message: string;
  readonly graceMs: number;
}

export type Undo =
  | { readonly kind: 'change'; readonly mutations: readonly Mutation[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'irreversible'; readonly reason: string };

/** One write: a JSON Patch (RFC 6902) whose leading `test` operations are its preconditions. */
export interface Mutation {
  readonly target: ObjectReference;
  readonly patch: JsonPatch;
}

/**
 * Questions that are put together, again and again, until all were answered well `consecutive` times in a row and, from the first of
 * these to the last, for at least `windowMs`.
 */
export interface Probe {
  readonly questions: readonly ProbeQuestion[];
  readonly consecutive: number;
  readonly windowMs: number;
  readonly intervalMs: number;
  /** Judges one round, answers in the order of the questions. `reason` is shown while waiting. */
  judge(answers: readonly ProbeAnswer[]): { readonly good: true } | { readonly good: false; readonly reason: string };
}
