import { isPodReady, isTerminal, isTerminating, podCondition, type Pod } from './pod.ts';

/** Where a pod stands, in a few words for a person who waits: `waiting for a node`, `pulling`, `ready`. */
export const podProgress = (pod: Pod): string => {
  if (isTerminal(pod)) return (pod.status?.phase ?? '').toLowerCase();
  if (isTerminating(pod)) return 'terminating';
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return 'waiting for a node';
  if (isPodReady(pod)) return 'ready';
  const waiting = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])]
    .map((status) => status.state?.waiting?.reason)
    .find((reason) => reason !== undefined && reason !== 'PodInitializing');
  // Network and volumes come first, and the kubelet says when they are there: what is left then is the image.
  if (waiting === 'ContainerCreating')
    return podCondition(pod, 'PodReadyToStartContainers')?.status === 'False' ? 'setting up network and volumes' : 'pulling';
  if (waiting !== undefined) return waiting;
  if (podCondition(pod, 'Initialized')?.status === 'False') return 'running its init containers';
  if (pod.status?.phase !== 'Running') return 'not started by its node yet';
  const gate = pod.spec.readinessGates?.find(({ conditionType }) => podCondition(pod, conditionType)?.status !== 'True');
  if (gate !== undefined && podCondition(pod, 'ContainersReady')?.status === 'True')
    return `waiting for readiness gate ${gate.conditionType}`;
  return 'started, not ready yet';
};
