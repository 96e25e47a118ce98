import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { preflight } from '../../../src/steps/preflight/preflight.ts';
import { observe } from '../../builders/cluster-state.ts';
import { client, handOver, newSide, oldSide, oneCard, withObjects, without } from '../../builders/hand-over.ts';
import {
  asking,
  barePod,
  deployment,
  deploymentRef,
  node,
  object,
  ownedBy,
  podOf,
  service,
  serviceRef,
  terminating,
} from '../../builders/objects.ts';

type Input = Parameters<typeof preflight.plan>[0];
type Wish = Parameters<typeof observe>[3];

const input: Input = {
  service: serviceRef('clef-serve'),
  from: deploymentRef('clef-serve'),
  to: deploymentRef('clef-candle'),
  client: deploymentRef('poimen-memory', 'poimen'),
  replicas: 1,
};

const decide = (objects: readonly KubernetesObject[], more: Partial<Input> = {}, wish: Wish = {}) => {
  const step = { ...input, ...more };
  return preflight.plan(step, observe(preflight, step, objects, wish));
};
const blockersOf = (...args: Parameters<typeof decide>) => {
  const decision = decide(...args);
  return decision.kind === 'blocked' ? decision.blockers : [];
};
const codes = (...args: Parameters<typeof decide>) => blockersOf(...args).map(({ code }) => code);
const reasons = (...args: Parameters<typeof decide>) => blockersOf(...args).map(({ reason }) => reason);
const warnings = (...args: Parameters<typeof decide>) => decide(...args).warnings ?? [];

const world = handOver();
const changed = (...objects: readonly KubernetesObject[]) => withObjects(world, ...objects);
const gpuNode = { cpu: 32, memory: '63495Mi', 'nvidia.com/gpu': 1, pods: 110 };

describe('preflight', () => {
  it('lets a hand-over begin that nothing stands in the way of', () => {
    expect(decide(world)).toEqual({ kind: 'satisfied', warnings: [] });
  });

  it('writes nothing', () => {
    expect(preflight.access(input).writes).toEqual([]);
  });

  it('reports everything at once, with something to do about each', () => {
    const everything = withObjects(
      without(world, 'Pod', 'poimen-memory-c1'),
      service('clef-serve', undefined, { ports: [{ port: 80, targetPort: 'grpc' }] }),
      deployment('clef-serve', { spec: { paused: true } }),
      node('worker-1', gpuNode, { spec: { unschedulable: true } }),
    );
    const found = blockersOf(everything);
    expect(found.map(({ code }) => code).toSorted()).toEqual([
      'ClientNotRunning',
      'NoNodeFits',
      'ServiceWithoutSelector',
      'TargetPortMissing',
      'WorkloadPaused',
    ]);
    expect(found.every(({ nextSteps }) => nextSteps.length > 0)).toBe(true);
  });
});

