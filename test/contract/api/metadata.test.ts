import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { configMap, current, pod, referTo, refusalOf, resources, written } from '../objects.ts';

contract('Metadata', (behaviour) => {
  behaviour('a new object gets a UID, a version and a time in whole seconds', async ({ cluster, newNamespace }) => {
    const { metadata } = await cluster.create(resources.configMaps, configMap(await newNamespace(), 'a'), written);
    expect(metadata.uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    expect(metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  behaviour('what a client says of UID and time of creation does not count', async ({ cluster, newNamespace }) => {
    const wished = { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z' };
    const { metadata } = await cluster.create(resources.configMaps, configMap(await newNamespace(), 'a', {}, wished), written);
    expect(metadata.uid).not.toBe('mine');
    expect(metadata.creationTimestamp).not.toBe('2001-01-01T00:00:00Z');
  });

  behaviour('every write gives a higher version', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const first = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    const second = await cluster.replace(resources.configMaps, configMap(namespace, 'a', { data: { key: 'other' } }), written);
    expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(Number(first.metadata.resourceVersion));
    expect(second.metadata.uid).toBe(first.metadata.uid);
  });

  behaviour('writing what is there already makes no new version', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const first = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    const again = await cluster.replace(resources.configMaps, configMap(namespace, 'a'), written);
    const patched = await cluster.patch(
      referTo(resources.configMaps, namespace, 'a'),
      { type: 'merge', body: { data: { key: 'value' } } },
      written,
    );
    expect(again.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(patched.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  behaviour('generateName is completed with five characters that form no words', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const wish = configMap(namespace, '', {}, { generateName: 'run-' });
    const [one, other] = [
      await cluster.create(resources.configMaps, wish, written),
      await cluster.create(resources.configMaps, wish, written),
    ];
    expect(one.metadata.name).toMatch(/^run-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(one.metadata.name).not.toBe(other.metadata.name);
  });

  behaviour('a name is given once', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    expect(await refusalOf(cluster.create(resources.configMaps, configMap(namespace, 'a'), written))).toEqual({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
    });
  });

  behaviour('a name has to be a DNS name', async ({ cluster, newNamespace }) => {
    expect(await refusalOf(cluster.create(resources.configMaps, configMap(await newNamespace(), 'Not_a_name'), written))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message:
        'ConfigMap "Not_a_name" is invalid: metadata.name: Invalid value: "Not_a_name": a lowercase RFC 1123 subdomain must consist of lower case ' +
        "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
        "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      details: { kind: 'ConfigMap', name: 'Not_a_name', causes: [{ field: 'metadata.name', reason: 'FieldValueInvalid' }] },
    });
  });

  behaviour('an object needs a name', async ({ cluster, newNamespace }) => {
    expect(await refusalOf(cluster.create(resources.configMaps, configMap(await newNamespace(), ''), written))).toMatchObject({
      code: 422,
      message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    });
  });

  behaviour('a label value has to be a label value', async ({ cluster, newNamespace }) => {
    const refusal = await refusalOf(
      cluster.create(resources.configMaps, configMap(await newNamespace(), 'a', {}, { labels: { app: 'not a value' } }), written),
    );
    expect(refusal).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'metadata.labels', reason: 'FieldValueInvalid' }] },
    });
    expect(refusal.message).toContain(
      'Invalid value: "not a value": a valid label must be an empty string or consist of alphanumeric characters',
    );
  });

  behaviour('an empty map of labels is none', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(
      resources.configMaps,
      configMap(namespace, 'a', {}, { labels: {}, annotations: { note: 'x' } }),
      written,
    );
    expect(created.metadata).not.toHaveProperty('labels');
    const patch = { type: 'merge', body: { metadata: { annotations: { note: null } } } } as const;
    expect((await cluster.patch(referTo(resources.configMaps, namespace, 'a'), patch, written)).metadata).not.toHaveProperty('annotations');
  });

  behaviour('nothing is created in a namespace that is not there', async ({ cluster }) => {
    expect(await refusalOf(cluster.create(resources.configMaps, configMap('nowhere', 'a'), written))).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nowhere" not found',
      details: { name: 'nowhere', kind: 'namespaces' },
    });
  });

  behaviour('an object is created with a version of its own, not with one that a client gives', async ({ cluster, newNamespace }) => {
    const refusal = await refusalOf(
      cluster.create(resources.configMaps, configMap(await newNamespace(), 'a', {}, { resourceVersion: '1' }), written),
    );
    expect(refusal).toMatchObject({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  });

  behaviour('the kind in the body has to be the one of the address', async ({ cluster, newNamespace }) => {
    const refusal = await refusalOf(
      cluster.create(resources.configMaps, { ...configMap(await newNamespace(), 'a'), kind: 'Secret' }, written),
    );
    expect(refusal).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  behaviour('a namespace carries its name as a label', async (subject) => {
    const name = await subject.newNamespace();
    const { metadata, status } = await current(subject, { resource: resources.namespaces, name });
    expect(metadata.labels).toMatchObject({ 'kubernetes.io/metadata.name': name });
    expect(status).toMatchObject({ phase: 'Active' });
  });

  behaviour('the system namespace is there from the beginning', async (subject) => {
    expect((await current(subject, { resource: resources.namespaces, name: 'kube-system' })).metadata.uid).toBeDefined();
  });

  behaviour('what does not exist is not found', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    expect(await cluster.get(referTo(resources.pods, namespace, 'a'))).toBeUndefined();
    expect(await refusalOf(cluster.patch(referTo(resources.deployments, namespace, 'a'), { type: 'merge', body: {} }, written))).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'deployments.apps "a" not found',
      details: { name: 'a', group: 'apps', kind: 'deployments' },
    });
    expect(await refusalOf(cluster.delete(referTo(resources.pods, namespace, 'a')))).toMatchObject({
      code: 404,
      message: 'pods "a" not found',
    });
    expect(await refusalOf(cluster.replace(resources.pods, pod(namespace, 'a'), written))).toMatchObject({
      code: 404,
      message: 'pods "a" not found',
    });
  });
});
