import { z } from 'zod';
import type { ProbeAnswer, ProbeQuestion } from '../cluster/prober.ts';
import type { Pod } from '../kubernetes/pod.ts';
import { shortName, type ObjectReference } from '../kubernetes/reference.ts';
import { resolveTargetPort, type Service } from '../kubernetes/service.ts';
import { answerFields, describeAnswer, isGoodAnswer, probeTimeoutMs } from './good-answer.ts';
import { objectNameOf } from './object-name.ts';
import { peerOfPod } from '../network/policy/peer.ts';
import { judgePolicies, pathDenied, policySelections, viewClient } from './policies.ts';
import { siblingsOf, workloadSelections } from './selections.ts';
import type { ClusterState, Input, Probe, Settled, StepKind, Trouble } from './step-kind.ts';
import { readyStateOf, viewWorkload, workloadKinds } from './workload.ts';

const input = z.strictObject({
  object: objectNameOf(workloadKinds, 'The workload whose pods are asked, each on its own address.'),
  client: objectNameOf(
    [...workloadKinds, 'Pod'],
    'From whose side they are asked. Without it nobody asks, and readiness has to do.',
  ).optional(),
  service: objectNameOf(['Service'], 'Translates `port`, as it will for its clients once it selects these pods.').optional(),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .meta({ description: "With `service`: the Service's port (default: its first). Without: the pods' own." }),
  ...answerFields,
  consecutive: z.int().positive().default(1).meta({ description: 'How many rounds of good answers in a row are asked for.' }),
});

type AnswersRaw = z.infer<typeof input>;

interface Destination {
  readonly pod: Pod;
  readonly ip: string;
  readonly port: number;
}

export interface AnswersObserved {
  readonly destinations: readonly Destination[];
  /** Why there is nobody to ask yet. */
  readonly missing: string | undefined;
  /** What keeps the pods from being ready. */
  readonly troubles: readonly Trouble[];
  /** Why the policies do not let the client reach one of them, if so. */
  readonly denied: string | undefined;
}

const intervalMs = 250;

/**
 * Asks each ready pod of a workload on its own address and target port, past the Service: a new side that does not answer is
 * found before clients are sent to it.
 */
export const answers: StepKind<AnswersRaw, AnswersObserved> = {
  name: 'answers',
  summary: 'Asks each pod of a workload on its own address until all answer well.',
  input,
  defaultDeadlineMs: 5 * 60_000,

  title: ({ object, path }) => `each pod of ${shortName(object)} answers on its own address${path === undefined ? '' : ` at ${path}`}`,
  access: ({ object, service, client }) => ({
    reads: [...workloadSelections(object), ...(service === undefined ? [] : [siblingsOf(service)])],
    once: service === undefined || client === undefined ? [] : policySelections(client, service),
    writes: [],
  }),

  observe(step, state) {
    const ready = readyStateOf(viewWorkload(step.object, state));
    if (!ready.ready) return { destinations: [], missing: ready.missing, troubles: ready.troubles, denied: undefined };
    const service = step.service === undefined ? undefined : state.get<Service>(step.service);
    const found = ready.pods.map((pod) => destinationOf(step, service, pod));
    const missing = found.find((destination) => typeof destination === 'string');
    const destinations = found.filter((destination) => typeof destination !== 'string');
    let judged: { readonly denied: string | undefined } | undefined;
    return {
      destinations,
      missing,
      troubles: [],
      // Judged when somebody wants to know: a probe does not, and it stands between the new pods and the switch.
      get denied() {
        judged ??= { denied: policiesOf(step, destinations, state) };
        return judged.denied;
      },
    };
  },

  plan: (step, observed) => (judge(step, observed).done ? { kind: 'satisfied' } : { kind: 'change', mutations: [] }),
  settled: (step, observed) => judge(step, observed),
  undo: () => ({ kind: 'nothing' }),
  probe: ({ client, ...step }, { destinations }) => (client === undefined ? undefined : probeOf(step, client, destinations)),
};

const policiesOf = (
  { client, service }: Input<AnswersRaw>,
  destinations: readonly Destination[],
  state: ClusterState,
): string | undefined => {
  if (client === undefined || service === undefined) return undefined;
  const servers = destinations.map(({ pod, port }) => ({ peer: peerOfPod(pod), port, protocol: 'TCP' as const }));
  const verdict = judgePolicies(viewClient(client, state), service, servers, state);
  return verdict?.verdict === 'denied' ? verdict.reason : undefined;
};

const judge = ({ object }: Input<AnswersRaw>, { destinations, missing, troubles, denied }: AnswersObserved): Settled => {
  if (denied !== undefined) {
    return { done: false, missing: missing ?? `the policies deny it: ${denied}`, troubles: [pathDenied(object, denied)] };
  }
  if (missing !== undefined) return { done: false, missing, troubles };
  return { done: true, evidence: destinations.map(({ pod, ip, port }) => `${pod.metadata.name} at ${address(ip, port)}`).join(', ') };
};

const destinationOf = (
  { port: asked, service: reference }: Input<AnswersRaw>,
  service: Service | undefined,
  pod: Pod,
): Destination | string => {
  const { name } = pod.metadata;
  const ip = pod.status?.podIP;
  if (ip === undefined) return `${name} has no address yet`;
  if (reference === undefined) return asked === undefined ? 'no port is given, and no Service that has one' : { pod, ip, port: asked };
  if (service === undefined) return `${shortName(reference)} does not exist`;
  const dialled = asked ?? service.spec.ports?.[0]?.port;
  if (dialled === undefined) return `${shortName(reference)} has no port`;
  const port = resolveTargetPort(service, dialled, pod);
  return port === undefined ? `${name} has no port that port ${dialled} of ${shortName(reference)} leads to` : { pod, ip, port };
};

const probeOf = (step: Omit<Input<AnswersRaw>, 'client'>, client: ObjectReference, destinations: readonly Destination[]): Probe => ({
  questions: destinations.map(({ pod, ip, port }): ProbeQuestion => {
    const { name, namespace = '', uid = '' } = pod.metadata;
    return {
      client,
      target: { kind: 'pod', namespace, name, uid, ip, port },
      ...(step.path === undefined ? {} : { path: step.path }),
      timeoutMs: probeTimeoutMs,
    };
  }),
  consecutive: step.consecutive,
  windowMs: 0,
  intervalMs,
  judge(round: readonly ProbeAnswer[]) {
    const bad = round.flatMap((answer, index) =>
      isGoodAnswer(step, answer) ? [] : [`${destinations[index]?.pod.metadata.name ?? 'pod'}: ${describeAnswer(step, answer)}`],
    );
    return bad.length === 0 ? { good: true } : { good: false, reason: bad.join('; ') };
  },
});

const address = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);