describe('preflight: objects', () => {
  const deleting = { deletionTimestamp: '2026-11-30T12:00:00Z' };

  it.each<[string, readonly KubernetesObject[], Partial<Input>, string]>([
    ['the Service is missing', without(world, 'Service', 'clef-serve'), {}, 'ObjectMissing'],
    ['from is missing', without(world, 'Deployment', 'clef-serve'), {}, 'ObjectMissing'],
    ['to is missing', without(world, 'Deployment', 'clef-candle'), {}, 'ObjectMissing'],
    [
      'the Service is being deleted',
      changed(service('clef-serve', { app: 'clef-serve' }, { metadata: deleting })),
      {},
      'ObjectBeingDeleted',
    ],
    ['to is being deleted', changed(deployment('clef-candle', { replicas: 0, metadata: deleting })), {}, 'ObjectBeingDeleted'],
    ['to is paused', changed(deployment('clef-candle', { replicas: 0, spec: { paused: true } })), {}, 'WorkloadPaused'],
    ['from and to are the same', world, { to: input.from }, 'SameWorkload'],
    [
      'to is in another namespace, where the Service cannot select it',
      changed(deployment('clef-candle', { metadata: { namespace: 'other' } })),
      { to: deploymentRef('clef-candle', 'other') },
      'OtherNamespace',
    ],
  ])('refuses when %s', (_, objects, more, code) => {
    expect(codes(objects, more)).toContain(code);
  });

  it('gives the command that helps, with the namespace', () => {
    const paused = deployment('clef-candle', { replicas: 0, spec: { paused: true } });
    expect(blockersOf(changed(paused))[0]?.nextSteps).toEqual(['kubectl rollout resume -n llm-serving deployment/clef-candle']);
  });

  it('does not go on about room when a side is missing', () => {
    expect(codes(without(changed(node('worker-1', {})), 'Deployment', 'clef-serve'))).toEqual(['ObjectMissing']);
  });

  it('says where an object is that is looked for in the wrong namespace', () => {
    const elsewhere = withObjects(
      without(world, 'Deployment', 'clef-candle'),
      deployment('clef-candle', { metadata: { namespace: 'staging' } }),
    );
    expect(blockersOf(elsewhere)[0]).toMatchObject({ code: 'ObjectMissing', nextSteps: ['did you mean deployment/clef-candle.staging?'] });
  });

  it('names what is easily mistyped as the given name', () => {
    const reference = deploymentRef('clef-cnadle');
    expect(blockersOf(world, { to: reference })[0]).toMatchObject({
      reason: 'deployment/clef-cnadle.llm-serving does not exist',
      nextSteps: ['did you mean deployment/clef-candle.llm-serving?'],
    });
  });

  it('warns when several old pods go for one new', () => {
    expect(warnings(changed(oldSide(2)))).toEqual([
      'deployment/clef-serve.llm-serving has 2 pods, all of which go before 1 of deployment/clef-candle.llm-serving starts',
    ]);
  });
});

describe('preflight: the Service', () => {
  const labelled = { app: 'clef-serve' };

  it.each<[string, KubernetesObject, Partial<Input>, string]>([
    ['has no selector', service('clef-serve', undefined), {}, 'ServiceWithoutSelector'],
    ['has an empty selector (argo-rollouts#4750)', service('clef-serve', {}), {}, 'ServiceWithoutSelector'],
    [
      'is an ExternalName',
      service('clef-serve', undefined, { spec: { type: 'ExternalName', externalName: 'example.com' } }),
      {},
      'ServiceIsExternalName',
    ],
    ['selects neither side', service('clef-serve', { app: 'third' }), {}, 'SelectorIsNeitherSide'],
    ['has not the port that the client dials', service('clef-serve', labelled), { port: 8080 }, 'PortMissing'],
    [
      'leads to a named port that the new pods lack',
      service('clef-serve', labelled, { ports: [{ port: 80, targetPort: 'grpc' }] }),
      {},
      'TargetPortMissing',
    ],
  ])('refuses one that %s', (_, front, more, code) => {
    expect(codes(changed(front), more)).toEqual([code]);
  });

  it('lists the ports that there are', () => {
    expect(reasons(world, { port: 8080 })).toEqual(['service/clef-serve.llm-serving has no port 8080; it has 80']);
    const grpc = service('clef-serve', labelled, { ports: [{ port: 80, targetPort: 'grpc' }] });
    expect(reasons(changed(grpc))).toEqual([
      'port 80 of service/clef-serve.llm-serving leads to the port named grpc, which the pods of deployment/clef-candle.llm-serving do not have; they have http',
    ]);
  });

  it('takes a named port that the new pods have', () => {
    expect(codes(changed(service('clef-serve', labelled, { ports: [{ port: 80, targetPort: 'http' }] })))).toEqual([]);
  });

  it('warns of a headless one, and of a number that the new pods do not declare', () => {
    expect(warnings(changed(service('clef-serve', labelled, { spec: { clusterIP: 'None' } })))[0]).toContain('is headless');
    expect(warnings(changed(service('clef-serve', labelled, { ports: [{ port: 80, targetPort: 9000 }] })))[0]).toContain(
      'leads to 9000, which the pods of deployment/clef-candle.llm-serving do not declare',
    );
  });

  it('does not warn of a port that one of several containers declares', () => {
    const [server] = asking(oneCard).containers ?? [];
    const sidecar = deployment('clef-candle', {
      replicas: 0,
      podSpec: { containers: [{ name: 'metrics', ports: [{ containerPort: 9090 }] }, ...(server ? [server] : [])] },
    });
    expect(warnings(changed(sidecar))).toEqual([]);
  });

  it('says nothing of the ports of an ExternalName, which leads nowhere in the cluster', () => {
    const external = service('clef-serve', undefined, {
      ports: [{ port: 80, targetPort: 'grpc' }],
      spec: { type: 'ExternalName', externalName: 'example.com' },
    });
    expect(codes(changed(external))).toEqual(['ServiceIsExternalName']);
  });

  it('refuses a new side whose selector a Service cannot have, or whose labels the given one does not match', () => {
    const expressions = deployment('clef-candle', {
      replicas: 0,
      spec: { selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } },
    });
    expect(codes(changed(expressions))).toEqual(['SelectorNotExpressible']);
    expect(codes(world, { selector: { app: 'typo' } })).toEqual(['SelectorMatchesNothing']);
  });
});

