import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { deployment, jsonPatch, mergePatch, referTo, refusalOf, resources, written } from '../objects.ts';

contract('Reviews and subresources', (behaviour) => {
  behaviour('a SelfSubjectAccessReview is answered and not stored', async ({ cluster, newNamespace }) => {
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: { name: '' },
      spec: { resourceAttributes: { namespace: await newNamespace(), verb: 'patch', group: 'apps', resource: 'deployments' } },
    };
    expect(await cluster.create(resources.selfSubjectAccessReviews, review, written)).toMatchObject({
      kind: 'SelfSubjectAccessReview',
      status: { allowed: true },
    });
  });

  behaviour('a Scale writes the replicas of its Deployment, and nothing else', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { metadata } = await cluster.create(resources.deployments, deployment(namespace, 'a', { paused: true }), written);
    const reference = referTo(resources.deployments, namespace, 'a');
    const scale = await cluster.patch(reference, mergePatch({ spec: { replicas: 2 } }), { ...written, subresource: 'scale' });
    expect(scale).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace, uid: metadata.uid },
      spec: { replicas: 2 },
      status: { selector: 'app=a' },
    });
    expect(await cluster.get(reference)).toMatchObject({
      metadata: { uid: metadata.uid, generation: 2 },
      spec: { replicas: 2, paused: true },
    });
    const test = jsonPatch({ op: 'test', path: '/spec/replicas', value: 5 }, { op: 'replace', path: '/spec/replicas', value: 6 });
    expect(await refusalOf(cluster.patch(reference, test, { ...written, subresource: 'scale' }))).toMatchObject({
      code: 422,
      reason: 'Invalid',
    });
  });
});
