import { delay, type Clock } from '../../clock/clock.ts';
import { ApiError, ConnectionError, isApiError } from '../../cluster/api-error.ts';
import { backoffMs } from '../../cluster/backoff.ts';
import { fieldManager, type Cluster } from '../../cluster/cluster.ts';
import { explainApiError } from '../../cluster/explain-api-error.ts';
import { ListWatch } from '../../cluster/list-watch.ts';
import { PoimenError } from '../../errors/poimen-error.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import { fullName, referenceKey, type ObjectReference } from '../../kubernetes/reference.ts';
import { resources } from '../../kubernetes/resource.ts';
import { isLeftover } from './probe-pod-leftover.ts';
import { judgeLabels } from './probe-pod-labels.ts';
import { probeContainer, probeLabel } from './probe-pod-marks.ts';
import { probePodStart } from './probe-pod-start.ts';
import { planProbePod, type PlannedProbePod, type ProbePodRefusal, type ProbePodWish } from './probe-pod.ts';
import type { ProbePodFacts } from './probe-pod-facts.ts';
import { readProbePodFacts } from './read-probe-pod-facts.ts';
import type { Vantage } from './vantage.ts';

export interface ProbePodOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly clients: readonly ObjectReference[];
  readonly wish: Omit<ProbePodWish, 'name'>;
  /** Eight or so characters that differ from call to call. */
  readonly randomName: () => string;
  /** Whether the process that is named in a pod's mark is known to have ended. */
  readonly isGone: (maker: string) => boolean;
  /** Called for what a person ought to know although everything goes on. */
  readonly warn: (message: string) => void;
  /** Called when what is waited for changes its words. */
  readonly waiting?: (missing: string) => void;
  /** Aborted: what is under way is left, and what was made is removed all the same. */
  readonly signal: AbortSignal;
}

/** The vantage that stands in for a client. */
export type ProbePods = (client: ObjectReference) => Vantage | undefined;

/** From the node's arrival to a running container. */
const startDeadlineMs = 60_000;
const pullDeadlineMs = 5 * 60_000;
/** A grace of one second, and what the node takes to tell. */
const goneDeadlineMs = 20_000;
const removalTries = 6;
const firstPauseMs = 500;
const longestPauseMs = 5_000;

/**
 * Makes a probe pod for each client, calls `use` once all run, and removes them, whatever happened. Leftovers of earlier processes in the
 * clients' namespaces are removed first.
 *
 * @throws PoimenError refused: a pod may not be made or does not start; then none is left. The signal's reason, when it is aborted before
 * they run. What `use` throws.
 */
export const withProbePods = async <Result>(options: ProbePodOptions, use: (pods: ProbePods) => Promise<Result>): Promise<Result> => {
  const { cluster, clock, warn } = options;
  const made: MadePod[] = [];
  try {
    return await use(await startAll(options, made));
  } finally {
    await Promise.all(made.map((pod) => remove(cluster, clock, pod, warn)));
  }
};

const startAll = async (options: ProbePodOptions, made: MadePod[]): Promise<ProbePods> => {
  const { cluster, clock, clients, isGone, warn, signal } = options;
  try {
    const namespaces = new Set(clients.map(({ namespace = '' }) => namespace));
    await Promise.all([...namespaces].map((namespace) => sweepProbePods({ cluster, clock, namespace, isGone, warn, signal })));
    const vantages = new Map<string, Vantage>();
    const started = clients.map(async (client) => vantages.set(referenceKey(client), await start(options, client, made)));
    await allSettled(started); // none may still be making a pod when they are removed
    return (client) => vantages.get(referenceKey(client));
  } catch (error) {
    throw error instanceof ApiError || error instanceof ConnectionError ? explainApiError(error, cluster.identity) : error;
  }
};

/** Waits for all, and throws the first failure. */
const allSettled = async (promises: readonly Promise<unknown>[]): Promise<void> => {
  const failure = (await Promise.allSettled(promises)).find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
};

interface MadePod {
  readonly reference: ObjectReference;
  readonly run: string;
  /** Absent while nobody knows whether there is one. */
  uid: string | undefined;
}