describe('preflight: one label, one workload', () => {
  const template = (labels: Readonly<Record<string, string>>) => ({ metadata: { labels }, spec: { containers: [] } });
  const oldLabel = { app: 'clef-serve' };
  const newLabel = { app: 'clef-candle' };
  const job = (status: object) => object(resources.jobs, 'bench', { spec: { template: template(oldLabel) }, status });

  it.each<[string, KubernetesObject, string]>([
    ['a Deployment', deployment('canary', { labels: newLabel }), 'deployment/canary'],
    ['a Deployment that is at 0 now', deployment('canary', { labels: newLabel, replicas: 0 }), 'deployment/canary'],
    ['a StatefulSet', object(resources.statefulSets, 'db', { spec: { template: template(oldLabel) } }), 'statefulset/db'],
    ['a DaemonSet', object(resources.daemonSets, 'agent', { spec: { template: template(oldLabel) } }), 'daemonset/agent'],
    ['a ReplicaSet of nobody', object(resources.replicaSets, 'bare', { spec: { template: template(newLabel) } }), 'replicaset/bare'],
    [
      'a ReplicationController',
      object(resources.replicationControllers, 'ancient', { spec: { template: template(oldLabel) } }),
      'replicationcontroller/ancient',
    ],
    ['a Job that runs', job({}), 'job/bench'],
    ['a pod of nobody', barePod('debug', { metadata: { labels: newLabel } }), 'pod/debug'],
    [
      'a pod of a controller that poimen does not know',
      barePod('shard-0', { metadata: { labels: oldLabel, ...ownedBy(object(resources.inferenceServices, 'x')) } }),
      'pod/shard-0 of inferenceservice/x',
    ],
  ])('refuses when %s carries a label of the Service', (_, other, name) => {
    expect(blockersOf(changed(other))).toMatchObject([
      { code: 'SelectorMatchesTwoWorkloads', reason: expect.stringContaining(`also selects the pods of ${name}:`) },
    ]);
  });

  it.each<[string, KubernetesObject]>([
    ['a Job that is complete', job({ conditions: [{ type: 'Complete', status: 'True' }] })],
    ['a finished pod', barePod('debug', { metadata: { labels: newLabel }, status: { phase: 'Failed' } })],
    ['a workload of another namespace', deployment('canary', { labels: newLabel, metadata: { namespace: 'staging' } })],
    ['a workload with another label', deployment('other')],
  ])('does not mind %s', (_, other) => {
    expect(codes(changed(other))).toEqual([]);
  });

  it('refuses two sides that one selector selects: they would answer side by side', () => {
    const shared = deployment('clef-candle', { replicas: 0, labels: { app: 'clef-serve', side: 'new' } });
    expect(codes(changed(shared))).toEqual(['LabelOnBothSides']);
    expect(
      codes(changed(deployment('clef-serve', { labels: { app: 'clef-serve', side: 'old' } }), shared), { selector: { app: 'clef-serve' } }),
    ).toEqual(['LabelOnBothSides']);
  });
});

