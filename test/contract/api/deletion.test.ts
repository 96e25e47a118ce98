import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { configMap, current, mergePatch, pod, podOnNode, referTo, refusalOf, resources, written } from '../objects.ts';

const secondsBetween = (from = '', to = ''): number => (Date.parse(to) - Date.parse(from)) / 1000;

contract('Deletion', (behaviour) => {
  behaviour('a pod on a node is only marked: the kubelet has its grace period', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.create(resources.pods, podOnNode(namespace, 'a'), written);
    await cluster.delete(reference);
    const { metadata } = await current(subject, reference);
    expect(metadata.deletionGracePeriodSeconds).toBe(30);
    expect(secondsBetween(metadata.creationTimestamp, metadata.deletionTimestamp)).toBeGreaterThanOrEqual(30);
  });

  behaviour("the pod's own grace period counts, unless the request has one", async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    await cluster.create(resources.pods, podOnNode(namespace, 'a', { terminationGracePeriodSeconds: 100 }), written);
    await cluster.create(resources.pods, podOnNode(namespace, 'b', { terminationGracePeriodSeconds: 100 }), written);
    await cluster.delete(referTo(resources.pods, namespace, 'a'));
    await cluster.delete(referTo(resources.pods, namespace, 'b'), { gracePeriodSeconds: 7 });
    expect((await current(subject, referTo(resources.pods, namespace, 'a'))).metadata.deletionGracePeriodSeconds).toBe(100);
    expect((await current(subject, referTo(resources.pods, namespace, 'b'))).metadata.deletionGracePeriodSeconds).toBe(7);
  });

  behaviour('a second deletion can only shorten the grace period', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.create(resources.pods, podOnNode(namespace, 'a'), written);
    await cluster.delete(reference);
    const first = (await current(subject, reference)).metadata;
    await cluster.delete(reference, { gracePeriodSeconds: 60 });
    await cluster.delete(reference);
    expect((await current(subject, reference)).metadata).toEqual(first);
    await cluster.delete(reference, { gracePeriodSeconds: 10 });
    const shortened = (await current(subject, reference)).metadata;
    expect(shortened.deletionGracePeriodSeconds).toBe(10);
    expect(secondsBetween(shortened.deletionTimestamp, first.deletionTimestamp)).toBe(20);
  });

  behaviour('a pod that is on no node goes at once', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.pods, pod(namespace, 'a'), written);
    await cluster.delete(referTo(resources.pods, namespace, 'a'));
    expect(await cluster.get(referTo(resources.pods, namespace, 'a'))).toBeUndefined();
  });

  behaviour('a pod that has ended goes at once', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.create(resources.pods, podOnNode(namespace, 'a'), written);
    await cluster.patch(reference, mergePatch({ status: { phase: 'Failed' } }), { ...written, subresource: 'status' });
    await cluster.delete(reference);
    expect(await cluster.get(reference)).toBeUndefined();
  });

  behaviour('a grace period of 0 removes a pod at once', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.create(resources.pods, podOnNode(namespace, 'a'), written);
    await cluster.delete(reference, { gracePeriodSeconds: 0 });
    expect(await cluster.get(reference)).toBeUndefined();
  });

  behaviour('an object with a finalizer stays, Terminating, until the finalizer is taken away', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.create(resources.configMaps, configMap(namespace, 'a', {}, { finalizers: ['contract.example/hold'] }), written);
    await cluster.delete(reference);
    expect((await current(subject, reference)).metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      deletionGracePeriodSeconds: 0,
    });
    await cluster.patch(reference, mergePatch({ metadata: { finalizers: null } }), written);
    expect(await cluster.get(reference)).toBeUndefined();
  });

  behaviour('nothing new is held by a finalizer once deletion has begun', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.create(resources.configMaps, configMap(namespace, 'a', {}, { finalizers: ['contract.example/hold'] }), written);
    await cluster.delete(reference);
    const late = mergePatch({ metadata: { finalizers: ['contract.example/hold', 'contract.example/late'] } });
    const refusal = await refusalOf(cluster.patch(reference, late, written));
    expect(refusal).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: {
        causes: expect.arrayContaining([expect.objectContaining({ field: 'metadata.finalizers', reason: 'FieldValueForbidden' })]),
      },
    });
    expect(refusal.message).toContain('no new finalizers can be added if the object is being deleted, found new finalizers');
  });

  behaviour('a finalizer holds a pod beyond its grace period', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.create(resources.pods, podOnNode(namespace, 'a', {}, { finalizers: ['contract.example/hold'] }), written);
    await cluster.delete(reference, { gracePeriodSeconds: 0 });
    expect((await current(subject, reference)).metadata).toMatchObject({ deletionGracePeriodSeconds: 0 });
    await cluster.patch(reference, mergePatch({ metadata: { finalizers: null } }), written);
    expect(await cluster.get(reference)).toBeUndefined();
  });

  behaviour('a deletion that names another UID is a conflict', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    const { metadata } = await cluster.create(resources.pods, pod(namespace, 'a'), written);
    const uid = '11111111-1111-4111-8111-111111111111';
    expect(await refusalOf(cluster.delete(reference, { preconditions: { uid } }))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        `Operation cannot be fulfilled on Pod "a": the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). ` +
        'The object might have been deleted and then recreated',
    });
    await cluster.delete(reference, { preconditions: { uid: metadata.uid ?? '' } });
    expect(await cluster.get(reference)).toBeUndefined();
  });

  behaviour('a deletion that names a stale version is a conflict', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    const { metadata } = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    await cluster.patch(reference, mergePatch({ data: { key: 'other' } }), written);
    const refusal = await refusalOf(cluster.delete(reference, { preconditions: { resourceVersion: metadata.resourceVersion ?? '' } }));
    expect(refusal).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refusal.message).toContain(
      `the ResourceVersion in the precondition (${metadata.resourceVersion}) does not match the ResourceVersion in record`,
    );
  });

  behaviour('a name that is deleted and created again has another UID', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const first = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    await cluster.delete(referTo(resources.configMaps, namespace, 'a'));
    const second = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });
});