const start = async (options: ProbePodOptions, client: ObjectReference, made: MadePod[]): Promise<Vantage> => {
  const { cluster, wish, randomName, signal } = options;
  const facts = await readProbePodFacts(cluster, client, signal);
  const decision = planProbePod(facts, { ...wish, name: probePodName(randomName()) });
  if (decision.kind === 'refused') throw refusalError(decision.refusal);
  const { planned } = decision;
  const { name, namespace = '' } = planned.pod.metadata;
  const pod: MadePod = { reference: { resource: resources.pods, namespace, name }, run: wish.run, uid: undefined };
  signal.throwIfAborted();
  made.push(pod);
  // Without the signal: a write in hand is finished, so that it is known what there is.
  const stored = await create(cluster, planned.pod).catch((error: unknown) => {
    if (error instanceof ApiError && error.status.code < 500) made.splice(made.indexOf(pod), 1); // turned away: there is none
    throw error;
  });
  pod.uid = stored.metadata.uid;
  const alteration = alterationOf(facts, planned, stored);
  if (alteration !== undefined) throw failedToStart(client, `the cluster changed it on its way in: ${alteration}`);
  await waitUntilRunning({ ...options, client, planned, pod });
  return { namespace, pod: name, podUid: pod.uid ?? '', container: probeContainer };
};

const create = async (cluster: Cluster, pod: Pod): Promise<Pod> => (await cluster.create(resources.pods, pod, { fieldManager })) as Pod;

/** A StatefulSet counts pods whose name ends with its own and a number: ends with a letter. */
export const probePodName = (random: string): string => `poimen-probe-${random}x`;

/** What an admission plug-in or webhook made of it that must not be; `undefined` for what is as good as before. */
export const alterationOf = (facts: ProbePodFacts, { pod, beside }: PlannedProbePod, stored: Pod): string | undefined => {
  const { objections } = judgeLabels(facts, beside, stored.metadata.labels ?? {});
  if (objections.length > 0) return objections.join('; ');
  if (stored.spec.hostNetwork === true) return "it uses its node's network";
  const wanted = pod.spec.containers[0];
  const container = stored.spec.containers.find(({ name }) => name === probeContainer);
  if (container?.image !== wanted?.image) return `its image is ${container?.image ?? 'gone'}`;
  const policy = container?.['imagePullPolicy'];
  return wanted?.['imagePullPolicy'] === 'Never' && policy !== 'Never'
    ? `imagePullPolicy is ${String(policy)}: its image would be pulled`
    : undefined;
};

const refusalError = ({ code, reason, nextSteps }: ProbePodRefusal): PoimenError =>
  new PoimenError({ outcome: 'refused', code, summary: reason, nextSteps });

const failedToStart = (client: ObjectReference, reason: string): PoimenError =>
  new PoimenError({
    outcome: 'refused',
    code: 'ProbePodFailed',
    summary: `the probe pod for ${fullName(client)} could not be used: ${reason}`,
    nextSteps: ['choose an image that the node has or can pull, with `sleep` and one of curl, wget, nc, bash, python, node in it'],
  });

interface StartWait extends Pick<ProbePodOptions, 'cluster' | 'clock' | 'signal' | 'waiting'> {
  readonly client: ObjectReference;
  readonly planned: PlannedProbePod;
  readonly pod: MadePod;
}

const waitUntilRunning = async ({ cluster, clock, client, planned, pod, signal, waiting }: StartWait): Promise<void> => {
  const deadlineMs = planned.image === 'present' ? startDeadlineMs : pullDeadlineMs;
  let missing = 'nothing is known of it';
  const tell = (words: string): void => {
    if (words !== missing) waiting?.(`probe pod ${pod.reference.name}: ${words}`);
    missing = words;
  };
  await watchPod({ cluster, clock, pod, deadlineMs, signal }, (current) => {
    const state = current === undefined ? { kind: 'failed' as const, reason: 'somebody deleted it' } : probePodStart(current, clock.now());
    if (state.kind === 'failed') throw failedToStart(client, state.reason);
    if (state.kind === 'starting') tell(state.missing);
    return state.kind === 'running';
  }).catch((error: unknown) => {
    throw error instanceof DeadlinePassed ? failedToStart(client, `it does not run after ${deadlineMs / 1000} s: ${missing}`) : error;
  });
};

class DeadlinePassed extends Error {}

