import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import type { JsonObject as Fields } from '../../../src/kubernetes/json.ts';

/** Pods in every state that a kubelet reports, as their specs and the statuses that it would write. */
export interface PodState {
  readonly name: string;
  /** What kubectl shows under STATUS. */
  readonly shown: string;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly deleted?: boolean;
}

const started = '2026-01-01T00:00:00Z';
const minutesAgo = (minutes: number): string => `${new Date(Date.now() - minutes * 60_000).toISOString().slice(0, 19)}Z`;

const container = (name: string, state: Fields, more: Fields = {}): Fields => ({
  name,
  image: `registry.example/${name}:1`,
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const running = { running: { startedAt: started } };
const waiting = (reason: string): Fields => ({ waiting: { reason } });
const ended = (exitCode: number, reason?: string, more: Fields = {}): Fields => ({
  terminated: { exitCode, startedAt: started, finishedAt: started, ...(reason === undefined ? {} : { reason }), ...more },
});
const condition = (type: string, status: string, reason?: string): Fields => ({
  type,
  status,
  ...(reason === undefined ? {} : { reason }),
});
const two = {
  containers: [
    { name: 'main', image: 'registry.example/main:1' },
    { name: 'side', image: 'registry.example/side:1' },
  ],
};
const withInit = (...names: readonly string[]): Fields => ({
  initContainers: names.map((name) => ({ name, image: `registry.example/${name}:1` })),
});
const withSidecar = {
  initContainers: [
    { name: 'proxy', image: 'registry.example/proxy:1', restartPolicy: 'Always' },
    { name: 'setup', image: 'registry.example/setup:1' },
  ],
};
const isRunning = { phase: 'Running', conditions: [condition('Initialized', 'True'), condition('Ready', 'True')] };

export const podStates: readonly PodState[] = [
  { name: 'pending', shown: 'Pending' },
  { name: 'gated', shown: 'SchedulingGated', spec: { schedulingGates: [{ name: 'example.com/quota' }] } },
  {
    name: 'creating',
    shown: 'ContainerCreating',
    status: { phase: 'Pending', containerStatuses: [container('main', waiting('ContainerCreating'))] },
  },
  {
    name: 'pulling-fails',
    shown: 'ErrImagePull',
    status: { phase: 'Pending', containerStatuses: [container('main', waiting('ErrImagePull'))] },
  },
  {
    name: 'backs-off',
    shown: 'ImagePullBackOff',
    status: { phase: 'Pending', containerStatuses: [container('main', waiting('ImagePullBackOff'))] },
  },
  { name: 'not-ready', shown: 'Running', status: { phase: 'Running', containerStatuses: [container('main', running)] } },
  {
    name: 'ready',
    shown: 'Running',
    spec: { readinessGates: [{ conditionType: 'example.com/open' }, { conditionType: 'example.com/shut' }] },
    status: {
      ...isRunning,
      podIP: '10.244.1.7',
      podIPs: [{ ip: '10.244.1.7' }],
      nominatedNodeName: 'worker-9',
      conditions: [condition('Ready', 'True'), condition('example.com/open', 'True'), condition('example.com/shut', 'False')],
      containerStatuses: [container('main', running, { ready: true })],
    },
  },
  {
    name: 'crashing',
    shown: 'CrashLoopBackOff',
    status: {
      phase: 'Running',
      containerStatuses: [
        container('main', waiting('CrashLoopBackOff'), {
          restartCount: 7,
          lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: minutesAgo(5) } },
        }),
      ],
    },
  },
  {
    name: 'restarted-long-ago',
    shown: 'Running',
    spec: two,
    status: {
      ...isRunning,
      containerStatuses: [
        container('main', running, {
          ready: true,
          restartCount: 1,
          lastState: { terminated: { exitCode: 1, finishedAt: minutesAgo(3000) } },
        }),
        container('side', running, {
          ready: true,
          restartCount: 2,
          lastState: { terminated: { exitCode: 1, finishedAt: minutesAgo(400) } },
        }),
      ],
    },
  },
  {
    name: 'restarts-unknown-when',
    shown: 'Running',
    status: { ...isRunning, containerStatuses: [container('main', running, { restartCount: 3 })] },
  },
  {
    name: 'completed',
    shown: 'Completed',
    spec: { restartPolicy: 'Never' },
    status: { phase: 'Succeeded', containerStatuses: [container('main', ended(0, 'Completed'))] },
  },
  {
    name: 'failed',
    shown: 'Error',
    spec: { restartPolicy: 'Never' },
    status: { phase: 'Failed', containerStatuses: [container('main', ended(1, 'Error'))] },
  },
  {
    name: 'out-of-memory',
    shown: 'OOMKilled',
    status: { phase: 'Running', containerStatuses: [container('main', ended(137, 'OOMKilled'))] },
  },
  { name: 'exit-code', shown: 'ExitCode:3', status: { phase: 'Running', containerStatuses: [container('main', ended(3))] } },
  {
    name: 'signal',
    shown: 'Signal:9',
    status: { phase: 'Running', containerStatuses: [container('main', ended(137, undefined, { signal: 9 }))] },
  },
  { name: 'evicted', shown: 'Evicted', status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' } },
  { name: 'unknown', shown: 'Unknown', status: { phase: 'Unknown' } },
  {
    name: 'half-completed',
    shown: 'Running',
    spec: two,
    status: { ...isRunning, containerStatuses: [container('main', ended(0, 'Completed')), container('side', running, { ready: true })] },
  },
  {
    name: 'half-completed-not-ready',
    shown: 'NotReady',
    spec: two,
    status: {
      phase: 'Running',
      conditions: [condition('Ready', 'False')],
      containerStatuses: [container('main', ended(0, 'Completed')), container('side', running, { ready: true })],
    },
  },
  {
    name: 'initializing',
    shown: 'Init:1/2',
    spec: withInit('one', 'two'),
    status: {
      phase: 'Pending',
      initContainerStatuses: [
        container('one', ended(0, 'Completed'), { restartCount: 1, lastState: ended(1, 'Error') }),
        container('two', running),
      ],
      containerStatuses: [container('main', waiting('PodInitializing'))],
    },
  },
  {
    name: 'initialized',
    shown: 'PodInitializing',
    spec: withInit('one'),
    status: {
      phase: 'Pending',
      initContainerStatuses: [container('one', ended(0, 'Completed'), { restartCount: 2 })],
      containerStatuses: [container('main', waiting('PodInitializing'))],
    },
  },
  {
    name: 'init-waits',
    shown: 'Init:0/1',
    spec: withInit('one'),
    status: { phase: 'Pending', initContainerStatuses: [container('one', waiting('PodInitializing'))] },
  },
  {
    name: 'init-crashes',
    shown: 'Init:CrashLoopBackOff',
    spec: withInit('one'),
    status: {
      phase: 'Pending',
      initContainerStatuses: [container('one', waiting('CrashLoopBackOff'), { restartCount: 4, lastState: ended(1, 'Error') })],
    },
  },
  {
    name: 'init-failed',
    shown: 'Init:Error',
    spec: withInit('one'),
    status: { phase: 'Pending', initContainerStatuses: [container('one', ended(1, 'Error'))] },
  },
  {
    name: 'init-exit-code',
    shown: 'Init:ExitCode:2',
    spec: withInit('one'),
    status: { phase: 'Pending', initContainerStatuses: [container('one', ended(2))] },
  },
  {
    name: 'init-signal',
    shown: 'Init:Signal:15',
    spec: withInit('one'),
    status: { phase: 'Pending', initContainerStatuses: [container('one', ended(143, undefined, { signal: 15 }))] },
  },
  {
    name: 'sidecar',
    shown: 'Running',
    spec: withSidecar,
    status: {
      ...isRunning,
      initContainerStatuses: [
        container('proxy', running, { ready: true, started: true, restartCount: 2, lastState: ended(1, 'Error') }),
        container('setup', ended(0, 'Completed'), { restartCount: 5 }),
      ],
      containerStatuses: [container('main', running, { ready: true, restartCount: 1 })],
    },
  },
  {
    name: 'sidecar-starts',
    shown: 'Init:0/2',
    spec: withSidecar,
    status: { phase: 'Pending', initContainerStatuses: [container('proxy', running, { started: false })] },
  },
  {
    name: 'sidecar-down-after-init',
    shown: 'Init:CrashLoopBackOff',
    spec: withSidecar,
    status: {
      phase: 'Running',
      conditions: [condition('Initialized', 'True')],
      initContainerStatuses: [container('proxy', waiting('CrashLoopBackOff'), { restartCount: 2 })],
      containerStatuses: [container('main', running, { ready: true })],
    },
  },
  {
    name: 'terminating',
    shown: 'Terminating',
    status: { ...isRunning, containerStatuses: [container('main', running, { ready: true })] },
    deleted: true,
  },
  { name: 'lost', shown: 'Unknown', status: { ...isRunning, reason: 'NodeLost' }, deleted: true },
  {
    name: 'completed-and-deleted',
    shown: 'Completed',
    spec: { restartPolicy: 'Never' },
    status: { phase: 'Succeeded', containerStatuses: [container('main', ended(0, 'Completed'))] },
    deleted: true,
  },
];

/**
 * Left alone by scheduler and kubelets. A deleted one stays because of its finalizer, on a node that nobody plays: without a node the
 * controller manager would end it.
 */
export const podOf = (namespace: string, { name, spec = {}, deleted = false }: PodState): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, ...(deleted ? { finalizers: ['example.com/kept'] } : {}) },
  spec: {
    schedulerName: 'nobody',
    ...(deleted ? { nodeName: `${namespace}-silent` } : {}),
    containers: [{ name: 'main', image: 'registry.example/main:1' }],
    ...spec,
  },
});
