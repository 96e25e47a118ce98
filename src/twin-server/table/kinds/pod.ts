import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { textOf, type JsonObject } from '../../../twin/api/json.ts';
import { ageColumn, ageOf, nameColumn, text, wideText, type Column } from '../column.ts';
import { countOf, fieldOf, objectsOf, orElse } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printPod`. */
export const podColumns: readonly Column[] = [
  nameColumn,
  text('Ready', (pod) => {
    const { ready, total } = summaryOf(pod);
    return `${ready}/${total}`;
  }),
  text('Status', (pod) => summaryOf(pod).reason),
  text('Restarts', (pod, now) => {
    const { restarts, lastRestart } = summaryOf(pod);
    return restarts === 0 || lastRestart === undefined ? String(restarts) : `${restarts} (${ageOf(lastRestart, now)} ago)`;
  }),
  ageColumn,
  wideText('IP', (pod) => orElse(objectsOf(fieldOf(pod, 'status', 'podIPs'))[0]?.ip, '<none>')),
  wideText('Node', (pod) => orElse(fieldOf(pod, 'spec', 'nodeName'), '<none>')),
  wideText('Nominated Node', (pod) => orElse(fieldOf(pod, 'status', 'nominatedNodeName'), '<none>')),
  wideText('Readiness Gates', (pod) => printGates(pod)),
];

const printGates = (pod: KubernetesObject): string => {
  const gates = objectsOf(fieldOf(pod, 'spec', 'readinessGates'));
  const open = gates.filter(({ conditionType }) => conditionOf(pod, conditionType)?.status === 'True');
  return gates.length === 0 ? '<none>' : `${open.length}/${gates.length}`;
};

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container last ended before it was started again. */
  readonly lastRestart: string | undefined;
}

const summaryOf = (pod: KubernetesObject): Summary => {
  const initialization = initializationOf(pod);
  const total = objectsOf(fieldOf(pod, 'spec', 'containers')).length + sidecarsOf(pod).size;
  const isUnderway = initialization.reason !== undefined && conditionOf(pod, 'Initialized')?.status !== 'True';
  const summary = isUnderway ? { ...initialization, total } : { ...mainSummaryOf(pod, initialization), total };
  return { ...summary, reason: deletionReasonOf(pod) ?? summary.reason ?? phaseReasonOf(pod) };
};

const phaseReasonOf = (pod: KubernetesObject): string => {
  const scheduling = objectsOf(fieldOf(pod, 'status', 'conditions')).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return scheduling ? 'SchedulingGated' : orElse(fieldOf(pod, 'status', 'reason'), textOf(fieldOf(pod, 'status', 'phase')) ?? '');
};

/** A pod that has ended stays what it is, also while it is being deleted. */
const deletionReasonOf = (pod: KubernetesObject): string | undefined => {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  if (fieldOf(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = fieldOf(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
};

interface Restarts {
  readonly restarts: number;
  readonly lastRestart: string | undefined;
}

interface Initialization extends Restarts {
  readonly ready: number;
  /** Absent when nothing more has to be initialized. */
  readonly reason: string | undefined;
  /** Of the init containers that go on running beside the others, as far as they were looked at. */
  readonly sidecars: Restarts;
}

/** Looks at the init containers in order, up to the first that has not done its part. */
const initializationOf = (pod: KubernetesObject): Initialization => {
  const sidecarNames = sidecarsOf(pod);
  let all: Restarts = noRestarts;
  let sidecars: Restarts = noRestarts;
  let ready = 0;
  for (const [index, status] of objectsOf(fieldOf(pod, 'status', 'initContainerStatuses')).entries()) {
    const isSidecar = sidecarNames.has(status.name);
    all = withRestartsOf(all, status);
    if (isSidecar) sidecars = withRestartsOf(sidecars, status);
    const terminated = fieldOf(status, 'state', 'terminated');
    if (terminated !== undefined && countOf(fieldOf(terminated, 'exitCode')) === 0) continue;
    if (isSidecar && status.started === true) {
      if (status.ready === true) ready += 1;
      continue;
    }
    return { ...all, ready, sidecars, reason: `Init:${initReasonOf(pod, status, index)}` };
  }
  return { ...all, ready, sidecars, reason: undefined };
};

const initReasonOf = (pod: KubernetesObject, status: JsonObject, index: number): string => {
  const terminated = fieldOf(status, 'state', 'terminated');
  if (terminated !== undefined) return endOf(terminated);
  const waiting = textOf(fieldOf(status, 'state', 'waiting', 'reason')) ?? '';
  if (waiting !== '' && waiting !== 'PodInitializing') return waiting;
  return `${index}/${objectsOf(fieldOf(pod, 'spec', 'initContainers')).length}`;
};

interface MainSummary extends Restarts {
  readonly ready: number;
  readonly reason: string | undefined;
}

/** The first container that has something to say gives the reason. */
const mainSummaryOf = (pod: KubernetesObject, initialization: Initialization): MainSummary => {
  let { ready, reason } = initialization;
  let restarts = initialization.sidecars;
  let hasRunning = false;
  for (const status of objectsOf(fieldOf(pod, 'status', 'containerStatuses')).toReversed()) {
    restarts = withRestartsOf(restarts, status);
    const waiting = textOf(fieldOf(status, 'state', 'waiting', 'reason')) ?? '';
    const terminated = fieldOf(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (terminated !== undefined) reason = endOf(terminated);
    else if (status.ready === true && fieldOf(status, 'state', 'running') !== undefined) {
      hasRunning = true;
      ready += 1;
    }
  }
  if (reason !== 'Completed' || !hasRunning) return { ...restarts, ready, reason };
  return { ...restarts, ready, reason: conditionOf(pod, 'Ready')?.status === 'True' ? 'Running' : 'NotReady' };
};

const endOf = (terminated: unknown): string => {
  const signal = countOf(fieldOf(terminated, 'signal'));
  return orElse(fieldOf(terminated, 'reason'), signal === 0 ? `ExitCode:${countOf(fieldOf(terminated, 'exitCode'))}` : `Signal:${signal}`);
};

const noRestarts: Restarts = { restarts: 0, lastRestart: undefined };

const withRestartsOf = ({ restarts, lastRestart }: Restarts, status: JsonObject): Restarts => {
  const ended = textOf(fieldOf(status, 'lastState', 'terminated', 'finishedAt'));
  const isLater = ended !== undefined && (lastRestart === undefined || Date.parse(ended) > Date.parse(lastRestart));
  return { restarts: restarts + countOf(status.restartCount), lastRestart: isLater ? ended : lastRestart };
};

/** Init containers that are restarted for ever. */
const sidecarsOf = (pod: KubernetesObject): ReadonlySet<unknown> =>
  new Set(
    objectsOf(fieldOf(pod, 'spec', 'initContainers'))
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );

const conditionOf = (pod: KubernetesObject, type: unknown): JsonObject | undefined =>
  objectsOf(fieldOf(pod, 'status', 'conditions')).find((condition) => condition.type === type);
