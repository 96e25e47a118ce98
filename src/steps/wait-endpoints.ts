import { z } from 'zod';
import { endpointsOf, routableEndpoints, type Endpoint, type Endpoints, type EndpointSlice } from '../kubernetes/endpoint-slice.ts';
import { controllerOf } from '../kubernetes/object.ts';
import type { Pod } from '../kubernetes/pod.ts';
import { shortName } from '../kubernetes/reference.ts';
import { targetPortOf, type Service, type ServicePort } from '../kubernetes/service.ts';
import { objectNameOf } from './object-name.ts';
import { endpointSlicesOf, podsIn, siblingsOf, workloadSelections } from './selections.ts';
import type { Settled, StepKind, Trouble } from './step-kind.ts';
import { readyStateOf, viewWorkload, workloadKinds } from './workload.ts';

const input = z.strictObject({
  service: objectNameOf(['Service'], 'The Service whose endpoints are judged.'),
  object: objectNameOf(workloadKinds, 'The workload whose pods are to be its endpoints, all of them and nobody else.'),
});

type WaitEndpointsRaw = z.infer<typeof input>;

export interface WaitEndpointsObserved {
  readonly service: Service | undefined;
  readonly endpoints: Endpoints;
  /** The workload's ready pods; or why it has none. */
  readonly pods: readonly Pod[];
  readonly missing: string | undefined;
  /** By UID, to name who is behind an endpoint. */
  readonly podsByUid: ReadonlyMap<string | undefined, Pod>;
}

/** The controller follows a selector within a second; whoever stays longer is selected. */
const strangerGraceMs = 30_000;

/**
 * Waits until the Service's EndpointSlices hold exactly the workload's ready pods, by UID and for each of the Service's ports, and
 * nobody else who gets connections. Judging a Service before that judges the old pods (argo-rollouts#2488, #2641).
 *
 * Orphaned slices, which nobody keeps up to date, show as strangers (kubernetes#103804).
 */
export const waitEndpoints: StepKind<WaitEndpointsRaw, WaitEndpointsObserved> = {
  name: 'waitEndpoints',
  summary: "Waits until a Service's endpoints are exactly the ready pods of a workload.",
  input,
  defaultDeadlineMs: 60_000,

  title: ({ service, object }) => `wait until the endpoints of ${shortName(service)} are exactly the pods of ${shortName(object)}`,
  access: ({ service, object }) => ({ reads: [siblingsOf(service), endpointSlicesOf(service), ...workloadSelections(object)], writes: [] }),

  observe({ service, object }, state) {
    const ready = readyStateOf(viewWorkload(object, state));
    return {
      service: state.get<Service>(service),
      endpoints: endpointsOf(state.list<EndpointSlice>(endpointSlicesOf(service))),
      pods: ready.ready ? ready.pods : [],
      missing: ready.ready ? undefined : ready.missing,
      podsByUid: new Map(state.list<Pod>(podsIn(object.namespace)).map((pod) => [pod.metadata.uid, pod])),
    };
  },

  plan: (step, observed) => (judge(shortName(step.service), observed).done ? { kind: 'satisfied' } : { kind: 'change', mutations: [] }),
  settled: (step, observed) => judge(shortName(step.service), observed),
  undo: () => ({ kind: 'nothing' }),
};

const judge = (name: string, observed: WaitEndpointsObserved): Settled => {
  const { service, endpoints, pods, missing } = observed;
  if (service === undefined) return { done: false, missing: `${name} does not exist` };
  if (missing !== undefined) return { done: false, missing };

  const expected = new Set(pods.map(({ metadata }) => metadata.uid));
  const strangers = [...endpoints.ready, ...stillRouted(endpoints)].filter(({ uid }) => uid === undefined || !expected.has(uid));
  if (strangers.length > 0) {
    const words = [...new Map(strangers.map((endpoint) => [endpoint.uid ?? endpoint.address, describe(endpoint, observed)])).values()];
    return {
      done: false,
      missing: `still behind ${name}: ${words.join(', ')}`,
      troubles: strangers.map((endpoint) => foreign(name, endpoint, observed)),
    };
  }
  const ports = service.spec.ports ?? [];
  if (ports.length === 0) return lacking(name, pods, new Set(endpoints.ready.map(({ uid }) => uid)), undefined);
  for (const port of ports) {
    const listed = endpoints.ready.filter((endpoint) => endpoint.ports.some((candidate) => (candidate.name ?? '') === (port.name ?? '')));
    const verdict = lacking(name, pods, new Set(listed.map(({ uid }) => uid)), port);
    if (!verdict.done) return verdict;
  }
  return { done: true, evidence: `behind ${name}: ${pods.map(({ metadata }) => metadata.name).join(', ')}, and nobody else` };
};

/** While the ready pods' endpoints are not programmed everywhere, a proxy may still send to those that are terminating and serve. */
const stillRouted = ({ serving, terminating }: Endpoints): readonly Endpoint[] => routableEndpoints({ ready: [], serving, terminating });

const lacking = (name: string, pods: readonly Pod[], listed: ReadonlySet<string | undefined>, port: ServicePort | undefined): Settled => {
  const absent = pods.filter(({ metadata }) => !listed.has(metadata.uid));
  if (absent.length === 0) return { done: true };
  const forPort = port === undefined ? '' : ` for port ${port.port}`;
  const unreachable = port === undefined ? [] : absent.filter((pod) => targetPortOf(port, pod) === undefined);
  const troubles = unreachable.map((pod): Trouble => ({
    code: 'TargetPortMissing',
    object: `pod/${pod.metadata.name}`,
    message: `it has no port named ${port?.targetPort}, which port ${port?.port} of ${name} leads to`,
    graceMs: 0,
  }));
  return { done: false, missing: `not behind ${name} yet${forPort}: ${absent.map(({ metadata }) => metadata.name).join(', ')}`, troubles };
};

const describe = ({ uid, podName, address }: Endpoint, { podsByUid }: WaitEndpointsObserved): string => {
  const pod = podsByUid.get(uid);
  if (pod === undefined) return podName === undefined ? `${address} (no pod is known)` : `${podName} (which is not there any more)`;
  const owner = controllerOf(pod);
  return owner === undefined ? pod.metadata.name : `${pod.metadata.name} of ${owner.kind.toLowerCase()}/${owner.name}`;
};

const foreign = (name: string, endpoint: Endpoint, observed: WaitEndpointsObserved): Trouble => ({
  code: 'ForeignEndpoint',
  object: name,
  message: `${describe(endpoint, observed)} gets a share of its connections`,
  graceMs: strangerGraceMs,
});