describe('preflight: who else owns the objects', () => {
  const hpa = object(resources.horizontalPodAutoscalers, 'candle', {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'clef-candle' }, maxReplicas: 2 },
  });

  it.each<[string, KubernetesObject, string]>([
    ['an autoscaler scales the new side, parked at 0', hpa, 'ScaledByAutoscaler'],
    [
      'KEDA scales the old side',
      object(resources.scaledObjects, 'serve', { spec: { scaleTargetRef: { name: 'clef-serve' } } }),
      'ScaledByKeda',
    ],
    ['KServe generates the name of the Service', object(resources.inferenceServices, 'clef-serve'), 'OwnedByKserve'],
    [
      'Flux applies the Service',
      service('clef-serve', { app: 'clef-serve' }, { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'models' } } }),
      'AppliedByFlux',
    ],
    [
      'Argo CD syncs the new side',
      deployment('clef-candle', { replicas: 0, metadata: { labels: { 'argocd.argoproj.io/instance': 'models' } } }),
      'SyncedByArgoCd',
    ],
  ])('refuses when %s', (_, other, code) => {
    expect(codes(changed(other))).toEqual([code]);
  });

  it('warns of a Helm release', () => {
    const released = deployment('clef-candle', { replicas: 0, metadata: { labels: { 'app.kubernetes.io/managed-by': 'Helm' } } });
    expect(warnings(changed(released))[0]).toContain('belongs to Helm release');
  });

  it('takes an API that the cluster does not have for nobody, and one that may not be read for a blocker that names the rule', () => {
    expect(codes(world, {}, { unavailable: { ScaledObject: 'notServed', InferenceService: 'notServed' } })).toEqual([]);
    expect(blockersOf(world, {}, { unavailable: { HorizontalPodAutoscaler: 'forbidden' } })).toMatchObject([
      {
        code: 'ForbiddenToLook',
        reason: 'nobody knows whether an autoscaler scales the workloads: horizontalpodautoscalers is forbidden',
        nextSteps: ['a Role or ClusterRole that allows: list horizontalpodautoscalers.autoscaling in all namespaces'],
      },
    ]);
  });

  it('does not take the silence of an API that the cluster has for nobody', () => {
    expect(blockersOf(world, {}, { unavailable: { ScaledObject: 'unanswered' } })).toEqual([
      {
        code: 'CouldNotBeAsked',
        reason: 'nobody knows whether KEDA scales the workloads: scaledobjects.keda.sh could not be asked: scaledobjects is unanswered',
        nextSteps: ['see why: kubectl get apiservice v1alpha1.keda.sh; kubectl get scaledobjects.keda.sh --all-namespaces'],
      },
    ]);
  });

  it('needs the Services of other namespaces for a hint only: who may not list them is not held up', () => {
    expect(codes(world, {}, { unavailable: { Service: 'forbidden' } })).toEqual([]);
  });

  it.each(
    ['Node', 'PersistentVolumeClaim', 'RuntimeClass', 'Namespace', 'NetworkPolicy'].flatMap((kind) => [
      [kind, 'forbidden', 'ForbiddenToLook'] as const,
      [kind, 'unanswered', 'CouldNotBeAsked'] as const,
    ]),
  )('says that %s is %s, and draws no conclusion from its absence', (kind, reason, code) => {
    const needy = deployment('clef-candle', {
      replicas: 0,
      podSpec: {
        ...asking(oneCard),
        runtimeClassName: 'nvidia',
        volumes: [{ name: 'm', persistentVolumeClaim: { claimName: 'llm-models' } }],
      },
    });
    const provided = [
      object(resources.runtimeClasses, 'nvidia'),
      object(resources.persistentVolumeClaims, 'llm-models', { status: { phase: 'Bound' } }),
    ];
    expect([...new Set(codes(changed(needy, ...provided), {}, { unavailable: { [kind]: reason } }))]).toEqual([code]);
  });
});

