import type { ProbeAnswer, ProbeQuestion } from '../cluster/prober.ts';
import { endpointsOf, routableEndpoints, type Endpoint, type EndpointSlice } from '../kubernetes/endpoint-slice.ts';
import type { Pod } from '../kubernetes/pod.ts';
import { shortName, type ObjectReference } from '../kubernetes/reference.ts';
import { isHeadless, resolveTargetPort, servicePort, type Service } from '../kubernetes/service.ts';
import { peerOfPod } from '../network/policy/peer.ts';
import { describeAnswer, isGoodAnswer, probeTimeoutMs } from './good-answer.ts';
import { judgePolicies, pathDenied, policySelections, templatePeer, viewClient, type PolicyVerdict, type Server } from './policies.ts';
import type { ReachabilityPhase } from './reachability-phase.ts';
import { endpointSlicesOf, podsIn, siblingsOf, workloadSelections } from './selections.ts';
import type { Access, ClusterState, Trouble } from './step-kind.ts';
import type { WatchedPath } from './watched-path.ts';
import { readyStateOf, viewWorkload, type WorkloadView } from './workload.ts';

/** Who is behind a Service now, and whether a client's connections may get there: what can be known without asking on the wire. */
export interface PathObservation {
  readonly service: Service | undefined;
  /** The port that the client dials. */
  readonly port: number | undefined;
  /** Get new connections now. */
  readonly backends: readonly Endpoint[];
  /** UIDs of the new workload's pods. */
  readonly newPods: ReadonlySet<string | undefined>;
  /** What the policies say of the client and the backends (without one: a pod that `to` would make). Absent: not known. */
  readonly policies: PolicyVerdict | undefined;
  /** What keeps the new workload's pods from being ready; none when they are. */
  readonly troubles: readonly Trouble[];
}

export interface PathVerdict {
  readonly met: boolean;
  /** What was found, for people: `clef-candle-7d9f answers`. */
  readonly seen: string;
}

export const pathAccess = ({ service, to, client }: WatchedPath): Access => ({
  reads: [siblingsOf(service), endpointSlicesOf(service), podsIn(service.namespace), ...(to === undefined ? [] : workloadSelections(to))],
  once: client === undefined ? [] : policySelections(client, service),
  writes: [],
});

/** Needs `pathAccess(path)`. */
export const observePath = (path: WatchedPath, state: ClusterState): PathObservation => {
  const service = state.get<Service>(path.service);
  const port = path.port ?? service?.spec.ports?.[0]?.port;
  const backends = routableEndpoints(endpointsOf(state.list<EndpointSlice>(endpointSlicesOf(path.service))));
  const to = path.to === undefined ? undefined : viewWorkload(path.to, state);
  const judge = (client: ObjectReference): PolicyVerdict | undefined => {
    const servers = service === undefined || port === undefined ? [] : serversOf(path, service, port, backends, to, state);
    return judgePolicies(viewClient(client, state), path.service, servers, state);
  };
  let judged: { readonly policies: PolicyVerdict | undefined } | undefined;
  return {
    service,
    port,
    backends,
    newPods: new Set(to?.pods.map(({ metadata }) => metadata.uid)),
    // Judged when somebody wants to know: most of an observation's readers do not, and it costs more than all the rest.
    get policies() {
      judged ??= { policies: path.client === undefined ? undefined : judge(path.client) };
      return judged.policies;
    },
    get troubles() {
      const ready = to === undefined ? undefined : readyStateOf(to);
      return ready === undefined || ready.ready ? [] : ready.troubles;
    },
  };
};

const serversOf = (
  path: WatchedPath,
  service: Service,
  port: number,
  backends: readonly Endpoint[],
  to: WorkloadView | undefined,
  state: ClusterState,
): readonly Server[] => {
  const uids = new Set(backends.map(({ uid }) => uid));
  const pods = state.list<Pod>(podsIn(path.service.namespace)).filter(({ metadata }) => uids.has(metadata.uid));
  const hypothetical =
    pods.length > 0 || to?.object === undefined
      ? []
      : [{ peer: templatePeer(to.reference, to.object.spec.template), spec: to.object.spec.template.spec }];
  const ends = [...pods.map((pod) => ({ peer: peerOfPod(pod), spec: pod.spec })), ...hypothetical];
  return ends.flatMap(({ peer, spec }) => {
    const target = resolveTargetPort(service, port, { spec });
    return target === undefined ? [] : [{ peer, port: target, protocol: 'TCP' as const }];
  });
};

