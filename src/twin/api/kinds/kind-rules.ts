import type { KubernetesObject } from '../../../kubernetes/object.ts';
import type { Cause } from '../refusals.ts';
import type { Store } from '../store.ts';

/** What the API server does to objects of one kind, beyond what it does to all. All functions are pure. */
export interface KindRules {
  /** The status is a subresource: writes to the object itself leave it alone. */
  readonly hasStatus: boolean;
  /** PUT without a resourceVersion is accepted. Source: `AllowUnconditionalUpdate` of the kind's strategy. */
  readonly unconditionalUpdate: boolean;
  /** PUT of an object that is not there creates it. Source: `AllowCreateOnUpdate`. */
  readonly createOnUpdate: boolean;
  /** Whether a change moves `metadata.generation`; absent: the kind carries none. */
  readonly movesGeneration?: (after: KubernetesObject, before: KubernetesObject) => boolean;
  /** Fills in what was left out. */
  readonly withDefaults?: (object: KubernetesObject) => KubernetesObject;
  /** Fills in what depends on what was stored before, or on other objects of the kind. */
  readonly complete?: (object: KubernetesObject, context: CompletionContext) => KubernetesObject;
  /** The status that an object is created with; `{}` where absent. */
  readonly initialStatus?: (object: KubernetesObject) => unknown;
  readonly validateName?: (name: string) => string | undefined;
  readonly validate?: (object: KubernetesObject, context: CompletionContext) => readonly Cause[];
  readonly validateUpdate?: (after: KubernetesObject, before: KubernetesObject) => readonly Cause[];
  /** What admission plug-ins make of a new object, by objects of other kinds. Throws `ApiError` 403 where one turns it away. */
  readonly admit?: (object: KubernetesObject, store: Pick<Store, 'get' | 'list' | 'clock'>) => KubernetesObject;
  /** Besides finalizers in its metadata, something in the object itself keeps it until a controller has done its part. */
  readonly isHeld?: (object: KubernetesObject) => boolean;
  /** What else changes with the first phase of its deletion. */
  readonly withDeletion?: (object: KubernetesObject) => KubernetesObject;
  /** The kind is deleted in two phases: how long the first one lasts. Absent: removed at once. */
  readonly gracePeriodSeconds?: (object: KubernetesObject, requestedSeconds: number | undefined) => number;
}

export interface CompletionContext {
  readonly before: KubernetesObject | undefined;
  /** A number that is different for each object created, and the same in each run. */
  readonly draw: number;
  readonly others: () => Iterable<KubernetesObject>;
}