describe('preflight: the new pods would find a node once the old ones are gone', () => {
  const big = (requests: typeof oneCard) => deployment('clef-candle', { replicas: 0, podSpec: asking(requests) });

  it("counts the old side's card as free, and nobody else's", () => {
    const coder = barePod('coder', { spec: asking(oneCard) });
    expect(codes(withObjects(handOver({ devices: 2 }), coder))).toEqual([]);
    expect(reasons(changed(coder))).toEqual([
      'a pod of deployment/clef-candle.llm-serving would find no node even when deployment/clef-serve.llm-serving is gone: worker-1: nvidia.com/gpu: 1 wanted, 0 of 1 free (held: llm-serving/coder 1)',
    ]);
  });

  it('counts a Terminating pod of another workload: it holds its card until it is gone', () => {
    expect(reasons(changed(barePod('coder', { metadata: terminating(30), spec: asking(oneCard) })))[0]).toContain(
      'llm-serving/coder 1 (terminating)',
    );
  });

  it('does not count finished pods (kubernetes#129259)', () => {
    expect(codes(changed(barePod('done', { spec: asking(oneCard), status: { phase: 'Succeeded' } })))).toEqual([]);
  });

  it('counts host memory, which pods without a card book, too', () => {
    const others = barePod('reasoning', { spec: asking({ memory: '45Gi' }) });
    expect(reasons(changed(others))[0]).toContain('memory: 24576Mi wanted, 17415Mi of 63495Mi free (held: llm-serving/reasoning 46080Mi)');
  });

  it('counts what init containers ask for', () => {
    const init = deployment('clef-candle', {
      replicas: 0,
      podSpec: { ...asking(oneCard), initContainers: [{ name: 'load', resources: { requests: { memory: '70Gi' } } }] },
    });
    expect(codes(changed(init))).toEqual(['NoNodeFits']);
  });

  it('wants room for all replicas', () => {
    expect(codes(world, { replicas: 2 })).toEqual(['NoNodeFits']);
    expect(codes(handOver({ devices: 2 }), { replicas: 2 })).toEqual([]);
  });

  it('asks for no room for pods that have a node already', () => {
    expect(codes(handOver({ newReplicas: 1, oldReplicas: 0 }))).toEqual([]);
  });

  it.each<[string, KubernetesObject, string]>([
    [
      'cordoned',
      node('worker-1', gpuNode, {
        spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
      }),
      'worker-1: it is cordoned',
    ],
    ['not Ready', node('worker-1', gpuNode, { isReady: false }), 'worker-1: it is not Ready'],
    [
      'tainted',
      node('worker-1', gpuNode, { spec: { taints: [{ key: 'maintenance', value: 'soon', effect: 'NoSchedule' }] } }),
      'taint maintenance=soon:NoSchedule is not tolerated',
    ],
    ['without the devices', node('worker-1', { cpu: 32, memory: '63495Mi' }), 'nvidia.com/gpu: 1 wanted, 0 of 0 free'],
    [
      'left with an unhealthy card',
      node('worker-1', { ...gpuNode, 'nvidia.com/gpu': 0 }, { capacity: gpuNode }),
      'node worker-1 offers 0 of 1 nvidia.com/gpu: the others are unhealthy',
    ],
  ])('refuses a node that is %s', (_, worker, reason) => {
    expect(blockersOf(changed(worker))).toMatchObject([{ code: 'NoNodeFits', reason: expect.stringContaining(reason) }]);
  });

  it('refuses a node that the nodeSelector leaves out', () => {
    expect(
      reasons(changed(deployment('clef-candle', { replicas: 0, podSpec: { ...asking(oneCard), nodeSelector: { gpu: 'v100' } } })))[0],
    ).toContain('nodeSelector');
  });

  it('names the unhealthy card of a node that has none of its cards left to say so', () => {
    const { 'nvidia.com/gpu': _, ...cardless } = gpuNode;
    expect(reasons(changed(node('worker-1', cardless, { capacity: gpuNode })))[0]).toContain('offers 0 of 1 nvidia.com/gpu');
  });

  it('warns of an unhealthy card where the pods fit nevertheless', () => {
    const sick = node('worker-1', gpuNode, { capacity: { ...gpuNode, 'nvidia.com/gpu': 4 } });
    expect(decide(changed(sick))).toMatchObject({
      kind: 'satisfied',
      warnings: ['node worker-1 offers 1 of 4 nvidia.com/gpu: the others are unhealthy'],
    });
  });

  it('takes the node that fits among several that do not', () => {
    expect(codes(changed(node('worker-1', { cpu: 1 }), node('worker-2', gpuNode)))).toEqual([]);
  });

  it('refuses a request that no node could ever meet', () => {
    expect(codes(changed(big({ ...oneCard, memory: '64Gi' })))).toEqual(['NoNodeFits']);
  });
});