interface PodWatch {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly pod: MadePod;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Looks at the pod, by watching, until `isDone` of it is true or throws. `undefined`: it is gone. Throws `DeadlinePassed`. */
const watchPod = async (
  { cluster, clock, pod, deadlineMs, signal }: PodWatch,
  isDone: (pod: Pod | undefined) => boolean,
): Promise<void> => {
  const { resource, namespace = '', name } = pod.reference;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = (): void => {
    const current = listWatch.items.get(`${namespace}/${name}`) as Pod | undefined;
    try {
      if (isDone(current?.metadata.uid === pod.uid ? current : undefined)) resolve();
    } catch (error) {
      reject(error);
    }
  };
  const selection = { resource, namespace, fieldSelector: `metadata.name=${name}` };
  let listed = false;
  const listWatch = new ListWatch({
    cluster,
    clock,
    selection,
    changed: ({ type }) => {
      listed ||= type === 'LISTED';
      if (listed) look(); // before, nothing is known
    },
  });
  const cancel = clock.after(deadlineMs, () => reject(new DeadlinePassed()));
  const aborted = (): void => reject(signal?.reason as Error);
  signal?.addEventListener('abort', aborted, { once: true });
  promise.catch(() => undefined); // it may be rejected while the first list is on its way
  try {
    await listWatch.start(signal);
    await promise;
  } finally {
    cancel();
    signal?.removeEventListener('abort', aborted);
    listWatch.stop();
  }
};

/** Never throws: nobody is there any more who could do something about it, but the person who reads. */
const remove = async (cluster: Cluster, clock: Clock, pod: MadePod, warn: (message: string) => void): Promise<void> => {
  const { namespace = '', name } = pod.reference;
  const byHand = `kubectl delete pod -n ${namespace} ${name}`;
  try {
    if (!(await deleteAgainAndAgain(cluster, clock, pod))) return;
    await watchPod({ cluster, clock, pod, deadlineMs: goneDeadlineMs }, (current) => current === undefined);
  } catch (error) {
    warn(
      error instanceof DeadlinePassed
        ? `probe pod ${fullName(pod.reference)} is Terminating: its node has not said yet that it is gone`
        : `probe pod ${fullName(pod.reference)} could not be removed (it ends by itself): ${error instanceof Error ? error.message : String(error)}; ${byHand}`,
    );
  }
};

/** False: there is nothing to wait for. */
const deleteAgainAndAgain = async (cluster: Cluster, clock: Clock, pod: MadePod): Promise<boolean> => {
  for (let tries = 1; ; tries++) {
    try {
      if (pod.uid === undefined) {
        // Its creation was never answered: it may still be on its way.
        const found = await cluster.get(pod.reference);
        if (found?.metadata.labels?.[probeLabel] === pod.run) pod.uid = found.metadata.uid;
        else if (tries === removalTries) return false;
      }
      if (pod.uid !== undefined) {
        await cluster.delete(pod.reference, { preconditions: { uid: pod.uid } });
        return true;
      }
    } catch (error) {
      if (isApiError(error, 404, 409)) return false; // gone, or another one has the name
      const mayPass = error instanceof ConnectionError || isApiError(error, 429, 500, 502, 503, 504);
      if (!mayPass || tries === removalTries) throw error;
    }
    await delay(clock, backoffMs(tries, firstPauseMs, longestPauseMs));
  }
};

export interface Sweep {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly namespace: string;
  readonly isGone: (maker: string) => boolean;
  readonly warn: (message: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Removes the probe pods of a namespace that earlier processes left behind. Returns their names.
 *
 * @throws ApiError, ConnectionError when they cannot be listed.
 */
export const sweepProbePods = async ({ cluster, clock, namespace, isGone, warn, signal }: Sweep): Promise<readonly string[]> => {
  const selection = { resource: resources.pods, namespace, labelSelector: probeLabel };
  const { items } = await cluster.list(selection, signal === undefined ? {} : { signal });
  const leftovers = (items as readonly Pod[]).filter((pod) => isLeftover(pod, clock.now(), isGone));
  await Promise.all(
    leftovers.map(({ metadata: { name, uid, labels } }) =>
      remove(cluster, clock, { reference: { resource: resources.pods, namespace, name }, run: labels?.[probeLabel] ?? '', uid }, warn),
    ),
  );
  return leftovers.map(({ metadata }) => metadata.name);
};
