import { describe, expect, it } from 'vitest';
import { custom, inventoryOf, pod, workload } from './network-objects.ts';

const peersIn = (...texts: readonly string[]) =>
  inventoryOf(texts.join('')).peers.map(
    ({ id, templateOnly, pods }) => `${id}${templateOnly ? ' (template)' : ''}: ${pods.map(({ peer }) => peer.name).join(' ')}`,
  );

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main' }] } };

describe('peers', () => {
  it('are workloads by their templates where no pod of them is there', () => {
    expect(peersIn(workload('shop/till'))).toEqual(['shop/till[Deployment] (template): till']);
  });

  it('count a pod once: through ReplicaSet and Deployment, and not as a pod besides', () => {
    const replicaSet = custom('apps/v1', 'ReplicaSet', 'shop/till-7d9f', {
      metadata: {
        name: 'till-7d9f',
        namespace: 'shop',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'till', uid: 'u', controller: true }],
      },
      spec: { template },
    });
    const till = pod('shop/till-7d9f-x', { owner: { kind: 'ReplicaSet', name: 'till-7d9f' } });
    expect(peersIn(workload('shop/till'), replicaSet, till)).toEqual(['shop/till[Deployment]: till-7d9f-x']);
  });

  it('know the Deployment of a ReplicaSet that was not listed by the hash in its name', () => {
    const labels = { app: 'till', 'pod-template-hash': '7d9f' };
    const till = pod('shop/till-7d9f-x', { labels, owner: { kind: 'ReplicaSet', name: 'till-7d9f' } });
    expect(peersIn(workload('shop/till'), till)).toEqual(['shop/till[Deployment]: till-7d9f-x']);
    expect(peersIn(till)).toEqual(['shop/till-7d9f[ReplicaSet]: till-7d9f-x']);
  });

  it('leave out pods that have ended: their address may be in use again', () => {
    expect(
      peersIn(
        pod('shop/done', { phase: 'Succeeded' }),
        pod('shop/failed', { phase: 'Failed' }),
        pod('shop/static', { owner: { kind: 'Node', name: 'worker-1' } }),
      ),
    ).toEqual(['shop/static[Pod]: static']);
  });

  it.each([
    ['StatefulSet', 'apps/v1', { spec: { template } }],
    ['DaemonSet', 'apps/v1', { spec: { template } }],
    ['ReplicaSet', 'apps/v1', { spec: { template } }],
    ['Job', 'batch/v1', { spec: { template } }],
    ['CronJob', 'batch/v1', { spec: { jobTemplate: { spec: { template } } } }],
    ['Rollout', 'argoproj.io/v1alpha1', { spec: { template } }],
    ['CloneSet', 'apps.kruise.io/v1alpha1', { spec: { template } }],
  ])('%s is one', (kind, apiVersion, rest) => {
    const { peers } = inventoryOf(custom(apiVersion, kind, 'shop/a', rest));
    expect(peers.map(({ id, templateOnly }) => [id, templateOnly])).toEqual([[`shop/a[${kind}]`, true]]);
    expect(peers[0]?.pods[0]?.peer.labels).toMatchObject({ app: 'x' });
  });

  it("an InferenceService's pods carry KServe's labels", () => {
    const { peers } = inventoryOf(
      custom('serving.kserve.io/v1beta1', 'InferenceService', 'llm/coder', {
        spec: { predictor: { model: { modelFormat: { name: 'vllm' } } } },
      }),
    );
    expect(peers[0]?.pods[0]?.peer.labels).toEqual({
      app: 'isvc.coder-predictor',
      component: 'predictor',
      'serving.kserve.io/inferenceservice': 'coder',
    });
  });

  it('a job that is done makes no more pods, and a Job of a CronJob is none of its own', () => {
    const done = custom('batch/v1', 'Job', 'shop/done', { spec: { template }, status: { completionTime: '2026-11-30T12:00:00Z' } });
    const owned = custom('batch/v1', 'Job', 'shop/nightly-1', {
      metadata: {
        name: 'nightly-1',
        namespace: 'shop',
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'u', controller: true }],
      },
      spec: { template },
    });
    expect(peersIn(done, owned)).toEqual([]);
  });

  it('a template without containers, or of no shape at all, is no peer and no error', () => {
    const bad = [{ spec: {} }, { spec: { template: { spec: {} } } }, { spec: { template: [] } }, {}].map((rest, index) =>
      custom('apps/v1', 'Deployment', `shop/d${index}`, rest),
    );
    expect(peersIn(...bad, custom('v1', 'Pod', 'shop/p', { spec: null }))).toEqual([]);
  });
});