describe('preflight: nobody else takes the card in between', () => {
  const pending = (
    name: string,
    requests: Parameters<typeof asking>[0],
    more: { gated?: boolean; nodeSelector?: Record<string, string> } = {},
  ) =>
    barePod(name, {
      metadata: { namespace: 'batch' },
      spec: {
        ...asking(requests),
        nodeName: '',
        ...(more.gated ? { schedulingGates: [{ name: 'quota' }] } : {}),
        ...(more.nodeSelector ? { nodeSelector: more.nodeSelector } : {}),
      },
      status: { phase: 'Pending' },
    });
  const parked = (replicas = 0) => deployment('vision', { replicas, metadata: { namespace: 'batch' }, podSpec: asking(oneCard) });
  const scaledObject = (metadata = {}) =>
    object(resources.scaledObjects, 'vision', {
      metadata: { namespace: 'batch', ...metadata },
      spec: { scaleTargetRef: { name: 'vision' } },
    });
  const hpa = object(resources.horizontalPodAutoscalers, 'vision', {
    metadata: { namespace: 'batch' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'vision' }, maxReplicas: 2 },
  });

  it.each<[string, readonly KubernetesObject[], string]>([
    ['a Pending pod of another namespace that wants the card', [pending('trainer', oneCard)], 'PendingPodCouldTakeDevice'],
    ['a gated pod: its gate may open at any moment', [pending('trainer', oneCard, { gated: true })], 'GatedPodCouldTakeDevice'],
    ['a Pending pod that wants the memory only', [pending('indexer', { memory: '45Gi' })], 'PendingPodCouldTakeDevice'],
    ['a workload that KEDA parked at 0', [parked(), scaledObject()], 'ParkedWorkloadCouldTakeDevice'],
    ['a workload that an autoscaler may give one more', [parked(1), hpa], 'ParkedWorkloadCouldTakeDevice'],
  ])('refuses because of %s', (_, rivals, code) => {
    expect(codes(changed(...rivals))).toEqual([code]);
  });

  it('names each of them', () => {
    expect(reasons(handOverWithMemoryFor('indexer-a', 'indexer-b'))).toEqual([
      expect.stringContaining('Pending pod batch/indexer-a could take the room'),
      expect.stringContaining('Pending pod batch/indexer-b could take the room'),
    ]);
  });

  /** Each alone would leave enough, both together do not. */
  const handOverWithMemoryFor = (...names: readonly string[]) => changed(...names.map((name) => pending(name, { memory: '20Gi' })));

  it.each<[string, readonly KubernetesObject[]]>([
    ['a Pending pod that is too large to fit', [pending('trainer', { ...oneCard, memory: '70Gi' })]],
    ['a Pending pod that may not go to that node', [pending('trainer', oneCard, { nodeSelector: { gpu: 'a100' } })]],
    ['a Pending pod that leaves enough', [pending('indexer', { memory: '1Gi' })]],
    ['a workload at 0 that nobody scales', [parked()]],
    ['a workload at 0 under an HPA, which leaves it alone there', [parked(), hpa]],
    ['a workload that a paused ScaledObject holds', [parked(), scaledObject({ annotations: { 'autoscaling.keda.sh/paused': 'true' } })]],
  ])('does not mind %s', (_, rivals) => {
    expect(codes(changed(...rivals))).toEqual([]);
  });

  it('does not mind a Pending pod when there are cards enough', () => {
    expect(codes(withObjects(handOver({ devices: 2 }), pending('trainer', { 'nvidia.com/gpu': 1 })))).toEqual([]);
  });

  it('looks at the node that the new pods need, and not at another that a rival could go to as well', () => {
    const two = changed(node('worker-0', { ...gpuNode, memory: '8Gi' }), pending('trainer', { 'nvidia.com/gpu': 1 }));
    expect(codes(two)).toEqual(['PendingPodCouldTakeDevice']);
  });

  it('does not mind them when the new pods have their node already', () => {
    expect(codes(withObjects(handOver({ oldReplicas: 0, newReplicas: 1 }), pending('trainer', oneCard)))).toEqual([]);
  });

  it("does not take the new side's own Pending pod for a rival", () => {
    const own = podOf(newSide(1), 'n1', { spec: { nodeName: '' }, status: { phase: 'Pending' } });
    expect(codes(withObjects(without(handOver({ newReplicas: 1 }), 'Pod', 'clef-candle-n1'), own))).toEqual([]);
  });
});

