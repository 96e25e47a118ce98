import { describe, expect, it } from 'vitest';
import type { LabelSelector, Labels } from '../../../src/kubernetes/label-selector.ts';
import type { NetworkPolicySpec } from '../../../src/kubernetes/network-policy.ts';
import type { PodDisruptionBudget } from '../../../src/kubernetes/pod-disruption-budget.ts';
import { resources, type Resource } from '../../../src/kubernetes/resource.ts';
import type { PolicyInput } from '../../../src/network/policy/policy-input.ts';
import { chooseLabels } from '../../../src/network/probe/probe-pod-labels.ts';
import type { Adopter, Autoscaler, ProbePodFacts } from '../../../src/network/probe/probe-pod-facts.ts';
import { barePod, object, ref, service } from '../../builders/objects.ts';

const mark = { 'poimen.dev/probe': 'run-1' };

const factsFor = (
  kind: Resource,
  more: Partial<ProbePodFacts> = {},
  selector: LabelSelector = { matchLabels: { app: 'memory' } },
): ProbePodFacts => ({
  client: ref(kind, 'memory'),
  object: object(kind, 'memory', { spec: { selector } }),
  pods: [],
  services: [],
  adopters: [],
  disruptionBudgets: [],
  autoscalers: [],
  policies: [],
  namespaces: [object(resources.namespaces, 'llm-serving', { metadata: { labels: { team: 'llm' } } })],
  nodes: [],
  ...more,
});

const clientPod = (labels: Labels = { app: 'memory', tier: 'backend', 'pod-template-hash': '7d9f' }) =>
  barePod('memory-1', { metadata: { labels } });

const policy = (spec: NetworkPolicySpec, namespace = 'llm-serving'): PolicyInput => ({
  kind: 'NetworkPolicy',
  object: { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'policy', namespace }, spec },
});

const adopter = (resource: Resource, selector: LabelSelector): Adopter => ({ reference: ref(resource, 'other'), selector });

const budget = (selector: LabelSelector, limit: Partial<PodDisruptionBudget['spec']>): PodDisruptionBudget => ({
  ...object(resources.podDisruptionBudgets, 'budget'),
  spec: { selector, ...limit },
});

const onMemory = { matchLabels: { app: 'memory' } };

describe('the labels of a probe pod', () => {
  it('are the client’s without those that controllers put on each of their pods, and the mark', () => {
    const labels = { app: 'memory', tier: 'backend', 'pod-template-hash': '7d9f', 'statefulset.kubernetes.io/pod-name': 'memory-0' };
    expect(chooseLabels(factsFor(resources.deployments), clientPod(labels), mark)).toMatchObject({
      labels: { app: 'memory', tier: 'backend', 'poimen.dev/probe': 'run-1' },
      changed: ['pod-template-hash', 'statefulset.kubernetes.io/pod-name'],
      objections: [],
    });
  });

  it('keep a controller’s label that a policy goes by', () => {
    const facts = factsFor(resources.deployments, {
      policies: [policy({ podSelector: { matchLabels: { 'pod-template-hash': '7d9f' } } })],
    });
    const { labels, objections } = chooseLabels(facts, clientPod(), mark);
    expect({ labels, objections }).toEqual({
      labels: { app: 'memory', tier: 'backend', 'pod-template-hash': '7d9f', ...mark },
      objections: [],
    });
  });

  it('leave out one label of every Service that selects the client, and no more', () => {
    const services = [service('memory', { app: 'memory', tier: 'backend' }), service('backend', { tier: 'backend' })];
    const { labels } = chooseLabels(factsFor(resources.deployments, { services }), clientPod(), mark);
    expect(labels).toEqual({ app: 'memory', ...mark });
  });

  it('leave out the one of a Service’s labels that no policy goes by', () => {
    const facts = factsFor(resources.deployments, {
      services: [service('memory', { app: 'memory', tier: 'backend' })],
      policies: [policy({ podSelector: { matchLabels: { app: 'memory' } } })],
    });
    expect(chooseLabels(facts, clientPod(), mark).labels).toEqual({ app: 'memory', ...mark });
  });

  it.each<[string, PolicyInput]>([
    ['selects it', policy({ podSelector: onMemory })],
    [
      'has it as a peer, in another namespace',
      policy({ ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'llm' } }, podSelector: onMemory }] }] }, 'data'),
    ],
    ['selects all other values', policy({ podSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['memory'] }] } })],
  ])('stay where a policy %s, and the Service lists a pod that is never ready', (_, input) => {
    const facts = factsFor(resources.deployments, { services: [service('memory', { app: 'memory' })], policies: [input] });
    const { labels, objections, notes } = chooseLabels(facts, clientPod(), mark);
    expect(labels['app']).toBe('memory');
    expect(objections).toEqual([]);
    expect(notes).toEqual(['service/memory lists it as not ready, and sends it nothing']);
  });

  it('are not held by a policy whose namespace selector leaves the client’s namespace out', () => {
    const facts = factsFor(resources.deployments, {
      services: [service('memory', { app: 'memory' })],
      policies: [
        policy({ ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'shop' } }, podSelector: onMemory }] }] }, 'data'),
      ],
    });
    expect(chooseLabels(facts, clientPod(), mark).labels).toEqual({ tier: 'backend', ...mark });
  });

  it.each(['Exists', 'DoesNotExist'] as const)(
    'have another value where a policy asks only whether the label is there (%s)',
    (operator) => {
      const facts = factsFor(resources.deployments, {
        services: [service('memory', { app: 'memory' })],
        policies: [policy({ podSelector: { matchExpressions: [{ key: 'app', operator }] } })],
      });
      expect(chooseLabels(facts, clientPod(), mark)).toMatchObject({
        labels: { app: 'poimen-probe', tier: 'backend' },
        objections: [],
        notes: [],
      });
    },
  );

  it('are refused where the Service publishes addresses that are not ready and a policy goes by the same label', () => {
    const facts = factsFor(resources.deployments, {
      services: [service('memory', { app: 'memory' }, { spec: { publishNotReadyAddresses: true } })],
      policies: [policy({ podSelector: onMemory })],
    });
    expect(chooseLabels(facts, clientPod(), mark).objections).toEqual([
      'service/memory would send it connections: it publishes addresses that are not ready',
    ]);
  });

  it('count the mark: a policy may go by it', () => {
    const facts = factsFor(resources.deployments, {
      policies: [policy({ podSelector: { matchExpressions: [{ key: 'poimen.dev/probe', operator: 'DoesNotExist' }] } })],
    });
    expect(chooseLabels(facts, clientPod(), mark).objections).toEqual(['a network policy would treat it otherwise than the client']);
  });

  it('all stay when policies could not be read', () => {
    const facts = factsFor(resources.deployments, { policies: undefined, services: [service('memory', { app: 'memory' })] });
    expect(chooseLabels(facts, clientPod(), mark)).toMatchObject({ labels: { app: 'memory', tier: 'backend' }, objections: [] });
  });

  it('are refused when Services could not be read', () => {
    expect(chooseLabels(factsFor(resources.deployments, { services: undefined }), clientPod(), mark).objections).toEqual([
      'Services could not be read, so nobody knows whether one would send it connections',
    ]);
  });
});

