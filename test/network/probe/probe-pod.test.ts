import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/kubernetes/node.ts';
import { isPodReady, type Pod } from '../../../src/kubernetes/pod.ts';
import { planProbePod, type PlannedProbePod, type ProbePodRefusal } from '../../../src/network/probe/probe-pod.ts';
import type { ProbePodFacts } from '../../../src/network/probe/probe-pod-facts.ts';
import { probePodStart } from '../../../src/network/probe/probe-pod-start.ts';
import { barePod, deployment, deploymentRef, node, noon, podOf, service, type PodWish } from '../../builders/objects.ts';

const memory = deployment('memory');
const wish = { image: 'tools:1', run: 'run-1', name: 'poimen-probe-abcx', maker: 'somebody', deadlineSeconds: 900 };

const factsOf = (pods: readonly Pod[], more: Partial<ProbePodFacts> = {}): ProbePodFacts => ({
  client: deploymentRef('memory'),
  object: memory,
  pods,
  services: [],
  adopters: [],
  disruptionBudgets: [],
  autoscalers: [],
  policies: [],
  namespaces: [],
  nodes: [node('worker-1', {})],
  ...more,
});

const plan = (pod: PodWish = {}, more: Partial<ProbePodFacts> = {}): PlannedProbePod => {
  const decision = planProbePod(factsOf([podOf(memory, 'a', pod)], more), wish);
  return decision.kind === 'planned' ? decision.planned : expect.fail(decision.refusal.reason);
};

const refusal = (pods: readonly Pod[], more: Partial<ProbePodFacts> = {}): ProbePodRefusal => {
  const decision = planProbePod(factsOf(pods, more), wish);
  return decision.kind === 'refused' ? decision.refusal : expect.fail('it was planned');
};

const withImages = (...names: readonly string[]): Node => ({
  ...node('worker-1', {}),
  status: { ...node('worker-1', {}).status, images: [{ names }] },
});

describe('a probe pod', () => {
  it('is as small as a pod can be, ends by itself, and passes the restricted Pod Security Standard', () => {
    const { pod } = plan();
    expect(pod.metadata).toMatchObject({
      name: 'poimen-probe-abcx',
      namespace: 'llm-serving',
      labels: { app: 'memory', 'poimen.dev/probe': 'run-1' },
    });
    expect(pod.metadata.labels).not.toHaveProperty('pod-template-hash');
    expect(pod.spec).toMatchObject({
      restartPolicy: 'Never',
      activeDeadlineSeconds: 900,
      terminationGracePeriodSeconds: 1,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'probe',
          image: 'tools:1',
          command: ['sleep', '900'],
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '200m', memory: '128Mi' } },
        },
      ],
    });
    expect(pod.spec).not.toHaveProperty('nodeName');
    expect(pod.spec).not.toHaveProperty('priorityClassName');
  });

  it('is on the node of the client’s pod, by affinity, with its tolerations, its name resolution and its account', () => {
    const tolerations = [{ key: 'gpu', operator: 'Exists' as const }];
    const spec = {
      tolerations,
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.0.0.10'] },
      serviceAccountName: 'memory',
      priorityClassName: 'high',
      volumes: [{ name: 'models' }],
    };
    const { pod } = plan({ spec });
    expect(pod.spec).toMatchObject({
      tolerations,
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.0.0.10'] },
      serviceAccountName: 'memory',
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['worker-1'] }] }],
          },
        },
      },
    });
    expect(pod.spec).not.toHaveProperty('volumes');
    expect(pod.spec).not.toHaveProperty('priorityClassName');
  });

  it('is never ready, whatever its container does', () => {
    const { pod } = plan();
    const running: Pod = {
      ...pod,
      status: {
        phase: 'Running',
        conditions: [
          { type: 'ContainersReady', status: 'True' },
          { type: 'Ready', status: 'True' },
        ],
      },
    };
    expect(isPodReady(running)).toBe(false);
  });

  it('takes the client’s user where that one is not root', () => {
    expect(plan({ spec: { securityContext: { runAsUser: 1000 } } }).pod.spec['securityContext']).toMatchObject({ runAsUser: 1000 });
    expect(plan({ spec: { securityContext: { runAsUser: 0 } } }).pod.spec['securityContext']).toMatchObject({ runAsUser: 65_534 });
  });

  it.each([
    ['has the image', [withImages('docker.io/library/tools:1')], 'present', 'Never'],
    ['has another tag', [withImages('docker.io/library/tools:2')], 'notReported', 'IfNotPresent'],
    ['may not be read', undefined, 'unknown', 'IfNotPresent'],
  ])('of a node that %s', (_, nodes, image, imagePullPolicy) => {
    const planned = plan({}, { nodes });
    expect([planned.image, planned.pod.spec.containers[0]?.['imagePullPolicy']]).toEqual([image, imagePullPolicy]);
  });

  it('stands beside a pod on a node that takes pods', () => {
    const pods = [podOf(memory, 'a', { spec: { nodeName: 'cordoned' } }), podOf(memory, 'b', { spec: { nodeName: 'worker-2' } })];
    const decision = planProbePod(
      factsOf(pods, { nodes: [node('cordoned', {}, { spec: { unschedulable: true } }), node('worker-2', {})] }),
      wish,
    );
    expect(decision).toMatchObject({ kind: 'planned', planned: { beside: { metadata: { name: 'memory-b' } } } });
  });
});

