import type { RunEvent, RunResult } from '../../src/engine/event.ts';
import type { Plan, PlannedStep } from '../../src/engine/plan.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { Mutation } from '../../src/steps/step-kind.ts';

/** A plan, its events and its result as the engine makes them, for exact comparisons. */

const twin = { kind: 'twin', name: 'examples/llm-serving', server: 'twin' } as const;
export const production = { kind: 'live', name: 'prod', server: 'https://10.0.0.1:6443', user: 'jane' } as const;

const scaleDown: Mutation = {
  target: { resource: resources.deployments, namespace: 'llm-serving', name: 'clef-serve' },
  patch: [
    { op: 'test', path: '/metadata/uid', value: 'u1' },
    { op: 'test', path: '/spec/replicas', value: 1 },
    { op: 'replace', path: '/spec/replicas', value: 0 },
  ],
};

const step = (fields: Pick<PlannedStep, 'id' | 'kind' | 'title' | 'state'> & Partial<PlannedStep>): PlannedStep => ({
  mutations: [],
  changes: [],
  undo: [],
  deadlineMs: 300_000,
  ...fields,
});

const replicas = { object: 'deployment/clef-serve.llm-serving', path: '/spec/replicas', before: 1, after: 0 } as const;

export const planOf = (fields: Partial<Plan> = {}): Plan => ({
  runbook: 'clef',
  summary: 'hand service/clef-serve over',
  hash: 'sha256:0',
  cluster: twin,
  probing: true,
  steps: [
    step({ id: 'preflight', kind: 'preflight', title: 'check the ground', state: 'satisfied' }),
    step({
      id: 'stop',
      kind: 'scale',
      title: 'scale deployment/clef-serve to 0',
      state: 'change',
      mutations: [scaleDown],
      changes: [replicas],
    }),
    step({
      id: 'gone',
      kind: 'waitGone',
      title: 'wait until its pods are gone',
      state: 'check',
      postcondition: 'from.status.replicas == 0',
    }),
    step({ id: 'extra', kind: 'scale', title: 'scale deployment/extra to 1', state: 'skipped', when: 'inputs.extra' }),
  ],
  blockers: [],
  warnings: [],
  nothingToDo: false,
  ...fields,
});

export const blockers = [
  {
    code: 'ScaledByAutoscaler',
    reason: 'HorizontalPodAutoscaler clef scales deployment/clef-serve',
    nextSteps: ['kubectl delete hpa clef -n llm-serving'],
  },
  { code: 'TwoWorkloads', reason: 'app=clef is carried by two workloads', nextSteps: ['give each a label of its own', 'poimen plan clef'] },
] as const;

export const events: readonly RunEvent[] = [
  { type: 'runStarted', at: '2026-11-30T17:00:00.000Z', run: 'clef-a1b2', runbook: 'clef', cluster: twin, simulated: true, probing: true },
  { type: 'stepSkipped', at: '2026-11-30T17:00:00.000Z', step: 'preflight', title: 'check the ground', reason: 'satisfied' },
  { type: 'stepStarted', at: '2026-11-30T17:00:00.000Z', step: 'stop', title: 'scale deployment/clef-serve to 0' },
  { type: 'written', at: '2026-11-30T17:00:00.020Z', step: 'stop', mutation: scaleDown, resourceVersion: '7' },
  { type: 'stepDone', at: '2026-11-30T17:00:00.040Z', step: 'stop', tookMs: 40, evidence: 'wants 0 pods' },
  { type: 'stepStarted', at: '2026-11-30T17:00:00.040Z', step: 'gone', title: 'wait until its pods are gone' },
  { type: 'backends', at: '2026-11-30T17:00:00.050Z', service: 'service/clef-serve.llm-serving', ready: [] },
  { type: 'waiting', at: '2026-11-30T17:00:00.060Z', step: 'gone', missing: 'clef-serve-5c8f: terminating', sinceMs: 0 },
  { type: 'reachability', at: '2026-11-30T17:00:01.000Z', step: 'gone', expected: 'window', met: false, seen: 'HTTP 200', probed: false },
  { type: 'warning', at: '2026-11-30T17:00:02.000Z', message: 'pod/batch-0 is Pending' },
  { type: 'stepDone', at: '2026-11-30T17:00:12.060Z', step: 'gone', tookMs: 12_020, notProbed: true },
  { type: 'stepSkipped', at: '2026-11-30T17:00:12.060Z', step: 'extra', title: 'scale deployment/extra to 1', reason: 'when' },
];

export const resultOf = (fields: Partial<RunResult> = {}): RunResult => ({
  run: 'clef-a1b2',
  runbook: 'clef',
  outcome: 'completed',
  cluster: twin,
  simulated: true,
  probed: true,
  startedAt: '2026-11-30T17:00:00.000Z',
  finishedAt: '2026-11-30T17:00:12.060Z',
  steps: [
    { id: 'preflight', title: 'check the ground', state: 'satisfied' },
    { id: 'stop', title: 'scale deployment/clef-serve to 0', state: 'done', tookMs: 40, evidence: 'wants 0 pods' },
    { id: 'gone', title: 'wait until its pods are gone', state: 'done', tookMs: 12_020, notProbed: true },
  ],
  changes: [
    replicas,
    { object: 'service/clef-serve.llm-serving', path: '/spec/selector', before: { app: 'clef-serve' }, after: { app: 'clef-candle' } },
  ],
  outage: { totalMs: 246_000, windows: [{ from: '2026-11-30T17:00:02.000Z', to: '2026-11-30T17:04:08.000Z' }] },
  warnings: [],
  nextSteps: ['to go back: poimen cutover clef --reverse'],
  ...fields,
});
