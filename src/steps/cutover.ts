import { z } from 'zod';
import { parseDuration } from '../kubernetes/duration.ts';
import { answers } from './answers.ts';
import { durationText } from './duration-text.ts';
import type { ExpandOptions, Expansion, ExpandedStep } from './expansion.ts';
import { answerFields } from './good-answer.ts';
import { objectNameOf } from './object-name.ts';
import { preflight } from './preflight/preflight.ts';
import { reachability } from './reachability.ts';
import { scale } from './scale.ts';
import type { Input } from './step-kind.ts';
import { switchSelector } from './switch-selector.ts';
import { waitEndpoints } from './wait-endpoints.ts';
import { waitGone } from './wait-gone.ts';
import { waitReady } from './wait-ready.ts';
import { workloadKinds } from './workload.ts';

const deadlines = z.strictObject({
  before: durationText('For the Service to answer before anything is changed. Default: 1m.').optional(),
  stop: durationText('For the controller to see that the old side is scaled to 0. Default: 1m.').optional(),
  gone: durationText('For the old pods to be gone. Default: 5m.').optional(),
  start: durationText('For the controller to see that the new side is scaled up. Default: 1m.').optional(),
  ready: durationText('For the new pods to be ready: pulling, loading, warming up. Default: 30m.').optional(),
  answers: durationText('For each new pod to answer on its own address. Default: 5m.').optional(),
  switch: durationText('For the selector to be replaced. Default: 1m.').optional(),
  endpoints: durationText('For the endpoints to be exactly the new pods. Default: 2m.').optional(),
  after: durationText('For the Service to answer often enough in a row. Default: 5m.').optional(),
});

const input = z.strictObject({
  service: objectNameOf(['Service'], 'The Service that is handed over. It keeps its name, UID and address.'),
  from: objectNameOf(workloadKinds, 'The workload behind it now; it is scaled to 0.'),
  to: objectNameOf(workloadKinds, 'The workload that takes over; it is scaled up once the old pods are gone.'),
  client: objectNameOf([...workloadKinds, 'Pod'], 'Who uses the Service: reachability is judged from its side.').optional(),
  port: z.int().min(1).max(65_535).optional().meta({ description: "The Service's port that the client dials. Default: its first." }),
  ...answerFields,
  replicas: z.int().positive().default(1).meta({ description: 'How many pods `to` is to have.' }),
  answers: z.int().positive().default(3).meta({ description: 'How many good answers in a row are asked for.' }),
  window: durationText('How long the good answers in a row have to go on, from the first to the last. Default: 1s.').optional(),
  selector: z
    .record(z.string().min(1), z.string())
    .refine((labels) => Object.keys(labels).length > 0, 'an empty selector selects nothing')
    .optional()
    .meta({ description: 'The whole selector for `to`. Default: its matchLabels.' }),
  reverseSelector: z
    .record(z.string().min(1), z.string())
    .refine((labels) => Object.keys(labels).length > 0, 'an empty selector selects nothing')
    .optional()
    .meta({ description: 'The whole selector for `from`, on the way back. Default: its matchLabels.' }),
  deadlines: deadlines.optional().meta({ description: 'How long each part may take.' }),
});

type CutoverRaw = z.infer<typeof input>;

/**
 * The canonical hand-over of a Service between two workloads that cannot run side by side, because both want the same devices.
 *
 * No step depends on how the run began: each finds its effect there already or does its own share, so a hand-over that was left
 * half-way is picked up by running it again.
 */
export const cutover: Expansion<CutoverRaw> = {
  name: 'cutover',
  summary: 'Hands a Service over from one workload to another: the old one goes, the new one starts, answers, and only then is selected.',
  input,

  expand(id, raw, options) {
    const {
      service,
      from,
      to,
      client,
      port,
      path,
      status,
      replicas,
      answers: consecutive,
      window = '1s',
      selector,
    } = directed(raw, options);
    const step = (name: string, rest: Omit<ExpandedStep, 'id'>): ExpandedStep => ({ id: `${id}/${name}`, ...rest });
    const deadline = (name: keyof z.infer<typeof deadlines>, defaultMs: number): number =>
      parseDuration(raw.deadlines?.[name] ?? '') ?? defaultMs;
    const asked = { client, port, path, status };
    return [
      step('preflight', {
        kind: preflight,
        input: { service, from, to, client, port, replicas, selector },
      }),
      step('before', {
        kind: reachability,
        input: { service, ...asked, object: to, expect: 'asFound', consecutive: 1 },
        deadlineMs: deadline('before', minuteMs),
      }),
      step('stop-old', { kind: scale, input: { object: from, replicas: 0 }, deadlineMs: deadline('stop', minuteMs), reachability: 'any' }),
      step('old-gone', { kind: waitGone, input: { object: from }, deadlineMs: deadline('gone', 5 * minuteMs), reachability: 'window' }),
      step('start-new', { kind: scale, input: { object: to, replicas }, deadlineMs: deadline('start', minuteMs), reachability: 'window' }),
      step('new-ready', {
        kind: waitReady,
        input: { object: to, replicas },
        deadlineMs: deadline('ready', 30 * minuteMs),
        reachability: 'window',
      }),
      step('new-answers', {
        kind: answers,
        input: { object: to, service, ...asked, consecutive: 1 },
        deadlineMs: deadline('answers', 5 * minuteMs),
        reachability: 'window',
      }),
      step('switch', {
        kind: switchSelector,
        input: { service, to, selector },
        deadlineMs: deadline('switch', minuteMs),
        reachability: 'any',
      }),
      step('endpoints', {
        kind: waitEndpoints,
        input: { service, object: to },
        deadlineMs: deadline('endpoints', 2 * minuteMs),
        reachability: 'any',
      }),
      step('after', {
        kind: reachability,
        input: { service, ...asked, object: to, expect: 'newOnly', consecutive, window },
        deadlineMs: deadline('after', 5 * minuteMs),
        reachability: 'newOnly',
      }),
    ];
  },

  watched(raw, options) {
    const { service, to, client, port, path, status } = directed(raw, options);
    return { service, client, to, port, path, status };
  },
};

const minuteMs = 60_000;

/** The way back is the same sequence with the sides changed. */
const directed = (raw: Input<CutoverRaw>, { reverse }: ExpandOptions): Input<CutoverRaw> =>
  reverse ? { ...raw, from: raw.to, to: raw.from, selector: raw.reverseSelector, reverseSelector: raw.selector } : raw;
