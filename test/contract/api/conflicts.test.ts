import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { configMap, current, jsonPatch, mergePatch, referTo, refusalOf, resources, service, written } from '../objects.ts';

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

contract('Two who write', (behaviour) => {
  behaviour('a PUT with a stale version is a conflict', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const first = await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    await cluster.replace(resources.configMaps, { ...first, data: { key: 'theirs' } }, written);
    expect(await refusalOf(cluster.replace(resources.configMaps, { ...first, data: { key: 'mine' } }, written))).toEqual({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on configmaps "a": ${modified}`,
      details: { name: 'a', kind: 'configmaps' },
    });
  });

  behaviour('a PUT without a version overwrites', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    expect(await cluster.replace(resources.configMaps, configMap(namespace, 'a', { data: { key: 'mine' } }), written)).toMatchObject({
      data: { key: 'mine' },
    });
  });

  behaviour('a Lease is never overwritten without its version', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a', namespace },
      spec: { holderIdentity: 'me' },
    };
    await cluster.create(resources.leases, lease, written);
    expect(await refusalOf(cluster.replace(resources.leases, { ...lease, spec: { holderIdentity: 'you' } }, written))).toMatchObject({
      code: 422,
      message: 'leases.coordination.k8s.io "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    });
  });

  behaviour('a PUT under another UID is a conflict', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.configMaps, configMap(namespace, 'a'), written);
    const uid = '11111111-1111-4111-8111-111111111111';
    const refusal = await refusalOf(cluster.replace(resources.configMaps, configMap(namespace, 'a', {}, { uid }), written));
    expect(refusal).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(refusal.message).toContain(`Precondition failed: UID in precondition: ${uid}, UID in object meta: `);
  });

  behaviour('a merge patch that carries a stale version is a conflict', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.services, namespace, 'a');
    const { metadata } = await cluster.create(resources.services, service(namespace, 'a'), written);
    await cluster.patch(reference, mergePatch({ spec: { selector: { app: 'b' } } }), written);
    expect(
      await refusalOf(
        cluster.patch(
          reference,
          mergePatch({ metadata: { resourceVersion: metadata.resourceVersion }, spec: { selector: { app: 'c' } } }),
          written,
        ),
      ),
    ).toEqual({
      code: 409,
      reason: 'Conflict',
      message: `Operation cannot be fulfilled on services "a": ${modified}`,
      details: { name: 'a', kind: 'services' },
    });
    expect(await current(subject, reference)).toMatchObject({ spec: { selector: { app: 'b' } } });
  });

  behaviour('a failed test of a JSON Patch is 422, names nothing and writes nothing', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.services, namespace, 'a');
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const patch = jsonPatch(
      { op: 'replace', path: '/spec/selector', value: { app: 'c' } },
      { op: 'test', path: '/spec/selector', value: { app: 'other' } },
    );
    expect(await refusalOf(cluster.patch(reference, patch, written))).toEqual({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    });
    expect(await current(subject, reference)).toMatchObject({ spec: { selector: { app: 'a' } } });
  });

  behaviour('a JSON Patch that tests version, UID and the old value replaces the whole selector', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { metadata } = await cluster.create(
      resources.services,
      service(namespace, 'a', { selector: { app: 'a', tier: 'model' } }),
      written,
    );
    const patch = jsonPatch(
      { op: 'test', path: '/metadata/uid', value: metadata.uid },
      { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      { op: 'test', path: '/spec/selector', value: { tier: 'model', app: 'a' } },
      { op: 'replace', path: '/spec/selector', value: { app: 'b' } },
    );
    const patched = await cluster.patch(referTo(resources.services, namespace, 'a'), patch, written);
    expect(patched).toMatchObject({ metadata: { uid: metadata.uid } });
    expect((patched.spec as { selector: unknown }).selector).toEqual({ app: 'b' });
  });

  behaviour('a JSON Patch that tests a stale version is 422, not 409', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { metadata } = await cluster.create(resources.services, service(namespace, 'a'), written);
    const reference = referTo(resources.services, namespace, 'a');
    await cluster.patch(reference, mergePatch({ metadata: { labels: { touched: 'yes' } } }), written);
    const patch = jsonPatch(
      { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
      { op: 'replace', path: '/spec/selector', value: { app: 'b' } },
    );
    expect(await refusalOf(cluster.patch(reference, patch, written))).toMatchObject({ code: 422, reason: 'Invalid' });
  });
});
