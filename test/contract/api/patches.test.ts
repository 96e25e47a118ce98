import { expect } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { contract } from '../contract.ts';
import { defineWidgets } from '../custom-resource.ts';
import { deployment, jsonPatch, mergePatch, pod, referTo, refusalOf, resources, service, written } from '../objects.ts';

contract('Patches', (behaviour) => {
  behaviour('a merge patch adds to a map and leaves its other keys', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const patched = await cluster.patch(
      referTo(resources.services, namespace, 'a'),
      mergePatch({ spec: { selector: { tier: 'model' } } }),
      written,
    );
    expect((patched.spec as { selector: unknown }).selector).toEqual({ app: 'a', tier: 'model' });
  });

  behaviour('a merge patch removes what it sets to null', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a', { selector: { app: 'a', tier: 'model' } }), written);
    const patched = await cluster.patch(
      referTo(resources.services, namespace, 'a'),
      mergePatch({ spec: { selector: { tier: null } } }),
      written,
    );
    expect((patched.spec as { selector: unknown }).selector).toEqual({ app: 'a' });
  });

  behaviour('a merge patch replaces a list, a strategic one merges it by its key', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a'), written);
    const template = {
      spec: {
        template: {
          spec: {
            containers: [
              { name: 'main', image: 'registry.example/server:2.0' },
              { name: 'side', image: 'registry.example/side:1.0' },
            ],
          },
        },
      },
    };
    const merged = await cluster.patch(referTo(resources.deployments, namespace, 'a'), { type: 'strategic', body: template }, written);
    expect(containerImages(merged)).toEqual(['registry.example/server:2.0', 'registry.example/side:1.0']);
    const only = { spec: { template: { spec: { containers: [{ name: 'side', image: 'registry.example/side:2.0' }] } } } };
    const updated = await cluster.patch(referTo(resources.deployments, namespace, 'a'), { type: 'strategic', body: only }, written);
    expect(containerImages(updated).toSorted()).toEqual(['registry.example/server:2.0', 'registry.example/side:2.0']);
    const replaced = await cluster.patch(referTo(resources.deployments, namespace, 'a'), mergePatch(only), written);
    expect(containerImages(replaced)).toEqual(['registry.example/side:2.0']);
  });

  behaviour('a JSON Patch on a path that is not there is 422 without words, as a failed test is', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const patch = jsonPatch({ op: 'remove', path: '/spec/selector/tier' });
    expect(await refusalOf(cluster.patch(referTo(resources.services, namespace, 'a'), patch, written))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
  });

  behaviour('a JSON Patch cannot change a UID', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const patch = jsonPatch({ op: 'replace', path: '/metadata/uid', value: '11111111-1111-4111-8111-111111111111' });
    expect(await refusalOf(cluster.patch(referTo(resources.services, namespace, 'a'), patch, written))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: expect.arrayContaining([expect.objectContaining({ field: 'metadata.uid', reason: 'FieldValueInvalid' })]) },
    });
  });

  behaviour('a patch cannot rename', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const patch = mergePatch({ metadata: { name: 'b' } });
    expect(await refusalOf(cluster.patch(referTo(resources.services, namespace, 'a'), patch, written))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: 'the name of the object (b) does not match the name on the URL (a)',
    });
  });

  behaviour('a patch of the object leaves its status, a patch of the status leaves the rest', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.pods, pod(namespace, 'a'), written);
    const reference = referTo(resources.pods, namespace, 'a');
    const both = mergePatch({
      metadata: { labels: { seen: 'yes' } },
      spec: { activeDeadlineSeconds: 9 },
      status: { message: 'from a test' },
    });
    const object = await cluster.patch(reference, both, written);
    expect(object).toMatchObject({ metadata: { labels: { seen: 'yes' } }, spec: { activeDeadlineSeconds: 9 } });
    expect(object.status).not.toHaveProperty('message');
    const status = await cluster.patch(reference, mergePatch({ spec: { activeDeadlineSeconds: 5 }, status: { message: 'from a test' } }), {
      ...written,
      subresource: 'status',
    });
    expect(status).toMatchObject({ spec: { activeDeadlineSeconds: 9 }, status: { phase: 'Pending', message: 'from a test' } });
  });

  behaviour('a strategic merge patch of a custom resource is refused with 415', async (subject) => {
    const { cluster, newNamespace } = subject;
    const widgets = await defineWidgets(subject);
    const namespace = await newNamespace();
    const widget = { apiVersion: 'contract.example/v1', kind: 'Widget', metadata: { name: 'a', namespace }, spec: { size: 1 } };
    await cluster.create(widgets, widget, written);
    const refusal = await refusalOf(
      cluster.patch(referTo(widgets, namespace, 'a'), { type: 'strategic', body: { spec: { size: 2 } } }, written),
    );
    expect(refusal).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    expect(refusal.message).toBe(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
    expect(await cluster.patch(referTo(widgets, namespace, 'a'), mergePatch({ spec: { size: 2 } }), written)).toMatchObject({
      spec: { size: 2 },
    });
  });

  behaviour('a custom resource is never overwritten without its version', async (subject) => {
    const { cluster, newNamespace } = subject;
    const widgets = await defineWidgets(subject);
    const namespace = await newNamespace();
    const widget = { apiVersion: 'contract.example/v1', kind: 'Widget', metadata: { name: 'a', namespace }, spec: { size: 1 } };
    await cluster.create(widgets, widget, written);
    expect(await refusalOf(cluster.replace(widgets, { ...widget, spec: { size: 3 } }, written))).toMatchObject({
      code: 422,
      message: 'widgets.contract.example "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    });
  });
});

const containerImages = (object: KubernetesObject): readonly string[] =>
  (object.spec as { template: { spec: { containers: { image: string }[] } } }).template.spec.containers.map(({ image }) => image);