/** What the EndpointSlices and the policies say of a phase. */
export const judgePath = (path: WatchedPath, phase: ReachabilityPhase, observation: PathObservation): PathVerdict => {
  const { service, backends } = observation;
  if (service === undefined) return { met: phase === 'any', seen: `${shortName(path.service)} does not exist` };
  if (phase !== 'any') {
    const { policies } = observation;
    if (policies?.verdict === 'denied') return { met: false, seen: `the policies deny it: ${policies.reason}` };
  }
  const seen =
    backends.length === 0
      ? `nobody is behind ${shortName(path.service)}`
      : `behind ${shortName(path.service)}: ${backends.map(nameOf).join(', ')}`;
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

/** Why waiting for an answer would be in vain: the policies deny it, or the pods that are to answer do not run. */
export const troublesOf = (path: WatchedPath, phase: ReachabilityPhase, { policies, troubles }: PathObservation): readonly Trouble[] => [
  ...(policies?.verdict === 'denied' ? [pathDenied(path.service, policies.reason)] : []),
  ...(phase === 'newOnly' ? troubles : []),
];

/** The question that a client puts to the Service; `undefined` where there is nobody to ask from or nothing to ask. */
export const pathQuestion = (path: WatchedPath, { port, service: object }: PathObservation): ProbeQuestion | undefined => {
  const { client, service } = path;
  if (client === undefined || port === undefined) return undefined;
  return {
    client,
    target: {
      kind: 'service',
      namespace: service.namespace ?? '',
      name: service.name,
      port,
      ...(object === undefined || isHeadless(object) || !object.spec.clusterIP ? {} : { clusterIP: object.spec.clusterIP }),
    },
    ...(path.path === undefined ? {} : { path: path.path }),
    timeoutMs: probeTimeoutMs,
  };
};

/** The same question to each pod behind the Service, on its own address. */
export const backendQuestions = (path: WatchedPath, { service, port, backends }: PathObservation): readonly ProbeQuestion[] => {
  const { client } = path;
  const declared = service === undefined || port === undefined ? undefined : servicePort(service, port);
  if (client === undefined || declared === undefined) return [];
  return backends.flatMap(({ address, uid, podName, ports }) => {
    const target = ports.find(({ name }) => (name ?? '') === (declared.name ?? ''))?.port;
    if (target === undefined || uid === undefined || podName === undefined) return [];
    return [
      {
        client,
        target: { kind: 'pod', namespace: path.service.namespace ?? '', name: podName, uid, ip: address, port: target },
        ...(path.path === undefined ? {} : { path: path.path }),
        timeoutMs: probeTimeoutMs,
      } satisfies ProbeQuestion,
    ];
  });
};

/** What the pods behind the Service answered on their own addresses; `bad` is the first that did not answer well. */
export const judgeBackends = (
  path: WatchedPath,
  questions: readonly ProbeQuestion[],
  answers: readonly ProbeAnswer[],
): { readonly bad: string | undefined; readonly words: string | undefined } => {
  const told = questions.flatMap(({ target }, index) => {
    const answer = answers[index];
    return answer === undefined
      ? []
      : [{ good: isGoodAnswer(path, answer), words: `${target.name} on its own address: ${describeAnswer(path, answer)}` }];
  });
  return {
    bad: told.find(({ good }) => !good)?.words,
    words: told.length === 0 ? undefined : told.map(({ words }) => words).join('; '),
  };
};

/** What a client's answer says of a phase. An answer that does not tell who gave it is judged by the EndpointSlices besides. */
export const judgeAnswer = (
  path: WatchedPath,
  phase: ReachabilityPhase,
  observation: PathObservation,
  answer: ProbeAnswer,
): PathVerdict => {
  const seen = `${describeAnswer(path, answer)}${answeredBy(observation, answer)}`;
  const byNew =
    answer.kind === 'answered' &&
    (answer.podUid === undefined
      ? judgePath(path, 'newOnly', observation).met
      : path.to === undefined || isNew(observation, answer.podUid));
  switch (phase) {
    case 'any':
      return { met: true, seen };
    case 'open':
      return { met: isGoodAnswer(path, answer), seen };
    case 'window':
      return {
        met: answer.kind === 'refused' || answer.kind === 'unreachable' || answer.kind === 'timeout' || byNew,
        seen,
      };
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
