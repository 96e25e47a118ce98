import { z } from 'zod';
import { shortName } from '../kubernetes/reference.ts';
import { parseDuration } from '../kubernetes/duration.ts';
import { durationText } from './duration-text.ts';
import { answerFields } from './good-answer.ts';
import { objectNameOf } from './object-name.ts';
import {
  backendQuestions,
  judgeBackends,
  judgeAnswer,
  judgePath,
  observePath,
  pathAccess,
  pathQuestion,
  troublesOf,
  type PathObservation,
} from './path.ts';
import { reachabilityPhases, type ReachabilityPhase } from './reachability-phase.ts';
import type { Input, StepKind } from './step-kind.ts';
import type { WatchedPath } from './watched-path.ts';
import { workloadKinds } from './workload.ts';

const input = z.strictObject({
  service: objectNameOf(['Service'], 'The Service that is asked.'),
  client: objectNameOf([...workloadKinds, 'Pod'], 'From whose side it is asked. Without it the EndpointSlices have to do.').optional(),
  object: objectNameOf(workloadKinds, 'The workload that is meant by `newOnly`.').optional(),
  port: z.int().min(1).max(65_535).optional().meta({ description: "The Service's port. Default: its first." }),
  ...answerFields,
  expect: z.enum([...reachabilityPhases, 'asFound']).meta({
    description:
      'open: it answers; window: nobody is behind it; newOnly: it answers, by the pods of `object` only; any: recorded, not judged; asFound: open if somebody is behind it, else window.',
  }),
  consecutive: z.int().positive().default(1).meta({ description: 'How many good answers in a row are asked for.' }),
  window: durationText('How long the good answers in a row have to go on, from the first to the last. Default: 0s.').optional(),
});

type ReachabilityRaw = z.infer<typeof input>;

const intervalMs = 250;

/**
 * Asks the Service from the client's side, again and again until it answered as expected so many times in a row and for so long: old pods
 * may still answer, and connections be refused, for a while after the endpoints look right (kubernetes#81225, #98570). Where only the new
 * pods may answer, each of them is asked on its own address besides: that tells a bad pod from a way that is not there yet.
 */
export const reachability: StepKind<ReachabilityRaw, PathObservation> = {
  name: 'reachability',
  summary: "Checks, from a client's side, who answers behind a Service.",
  input,
  defaultDeadlineMs: 60_000,

  title: (step) =>
    titles[step.expect](shortName(step.service), step.object === undefined ? 'the new pods' : `the pods of ${shortName(step.object)}`),
  access: (step) => pathAccess(pathOf(step)),
  observe: (step, state) => observePath(pathOf(step), state),
  plan: (step, observed) =>
    judgePath(pathOf(step), phaseOf(step, observed), observed).met ? { kind: 'satisfied' } : { kind: 'change', mutations: [] },

  settled(step, observed) {
    const phase = phaseOf(step, observed);
    const { met, seen } = judgePath(pathOf(step), phase, observed);
    return met ? { done: true, evidence: seen } : { done: false, missing: seen, troubles: troublesOf(pathOf(step), phase, observed) };
  },

  undo: () => ({ kind: 'nothing' }),

  probe(step, observed) {
    const question = pathQuestion(pathOf(step), observed);
    if (question === undefined) return undefined;
    const phase = phaseOf(step, observed);
    const direct = phase === 'newOnly' ? backendQuestions(pathOf(step), observed) : [];
    return {
      questions: [question, ...direct],
      consecutive: step.consecutive,
      windowMs: parseDuration(step.window ?? '') ?? 0,
      intervalMs,
      judge([answer, ...fromBackends]) {
        if (answer === undefined) return { good: false, reason: 'nothing was asked' };
        const { met, seen } = judgeAnswer(pathOf(step), phase, observed, answer);
        const backends = judgeBackends(pathOf(step), direct, fromBackends);
        if (met && backends.bad === undefined) return { good: true };
        const ofService = `${shortName(step.service)}: ${seen}`;
        return { good: false, reason: backends.words === undefined ? ofService : `${ofService}; ${backends.words}` };
      },
    };
  },
};

const titles: Readonly<Record<ReachabilityPhase | 'asFound', (service: string, pods: string) => string>> = {
  open: (service) => `${service} answers`,
  window: (service) => `nobody is behind ${service}`,
  newOnly: (service, pods) => `${service} answers, by ${pods} only`,
  any: (service) => `record who answers behind ${service}`,
  asFound: (service) => `see who answers behind ${service}`,
};

const phaseOf = ({ expect }: Input<ReachabilityRaw>, { backends }: PathObservation): ReachabilityPhase => {
  if (expect !== 'asFound') return expect;
  return backends.length > 0 ? 'open' : 'window';
};

const pathOf = ({ service, client, object, port, path, status }: Input<ReachabilityRaw>): WatchedPath => ({
  service,
  client,
  to: object,
  port,
  path,
  status,
});