describe('preflight: what the new pods need besides', () => {
  const needy = deployment('clef-candle', {
    replicas: 0,
    podSpec: {
      ...asking(oneCard),
      runtimeClassName: 'nvidia',
      volumes: [{ name: 'models', persistentVolumeClaim: { claimName: 'llm-models' } }],
    },
  });
  const runtimeClass = object(resources.runtimeClasses, 'nvidia');
  const claim = (phase: string, metadata = {}) => object(resources.persistentVolumeClaims, 'llm-models', { metadata, status: { phase } });

  it('is satisfied with a bound claim and the RuntimeClass', () => {
    expect(codes(changed(needy, runtimeClass, claim('Bound')))).toEqual([]);
  });

  it.each<[string, readonly KubernetesObject[], string]>([
    ['the claim is missing', [runtimeClass], 'ClaimMissing'],
    ['the claim of that name is in another namespace', [runtimeClass, claim('Bound', { namespace: 'other' })], 'ClaimMissing'],
    ['the claim is not bound', [runtimeClass, claim('Pending')], 'ClaimNotBound'],
    ['the claim is being deleted', [runtimeClass, claim('Bound', { deletionTimestamp: '2026-11-30T12:00:00Z' })], 'ClaimNotBound'],
    ['the RuntimeClass is missing: without it no pod is made', [claim('Bound')], 'RuntimeClassMissing'],
  ])('refuses when %s', (_, others, code) => {
    expect(codes(changed(needy, ...others))).toEqual([code]);
  });
});

describe('preflight: the client', () => {
  const deny = object(resources.networkPolicies, 'llm-serving-ingress', {
    spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ ports: [{ port: 9090 }] }] },
  });

  it.each<[string, readonly KubernetesObject[], string]>([
    ['it does not exist', without(world, 'Deployment', 'poimen-memory'), 'ObjectMissing'],
    ['it has no running pod', without(world, 'Pod', 'poimen-memory-c1'), 'ClientNotRunning'],
    ['its pod is Pending', changed(podOf(client, 'c1', { status: { phase: 'Pending' } })), 'ClientNotRunning'],
  ])('refuses when %s', (_, objects, code) => {
    expect(codes(objects)).toEqual([code]);
  });

  it('refuses when the policies deny the path to a pod that does not exist yet, and names half and port: the 34-day incident', () => {
    expect(blockersOf(changed(deny))).toMatchObject([
      {
        code: 'PathDenied',
        reason: expect.stringMatching(
          /^the policies do not let deployment\/poimen-memory\.poimen to a pod of deployment\/clef-candle\.llm-serving on TCP 8080: ingress of the server: llm-serving\/llm-serving-ingress/,
        ),
      },
    ]);
  });

  it('judges by the labels of the new pods, not of the old', () => {
    const allowsOld = object(resources.networkPolicies, 'old-only', {
      spec: {
        podSelector: { matchLabels: { app: 'clef-candle' } },
        policyTypes: ['Ingress'],
        ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'nobody' } } }] }],
      },
    });
    expect(codes(changed(allowsOld))).toEqual(['PathDenied']);
  });

  it('may be a pod of nobody', () => {
    const shell = { client: { resource: resources.pods, namespace: 'poimen', name: 'shell' } };
    const pod = (phase: 'Running' | 'Succeeded') => barePod('shell', { metadata: { namespace: 'poimen' }, status: { phase } });
    expect(codes(changed(pod('Running')), shell)).toEqual([]);
    expect(codes(changed(pod('Running'), deny), shell)).toEqual(['PathDenied']);
    expect(codes(changed(pod('Succeeded')), shell)).toEqual(['ClientNotRunning']);
    expect(codes(world, shell)).toEqual(['ObjectMissing']);
  });

  it('does without one', () => {
    expect(codes(changed(deny), { client: undefined })).toEqual([]);
  });
});
