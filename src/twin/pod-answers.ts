import { isSidecar, type Pod } from '../kubernetes/pod.ts';
import { readManifestYaml } from '../manifests/manifest-yaml.ts';
import { fieldsOf, numberOf, textOf } from './api/json.ts';
import { answersAnnotation, defaultPodTimes, podScriptOf } from './controllers/pod-script.ts';

/** What a pod's server says to a GET. */
export interface PodAnswer {
  readonly status: number;
  readonly body: string;
}

/** Whether something accepts connections on the port: a container that declares it, runs, and has finished starting. */
export const isListening = (pod: Pod, port: number, now: number): boolean => {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter(isSidecar)];
  const container = containers.find(({ ports }) =>
    ports?.some(({ containerPort, protocol = 'TCP' }) => containerPort === port && protocol === 'TCP'),
  );
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const status = statuses.find(({ name }) => name === container?.name);
  if (status?.state?.running === undefined) return false;
  return status.ready || Date.parse(status.state.running.startedAt ?? '') + podScriptOf(pod, defaultPodTimes).startMs <= now;
};

/** The answer that the pod's annotation gives for the path; 200 without a body where it gives none. A body that is no text is sent as JSON. */
export const answerOf = (pod: Pod, path: string): PodAnswer => {
  const text = pod.metadata.annotations?.[answersAnnotation];
  const answer = text === undefined ? {} : fieldsOf(fieldsOf(readManifestYaml(text, answersAnnotation).documents[0]?.value)[path]);
  const { status, body = '' } = answer;
  return { status: numberOf(status) ?? 200, body: textOf(body) ?? JSON.stringify(body) };
};
