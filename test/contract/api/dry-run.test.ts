import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { configMap, current, deployment, jsonPatch, mergePatch, pod, referTo, refusalOf, resources, service, written } from '../objects.ts';

const dryRun = { ...written, dryRun: true };

contract('dryRun=All', (behaviour) => {
  behaviour('a create is answered with its defaults and leaves nothing', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const answer = await cluster.create(resources.deployments, deployment(namespace, 'a', { replicas: undefined }), dryRun);
    expect(answer).toMatchObject({
      metadata: { name: 'a', uid: expect.any(String), generation: 1 },
      spec: { replicas: 1, progressDeadlineSeconds: 600 },
    });
    expect(answer.metadata.resourceVersion).toBeUndefined();
    expect(await cluster.get(referTo(resources.deployments, namespace, 'a'))).toBeUndefined();
  });

  behaviour('a patch is answered with what it would make and changes nothing', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const before = await cluster.create(resources.services, service(namespace, 'a'), written);
    const patch = jsonPatch(
      { op: 'test', path: '/spec/selector/app', value: 'a' },
      { op: 'replace', path: '/spec/selector', value: { app: 'b' } },
    );
    const answer = await cluster.patch(referTo(resources.services, namespace, 'a'), patch, dryRun);
    expect(answer).toMatchObject({
      metadata: { uid: before.metadata.uid, resourceVersion: before.metadata.resourceVersion },
      spec: { selector: { app: 'b' } },
    });
    expect(await current(subject, referTo(resources.services, namespace, 'a'))).toEqual(before);
  });

  behaviour('what would be refused is refused', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const reference = referTo(resources.services, namespace, 'a');
    expect(await refusalOf(cluster.create(resources.services, service(namespace, 'a'), dryRun))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
    });
    expect(
      await refusalOf(cluster.patch(reference, jsonPatch({ op: 'test', path: '/spec/selector/app', value: 'b' }), dryRun)),
    ).toMatchObject({ code: 422 });
    expect(await refusalOf(cluster.patch(reference, mergePatch({ spec: { ports: [] } }), dryRun))).toMatchObject({
      code: 422,
      reason: 'Invalid',
    });
    expect(await refusalOf(cluster.patch(referTo(resources.services, namespace, 'b'), mergePatch({}), dryRun))).toMatchObject({
      code: 404,
    });
    expect(await refusalOf(cluster.delete(referTo(resources.services, namespace, 'b'), { dryRun: true }))).toMatchObject({ code: 404 });
  });

  behaviour('a deletion is accepted and deletes nothing', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const before = await cluster.create(resources.pods, pod(namespace, 'a'), written);
    await cluster.delete(referTo(resources.pods, namespace, 'a'), { dryRun: true });
    expect((await current(subject, referTo(resources.pods, namespace, 'a'))).metadata).toEqual(before.metadata);
  });

  behaviour('a replacement is answered and not stored', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const before = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    expect(await cluster.replace(resources.configMaps, { ...before, data: { key: 'other' } }, dryRun)).toMatchObject({
      data: { key: 'other' },
    });
    expect(await current(subject, referTo(resources.configMaps, namespace, 'a'))).toEqual(before);
  });
});
