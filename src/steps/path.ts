import type { ProbeAnswer, ProbeQuestion } from '../cluster/prober.ts';
import { endpointsOf, routableEndpoints, type Endpoint, type EndpointSlice } from '../kubernetes/endpoint-slice.ts';
import { shortName } from '../kubernetes/reference.ts';
import type { Service } from '../kubernetes/service.ts';
import { describeAnswer, isGoodAnswer, probeTimeoutMs } from './good-answer.ts';
import type { ReachabilityPhase } from './reachability-phase.ts';
import { endpointSlicesOf, siblingsOf, workloadSelections } from './selections.ts';
import type { Access, ClusterState } from './step-kind.ts';
import type { WatchedPath } from './watched-path.ts';
import { viewWorkload } from './workload.ts';

/** Who is behind a Service now, and whether a client's connections may get there: what can be known without asking on the wire. */
export interface PathObservation {
  readonly service: Service | undefined;
  /** The port that the client dials. */
  readonly port: number | undefined;
  /** Get new connections now. */
  readonly backends: readonly Endpoint[];
  /** UIDs of the new workload's pods. */
  readonly newPods: ReadonlySet<string | undefined>;
}

export interface PathVerdict {
  readonly met: boolean;
  /** What was found, for people: `clef-candle-7d9f answers`. */
  readonly seen: string;
}

export const pathAccess = ({ service, to }: WatchedPath): Access => ({
  reads: [siblingsOf(service), endpointSlicesOf(service), ...(to === undefined ? [] : workloadSelections(to))],
  writes: [],
});

/** Needs `pathAccess(path)`. */
export const observePath = (path: WatchedPath, state: ClusterState): PathObservation => {
  const service = state.get<Service>(path.service);
  return {
    service,
    port: path.port ?? service?.spec.ports?.[0]?.port,
    backends: routableEndpoints(endpointsOf(state.list<EndpointSlice>(endpointSlicesOf(path.service)))),
    newPods: new Set(path.to === undefined ? [] : viewWorkload(path.to, state).pods.map(({ metadata }) => metadata.uid)),
  };
};

/** What the EndpointSlices and the policies say of a phase. */
export const judgePath = (path: WatchedPath, phase: ReachabilityPhase, observation: PathObservation): PathVerdict => {
  const { service, backends } = observation;
  if (service === undefined) return { met: phase === 'any', seen: `${shortName(path.service)} does not exist` };
  const seen = backends.length === 0 ? `nobody is behind ${shortName(path.service)}` : `behind ${shortName(path.service)}: ${backends.map(nameOf).join(', ')}`;
  switch (phase) {
    case 'any':
      return { met: true, seen };
    case 'open':
      return { met: backends.length > 0, seen };
    case 'window':
      return { met: backends.every((backend) => isNew(observation, backend.uid)), seen };
    case 'newOnly':
      return { met: backends.length > 0 && (path.to === undefined || backends.every((backend) => isNew(observation, backend.uid))), seen };
  }
};

/** The question that a client puts to the Service; `undefined` where there is nobody to ask from or nothing to ask. */
export const pathQuestion = (path: WatchedPath, { port }: PathObservation): ProbeQuestion | undefined => {
  const { client, service } = path;
  if (client === undefined || port === undefined) return undefined;
  return {
    client,
    target: { kind: 'service', namespace: service.namespace ?? '', name: service.name, port },
    ...(path.path === undefined ? {} : { path: path.path }),
    timeoutMs: probeTimeoutMs,
  };
};

/** What a client's answer says of a phase. An answer that does not tell who gave it is judged by the EndpointSlices besides. */
export const judgeAnswer = (path: WatchedPath, phase: ReachabilityPhase, observation: PathObservation, answer: ProbeAnswer): PathVerdict => {
  const seen = `${describeAnswer(path, answer)}${answeredBy(observation, answer)}`;
  const byNew = answer.kind === 'answered' && (answer.podUid === undefined || path.to === undefined || isNew(observation, answer.podUid));
  switch (phase) {
    case 'any':
      return { met: true, seen };
    case 'open':
      return { met: isGoodAnswer(path, answer), seen };
    case 'window':
      return { met: answer.kind === 'refused' || answer.kind === 'timeout' || (byNew && judgePath(path, 'newOnly', observation).met), seen };
    case 'newOnly':
      return { met: isGoodAnswer(path, answer) && byNew, seen };
  }
};

const isNew = ({ newPods }: PathObservation, uid: string | undefined): boolean => uid !== undefined && newPods.has(uid);

const nameOf = ({ podName, address }: Endpoint): string => podName ?? address;

const answeredBy = ({ backends }: PathObservation, answer: ProbeAnswer): string => {
  if (answer.kind !== 'answered') return '';
  if (answer.podUid === undefined) return ', backend not identified';
  const backend = backends.find(({ uid }) => uid === answer.podUid);
  return ` by ${backend === undefined ? 'a pod that is not behind the Service' : nameOf(backend)}`;
};
