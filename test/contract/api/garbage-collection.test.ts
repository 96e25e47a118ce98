import { expect } from 'vitest';
import type { KubernetesObject, OwnerReference } from '../../../src/kubernetes/object.ts';
import { contract } from '../contract.ts';
import { eventually } from '../eventually.ts';
import { configMap, current, referTo, resources, written } from '../objects.ts';
import type { Subject } from '../subjects.ts';

const ownerOf = (
  { kind, apiVersion, metadata: { name, uid = '' } }: KubernetesObject,
  fields: Partial<OwnerReference> = {},
): OwnerReference => ({ kind, apiVersion, name, uid, ...fields });

/** Waits until just these ConfigMaps are left, beside the one that every namespace has. */
const onlyLeft = async (subject: Subject, namespace: string, ...names: readonly string[]): Promise<void> => {
  const selection = { resource: resources.configMaps, namespace, fieldSelector: 'metadata.name!=kube-root-ca.crt' };
  await eventually(
    subject,
    selection,
    (items) => JSON.stringify(items.map(({ metadata }) => metadata.name).toSorted()) === JSON.stringify(names),
  );
};

contract('Garbage collection', (behaviour) => {
  behaviour('what an object owns goes after it', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const owner = await cluster.create(resources.configMaps, configMap(namespace, 'owner'), written);
    const child = await cluster.create(
      resources.configMaps,
      configMap(namespace, 'child', {}, { ownerReferences: [ownerOf(owner)] }),
      written,
    );
    await cluster.create(resources.configMaps, configMap(namespace, 'grandchild', {}, { ownerReferences: [ownerOf(child)] }), written);
    await cluster.create(resources.configMaps, configMap(namespace, 'stranger'), written);
    await cluster.delete(referTo(resources.configMaps, namespace, 'owner'));
    await onlyLeft(subject, namespace, 'stranger');
  });

  behaviour('an owner that stays keeps what it owns', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const one = await cluster.create(resources.configMaps, configMap(namespace, 'one'), written);
    const other = await cluster.create(resources.configMaps, configMap(namespace, 'other'), written);
    await cluster.create(
      resources.configMaps,
      configMap(namespace, 'child', {}, { ownerReferences: [ownerOf(one), ownerOf(other)] }),
      written,
    );
    await cluster.delete(referTo(resources.configMaps, namespace, 'one'));
    const [child] = await eventually(
      subject,
      { resource: resources.configMaps, namespace, fieldSelector: 'metadata.name=child' },
      (items) => items[0]?.metadata.ownerReferences?.length === 1,
    );
    expect(child?.metadata.ownerReferences).toMatchObject([{ name: 'other' }]);
  });

  behaviour('Orphan lets the owned objects live', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const owner = await cluster.create(resources.configMaps, configMap(namespace, 'owner'), written);
    await cluster.create(resources.configMaps, configMap(namespace, 'child', {}, { ownerReferences: [ownerOf(owner)] }), written);
    await cluster.delete(referTo(resources.configMaps, namespace, 'owner'), { propagationPolicy: 'Orphan' });
    await onlyLeft(subject, namespace, 'child');
    expect((await current(subject, referTo(resources.configMaps, namespace, 'child'))).metadata.ownerReferences).toBeUndefined();
  });

  behaviour('Foreground lets the owner go last', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const owner = await cluster.create(resources.configMaps, configMap(namespace, 'owner'), written);
    const held = { ownerReferences: [ownerOf(owner, { blockOwnerDeletion: true })], finalizers: ['contract.example/hold'] };
    await cluster.create(resources.configMaps, configMap(namespace, 'child', {}, held), written);
    await cluster.delete(referTo(resources.configMaps, namespace, 'owner'), { propagationPolicy: 'Foreground' });
    await eventually(
      subject,
      { resource: resources.configMaps, namespace, fieldSelector: 'metadata.name=child' },
      (items) => items[0]?.metadata.deletionTimestamp !== undefined,
    );
    expect((await current(subject, referTo(resources.configMaps, namespace, 'owner'))).metadata.finalizers).toEqual(['foregroundDeletion']);
    await cluster.patch(
      referTo(resources.configMaps, namespace, 'child'),
      { type: 'merge', body: { metadata: { finalizers: null } } },
      written,
    );
    await onlyLeft(subject, namespace);
  });
});
