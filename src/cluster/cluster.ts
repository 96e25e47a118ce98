import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ApplyPatch, Patch } from '../kubernetes/patch.ts';
import type { ObjectReference, Selection } from '../kubernetes/reference.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { ExecRequest, ExecSession } from './exec.ts';

/**
 * A Kubernetes API, as far as poimen uses it. There are two implementations, the live client and the twin, and one suite
 * (test/contract) that both have to pass.
 *
 * Every method throws `ApiError` when the server answers with an error and `ConnectionError` when no usable answer came.
 * Objects are plain JSON as the server sent them.
 */
export interface Cluster {
  readonly identity: ClusterIdentity;

  /** `undefined` when there is no such object. */
  get(reference: ObjectReference, options?: ReadOptions): Promise<KubernetesObject | undefined>;

  /** Consistent (not from a cache of the server's), all pages. */
  list(selection: Selection, options?: ListOptions): Promise<ObjectList>;

  /**
   * One watch, from just after `resourceVersion`. Ends when the server closes it or the signal aborts; a watch that
   * began too long ago ends in an `ApiError` with code 410. Use `ListWatch` to go on for ever.
   */
  watch(selection: Selection, options: WatchOptions): AsyncIterable<WatchEvent>;

  create(resource: Resource, object: KubernetesObject, options: WriteOptions): Promise<KubernetesObject>;

  /** PUT: replaces the whole object; 409 when its `metadata.resourceVersion` is given and stale. */
  replace(resource: Resource, object: KubernetesObject, options: WriteOptions): Promise<KubernetesObject>;

  /** `subresource: 'status'` patches the status alone. An apply creates the object where there is none. */
  patch(
    reference: ObjectReference,
    patch: Patch | ApplyPatch,
    options: WriteOptions & { readonly subresource?: 'status' | 'scale' },
  ): Promise<KubernetesObject>;

  /** Resolves when the deletion is accepted; the object may go on Terminating. 404 throws. */
  delete(reference: ObjectReference, options?: DeleteOptions): Promise<void>;

  /** The resources that the group serves; empty when the group is not there. The core group is `''`. */
  discover(group: string, options?: ReadOptions): Promise<readonly Resource[]>;

  /**
   * Starts a process in a container. Absent where nothing really runs in the pods.
   *
   * @throws ApiError, ConnectionError when it could not be asked for. Whether it could be started is among its events.
   */
  exec?(request: ExecRequest): Promise<ExecSession>;

  /** Releases connections, locks and timers. */
  close(): Promise<void>;
}

export interface ClusterIdentity {
  readonly kind: 'live' | 'twin';
  /** The kubeconfig context, or the twin's folder: what a person calls this cluster. */
  readonly name: string;
  /** URL, or `twin`. */
  readonly server: string;
  /** The kubeconfig user. */
  readonly user?: string;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
}

export interface ListOptions extends ReadOptions {
  /**
   * What to keep of each object, asked as soon as its page has come and before the next is asked for, so that a long list is never in
   * memory as a whole: `undefined` leaves the object out. May be asked more than once of an object, when a list has to start again.
   * Absent: everything, as the server sent it. What it returns is no longer what the server sent: not for pre-images, patches, diffs.
   */
  readonly keep?: (object: KubernetesObject) => KubernetesObject | undefined;
}

export interface ObjectList {
  /** With `keep`: what it kept. */
  readonly items: readonly KubernetesObject[];
  /** The version a watch goes on from. */
  readonly resourceVersion: string;
}

export interface WatchOptions {
  readonly resourceVersion: string;
  readonly signal: AbortSignal;
}

/** Source: Kubernetes API concepts, "Efficient detection of changes" and "Watch bookmarks". ERROR events are thrown as `ApiError`. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

export interface WriteOptions {
  readonly fieldManager: string;
  /** `true` sends dryRun=All: validated and answered, not stored. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/** The name under which poimen's writes appear in managedFields. Never one that begins with `kubectl`: Flux takes those over. */
export const fieldManager = 'poimen';