describe('the owner of a probe pod', () => {
  it('is the client’s Deployment, as the controller: nobody adopts what has one, whatever its labels', () => {
    const facts = factsFor(resources.deployments, {
      policies: [policy({ podSelector: onMemory })],
      adopters: [adopter(resources.daemonSets, onMemory)],
    });
    expect(chooseLabels(facts, clientPod(), mark).ownership.owner).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'memory',
      uid: 'uid-of-memory',
      controller: true,
    });
  });

  it('is the StatefulSet, not as the controller: it would claim or release a pod of its own', () => {
    const facts = factsFor(resources.statefulSets, { policies: [policy({ podSelector: onMemory })] });
    expect(chooseLabels(facts, clientPod(), mark).ownership.owner).toEqual({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      name: 'memory',
      uid: 'uid-of-memory',
    });
  });

  it.each([resources.daemonSets, resources.replicationControllers, resources.replicaSets])(
    'is the client’s pod, as the controller, where a $kind would adopt by the labels that a policy needs',
    (kind) => {
      const facts = factsFor(kind, { policies: [policy({ podSelector: onMemory })], adopters: [adopter(kind, onMemory)] });
      const { labels, ownership } = chooseLabels(facts, clientPod(), mark);
      expect(labels['app']).toBe('memory');
      expect(ownership.owner).toMatchObject({ kind: 'Pod', name: 'memory-1', controller: true });
    },
  );

  it('is the client’s pod where nobody knows who adopts', () => {
    expect(chooseLabels(factsFor(resources.jobs, { adopters: undefined }), clientPod(), mark).ownership.owner).toMatchObject({
      kind: 'Pod',
      controller: true,
    });
  });

  it.each([{ maxUnavailable: 1 }, { minAvailable: '50%' }])('may not be one that a disruption budget with %j cannot ask', (limit) => {
    const more = { adopters: [adopter(resources.replicaSets, onMemory)], disruptionBudgets: [budget(onMemory, limit)] };
    const free = chooseLabels(factsFor(resources.replicaSets, more), clientPod(), mark);
    expect({ labels: free.labels, objections: free.objections }).toEqual({ labels: { tier: 'backend', ...mark }, objections: [] });

    const held = chooseLabels(
      factsFor(resources.replicaSets, { ...more, policies: [policy({ podSelector: onMemory })] }),
      clientPod(),
      mark,
    );
    expect(held.objections).toHaveLength(1);

    const counted = chooseLabels(
      factsFor(resources.replicaSets, {
        ...more,
        policies: [policy({ podSelector: onMemory })],
        disruptionBudgets: [budget(onMemory, { minAvailable: 1 })],
      }),
      clientPod(),
      mark,
    );
    expect(counted.objections).toEqual([]);
  });
});

describe('an autoscaler of the client', () => {
  const autoscaler: Autoscaler = {
    ...object(resources.horizontalPodAutoscalers, 'memory'),
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'memory' } },
  };

  it('does not count the probe pod where its labels may differ, and that is said where they may not', () => {
    const free = chooseLabels(factsFor(resources.deployments, { autoscalers: [autoscaler] }), clientPod(), mark);
    expect({ labels: free.labels, notes: free.notes }).toEqual({ labels: { tier: 'backend', ...mark }, notes: [] });
    const held = chooseLabels(
      factsFor(resources.deployments, { autoscalers: [autoscaler], policies: [policy({ podSelector: onMemory })] }),
      clientPod(),
      mark,
    );
    expect(held.notes).toEqual(['horizontalpodautoscaler/memory counts it as a pod that is not ready']);
  });
});

it('fourteen labels that are all in the way are decided without trying all combinations', () => {
  const keys = Array.from({ length: 14 }, (_, index) => `key-${index}`);
  const facts = factsFor(resources.deployments, {
    services: keys.map((key) => service(key, { [key]: 'x' }, { spec: { publishNotReadyAddresses: true } })),
    policies: keys.slice(0, 1).map((key) => policy({ podSelector: { matchLabels: { [key]: 'x' } } })),
  });
  expect(chooseLabels(facts, clientPod(Object.fromEntries(keys.map((key) => [key, 'x']))), mark).objections).not.toEqual([]);
});