describe('a probe pod is refused', () => {
  it.each<[string, readonly Pod[], Partial<ProbePodFacts>, string, string]>([
    ['a client that is not there', [], { object: undefined }, 'ClientNotFound', 'deployment/memory.llm-serving does not exist'],
    ['a client without a running pod', [podOf(memory, 'a', { status: { phase: 'Pending' } })], {}, 'ClientNotRunning', 'no running pod'],
    [
      'a client whose pods are going',
      [podOf(memory, 'a', { metadata: { deletionTimestamp: '2026-11-30T12:00:00Z' } })],
      {},
      'ClientNotRunning',
      'no running pod',
    ],
    ['a client on its node’s network', [podOf(memory, 'a', { spec: { hostNetwork: true } })], {}, 'ClientOnHostNetwork', "node's network"],
    [
      'a node that is cordoned',
      [podOf(memory, 'a')],
      { nodes: [node('worker-1', {}, { spec: { unschedulable: true } })] },
      'ClientNodeUnusable',
      'worker-1 is cordoned',
    ],
    [
      'a node that is not ready',
      [podOf(memory, 'a')],
      { nodes: [node('worker-1', {}, { isReady: false })] },
      'ClientNodeUnusable',
      'worker-1 is not ready',
    ],
    ['a node with Windows', [podOf(memory, 'a', { spec: { os: { name: 'windows' } } })], {}, 'ClientNodeUnusable', 'Windows'],
    [
      'labels that a Service and a policy go by',
      [podOf(memory, 'a')],
      {
        services: [service('memory', { app: 'memory' }, { spec: { publishNotReadyAddresses: true } })],
        policies: [
          {
            kind: 'NetworkPolicy',
            object: {
              apiVersion: 'v1',
              kind: 'NetworkPolicy',
              metadata: { name: 'p', namespace: 'llm-serving' },
              spec: { podSelector: { matchLabels: { app: 'memory' } } },
            },
          },
        ],
      },
      'ProbePodWouldInterfere',
      'service/memory would send it connections',
    ],
  ])('for %s', (_, pods, more, code, reason) => {
    const refused = refusal(pods, more);
    expect(refused.code).toBe(code);
    expect(refused.reason).toContain(reason);
    expect(refused.nextSteps).toHaveLength(1);
  });
});

describe('how far a probe pod has come', () => {
  const probe = (status: Pod['status']) => probePodStart(barePod('poimen-probe-abcx', status === undefined ? {} : { status }), noon);
  const container = (state: NonNullable<Pod['status']>['containerStatuses']) =>
    probe({ phase: 'Pending', podIP: '10.0.0.9', ...(state === undefined ? {} : { containerStatuses: state }) });
  const state = (value: object) => [{ name: 'probe', ready: false, restartCount: 0, state: value }];

  it('running, though not ready', () => {
    expect(container(state({ running: {} }))).toEqual({ kind: 'running' });
  });

  it('an image without sleep is said to be one', () => {
    const message = 'failed to create containerd task: exec: "sleep": executable file not found in $PATH';
    expect(container(state({ terminated: { exitCode: 128, reason: 'StartError', message } }))).toEqual({
      kind: 'failed',
      reason: `its image has no \`sleep\`, which keeps it there: ${message}`,
    });
  });

  it('an image that is gone from the node meanwhile is not pulled', () => {
    expect(
      container(
        state({ waiting: { reason: 'ErrImageNeverPull', message: 'Container image "tools:1" is not present with pull policy of Never' } }),
      ),
    ).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('ErrImageNeverPull'),
    });
  });

  it('a pull that has failed is waited for no longer than until the node backs off', () => {
    const message = 'failed to resolve reference: no such host';
    expect(container(state({ waiting: { reason: 'ErrImagePull', message } })).kind).toBe('starting');
    expect(container(state({ waiting: { reason: 'ImagePullBackOff', message } }))).toEqual({
      kind: 'failed',
      reason: `ImagePullBackOff: container probe: ${message}`,
    });
  });

  it('a deadline that has passed, and a pod that the node turned away', () => {
    expect(
      probe({ phase: 'Failed', reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' }),
    ).toMatchObject({ kind: 'failed' });
    expect(probe({ phase: 'Failed', reason: 'OutOfpods' })).toEqual({ kind: 'failed', reason: 'OutOfpods' });
  });
});
