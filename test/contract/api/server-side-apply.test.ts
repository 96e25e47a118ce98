import { expect } from 'vitest';
import type { ApiStatus } from '../../../src/cluster/api-error.ts';
import type { JsonObject } from '../../../src/kubernetes/json.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import type { ObjectReference } from '../../../src/kubernetes/reference.ts';
import { contract } from '../contract.ts';
import { defineGadgets, defineWidgets } from '../custom-resource.ts';
import { configMap, current, mergePatch, pod, referTo, refusalOf, resources, service } from '../objects.ts';
import { by, expectRecorded, ownersOf } from '../owners.ts';
import type { Subject } from '../subjects.ts';

interface ApplyOptions {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly subresource?: 'status';
}

/** Applies as the manager; the configuration needs neither apiVersion, kind nor name. */
const apply = (
  { cluster }: Subject,
  reference: ObjectReference,
  manager: string,
  configuration: JsonObject,
  { force = false, ...options }: ApplyOptions = {},
): Promise<KubernetesObject> => {
  const { group, version, kind } = reference.resource;
  const { metadata = {}, ...fields } = configuration;
  const body = {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { name: reference.name, ...(metadata as object) },
    ...fields,
  };
  return cluster.patch(reference, { type: 'apply', body, force }, { ...by(manager), ...options });
};

const labels = (values: JsonObject): JsonObject => ({ metadata: { labels: values } });

/** Without the moments, which are those of the subject's clock. */
const withoutTimes = ({ message, ...status }: ApiStatus): unknown => ({
  ...status,
  message,
  details: { causes: (status.details?.causes ?? []).toSorted((a, b) => `${a.message}${a.field}`.localeCompare(`${b.message}${b.field}`)) },
});

const podOf = (containers: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers, ...more } },
  },
});

const main = { name: 'main', image: 'registry.example/main:1' };

/** What a Deployment's controller writes is another suite's business. */
const ownersBesides = (object: KubernetesObject): readonly unknown[] =>
  ownersOf(object).filter(({ manager }) => manager !== 'kube-controller-manager');

const specOf = (object: KubernetesObject): unknown => {
  const { template } = object.spec as { readonly template: { readonly spec: JsonObject } };
  return { containers: template.spec['containers'], volumes: template.spec['volumes'], tolerations: template.spec['tolerations'] };
};

contract('Server-side apply', (behaviour) => {
  behaviour('creates what is not there, and owns what it says but no defaults', async (subject) => {
    const namespace = await subject.newNamespace();
    const reference = referTo(resources.deployments, namespace, 'a');
    const container = { ...main, ports: [{ containerPort: 80 }], env: [{ name: 'A', value: 'a' }], resources: { limits: { cpu: '1' } } };
    const created = await apply(subject, reference, 'ann', { ...labels({ app: 'a' }), ...podOf([container], { tolerations: [] }) });
    expect(created).toMatchObject({ metadata: { generation: 1 }, spec: { revisionHistoryLimit: 10 } });
    await expectRecorded('apply-created', ownersBesides(created));
  });

  behaviour('changes nothing the second time', async (subject) => {
    const namespace = await subject.newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    const created = await apply(subject, reference, 'ann', { data: { one: '1' } });
    expect(await apply(subject, reference, 'ann', { data: { one: '1' } })).toEqual(created);
    expect(Object.keys(created).toSorted()).toEqual(['apiVersion', 'data', 'kind', 'metadata']);
  });

  behaviour('shares a field with whoever applies the same value', async (subject) => {
    const namespace = await subject.newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    const created = await apply(subject, reference, 'ann', { data: { one: '1', two: '2' } });
    const shared = await apply(subject, reference, 'bob', { data: { one: '1' } });
    await expectRecorded('apply-shared', ownersOf(shared));
    expect(shared.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    const left = await apply(subject, reference, 'ann', { data: { two: '2' } });
    expect(left).toMatchObject({ data: { one: '1', two: '2' } });
    const alone = await apply(subject, reference, 'bob', {});
    expect(alone['data']).toEqual({ two: '2' });
    await expectRecorded('apply-shared-then-left', ownersOf(alone));
  });

  behaviour('is refused where others own a field with another value, and says which', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1', two: '2' } }), by('ann'));
    await apply(subject, reference, 'bob', { data: { three: '3' } });
    const one = await refusalOf(apply(subject, reference, 'cec', { data: { one: 'one' } }));
    await expectRecorded('apply-conflict-one', withoutTimes(one));
    const both = await refusalOf(apply(subject, reference, 'cec', { data: { one: 'one', two: 'two', three: 'three', four: '4' } }));
    await expectRecorded('apply-conflict-more', withoutTimes(both));
    expect((await current(subject, reference))['data']).toEqual({ one: '1', two: '2', three: '3' });
  });

  behaviour('names a field in a list by the keys of its item', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.deployments, namespace, 'a');
    await apply(
      subject,
      reference,
      'ann',
      podOf([{ ...main, ports: [{ containerPort: 80, name: 'web' }] }], { tolerations: [{ key: 'a' }] }),
    );
    await cluster.patch(reference, mergePatch({ spec: { replicas: 0, paused: true } }), by('bob'));
    const ports = [{ containerPort: 80, protocol: 'TCP', name: 'other' }];
    const wished = podOf([{ name: 'main', image: 'registry.example/main:2', ports }], { tolerations: [{ key: 'b' }] });
    const refusal = await refusalOf(
      apply(subject, reference, 'cec', { ...wished, spec: { ...(wished['spec'] as object), paused: false, selector: undefined } }),
    );
    await expectRecorded('apply-conflict-list', withoutTimes(refusal));
    await cluster.patch(reference, mergePatch({ spec: { replicas: 0 } }), { ...by('dan'), subresource: 'scale' });
  });

  behaviour('takes with force what others own', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1', two: '2' } }), by('ann'));
    await apply(subject, reference, 'bob', { data: { three: '3' } });
    const forced = await apply(subject, reference, 'cec', { data: { one: 'one', three: 'three' } }, { force: true });
    expect(forced['data']).toEqual({ one: 'one', two: '2', three: 'three' });
    await expectRecorded('apply-forced', ownersOf(forced));
  });

  behaviour('removes what it no longer applies, unless somebody else owns it', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await apply(subject, reference, 'ann', { ...labels({ app: 'a', tier: 'b' }), data: { one: '1', two: '2', three: '3' } });
    await cluster.patch(reference, mergePatch({ data: { two: 'two' }, metadata: { labels: { tier: 'c' } } }), by('bob'));
    const removed = await apply(subject, reference, 'ann', { data: { three: '3' } });
    expect(removed).toMatchObject({ data: { two: 'two', three: '3' }, metadata: { labels: { tier: 'c' } } });
    await expectRecorded('apply-removed', ownersOf(removed));
    const nothing = await apply(subject, reference, 'ann', {});
    expect(nothing['data']).toEqual({ two: 'two' });
    await expectRecorded('apply-nothing', ownersOf(nothing));
  });

  behaviour('hands a field over: one applies it too, then the other no longer does', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.deployments, namespace, 'a');
    const config = podOf([main]);
    await apply(subject, reference, 'ann', config);
    await cluster.patch(reference, mergePatch({ spec: { replicas: 1 } }), { ...by('scaler'), subresource: 'scale' });
    const { replicas: _, ...rest } = config['spec'] as JsonObject;
    expect((await refusalOf(apply(subject, reference, 'ann', config))).details?.causes).toMatchObject([{ field: '.spec.replicas' }]);
    const handed = await apply(subject, reference, 'ann', { ...config, spec: rest });
    expect(handed.spec).toMatchObject({ replicas: 1 });
    await expectRecorded('apply-handed-over', ownersBesides(handed));
  });

  behaviour('merges lists by key, keeps what others have added, and removes its own items', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.deployments, namespace, 'a');
    const env = (...names: readonly string[]): readonly JsonObject[] => names.map((name) => ({ name, value: name }));
    const volume = (name: string): JsonObject => ({ name, emptyDir: {} });
    const side = { name: 'side', image: 'registry.example/side:1' };
    await apply(
      subject,
      reference,
      'ann',
      podOf([{ ...main, env: env('A', 'B', 'C') }, side], { volumes: [volume('one'), volume('two')], tolerations: [{ key: 'a' }] }),
    );
    const added = {
      containers: [
        { name: 'main', env: env('X') },
        { name: 'extra', image: 'registry.example/extra:1' },
      ],
    };
    await cluster.patch(reference, { type: 'strategic', body: { spec: { template: { spec: added } } } }, by('bob'));
    const config = podOf([{ ...main, env: env('C', 'D', 'A') }], {
      volumes: [volume('two'), volume('three')],
      tolerations: [{ key: 'b' }],
    });
    const merged = await apply(subject, reference, 'ann', config);
    await expectRecorded('apply-lists', [specOf(merged), ownersBesides(merged)]);
    const without = await apply(subject, reference, 'ann', podOf([{ name: 'main', image: 'registry.example/main:1' }]));
    await expectRecorded('apply-lists-without', [specOf(without), ownersBesides(without)]);
  });

  behaviour('leaves fields of others in an item that it no longer applies', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.deployments, namespace, 'a');
    const side = { name: 'side', image: 'registry.example/side:1', args: ['--one'] };
    await apply(subject, reference, 'ann', podOf([main, side]));
    const changed = { containers: [{ name: 'side', image: 'registry.example/side:2' }] };
    await cluster.patch(reference, { type: 'strategic', body: { spec: { template: { spec: changed } } } }, by('bob'));
    const left = await apply(subject, reference, 'ann', podOf([main]));
    await expectRecorded('apply-item-of-another', [specOf(left), ownersBesides(left)]);
  });

  behaviour('owns the ports of a Service one by one, and its selector as a whole', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.services, namespace, 'a');
    await cluster.create(
      resources.services,
      service(namespace, 'a', {
        ports: [
          { name: 'web', port: 80 },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      }),
      by('ann'),
    );
    const ports = [
      { name: 'web', port: 80, targetPort: 80 },
      { name: 'more', port: 90 },
    ];
    const applied = await apply(subject, reference, 'bob', { spec: { ports } });
    const { clusterIP: _, clusterIPs: _all, ...spec } = applied.spec as JsonObject;
    await expectRecorded('apply-service', [spec, ownersOf(applied)]);
    const refusal = await refusalOf(apply(subject, reference, 'bob', { spec: { ports, selector: { app: 'a', tier: 'b' } } }));
    await expectRecorded('apply-service-conflict', withoutTimes(refusal));
    const forced = await apply(subject, reference, 'bob', { spec: { selector: { tier: 'b' } } }, { force: true });
    expect(forced.spec).toMatchObject({ selector: { tier: 'b' } });
    expect((forced.spec as { selector: unknown }).selector).toEqual({ tier: 'b' });
    await expectRecorded('apply-service-forced', ownersOf(forced));
  });

  behaviour('adds to finalizers and takes its own away', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.create(resources.configMaps, configMap(namespace, 'a', {}, { finalizers: ['example.com/one'] }), by('ann'));
    const both = await apply(subject, reference, 'bob', { metadata: { finalizers: ['example.com/two'] } });
    expect(both.metadata.finalizers).toEqual(['example.com/one', 'example.com/two']);
    await expectRecorded('apply-finalizers', ownersOf(both));
    const one = await apply(subject, reference, 'bob', { data: { by: 'bob' } });
    expect(one.metadata.finalizers).toEqual(['example.com/one']);
    await cluster.patch(reference, mergePatch({ metadata: { finalizers: null } }), by('ann'));
  });

  behaviour('calls what was there before anybody’s fields were known before-first-apply', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1', two: '2' } }), by('ann'));
    await cluster.patch(reference, mergePatch({ metadata: { managedFields: [{}] } }), by('ann'));
    const refusal = await refusalOf(apply(subject, reference, 'bob', { data: { one: 'one' } }));
    await expectRecorded('apply-first-conflict', withoutTimes(refusal));
    const applied = await apply(subject, reference, 'bob', { data: { one: '1', three: '3' } });
    await expectRecorded('apply-first', ownersOf(applied));
  });

  behaviour('applies a status through its subresource', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.create(resources.pods, pod(namespace, 'a'), by('ann'));
    const status = { message: 'from a test', conditions: [{ type: 'example.com/seen', status: 'True' }] };
    const applied = await apply(subject, reference, 'bob', { status, spec: { activeDeadlineSeconds: 5 } }, { subresource: 'status' });
    expect(applied).toMatchObject({ status: { message: 'from a test' } });
    expect(applied.spec).not.toHaveProperty('activeDeadlineSeconds');
    await expectRecorded(
      'apply-status',
      ownersOf(applied).filter(({ manager }) => manager === 'bob'),
    );
  });

  behaviour('shows in a dry run what would come of it', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    expect(await apply(subject, reference, 'ann', { data: { one: '1' } }, { dryRun: true })).toMatchObject({ data: { one: '1' } });
    expect(await cluster.get(reference)).toBeUndefined();
    await apply(subject, reference, 'ann', { data: { one: '1' } });
    const shown = await apply(subject, reference, 'bob', { data: { two: '2' } }, { dryRun: true });
    expect(shown['data']).toEqual({ one: '1', two: '2' });
    expect(ownersOf(await current(subject, reference))).toMatchObject([{ manager: 'ann' }]);
  });

  behaviour('refuses a configuration that names another kind, another object, or owners', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const reference = referTo(resources.configMaps, namespace, 'a');
    await apply(subject, reference, 'ann', { data: { one: '1' } });
    const send = (body: JsonObject): Promise<ApiStatus> => refusalOf(cluster.patch(reference, { type: 'apply', body }, by('ann')));
    const named = { metadata: { name: 'a' } };
    expect(await send({ apiVersion: 'v1', kind: 'Secret', ...named })).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(await send({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } })).toMatchObject({
      code: 400,
      message: 'the name of the object (b) does not match the name on the URL (a)',
    });
    expect(await send({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', managedFields: [{ manager: 'x' }] } })).toMatchObject({
      code: 400,
      message: 'metadata.managedFields must be nil',
    });
    const stale = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '1' }, data: { one: '2' } };
    expect(await send(stale)).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  behaviour('merges a custom resource without a schema map by map, its lists as a whole', async (subject) => {
    const { cluster, newNamespace } = subject;
    const widgets = await defineWidgets(subject);
    const namespace = await newNamespace();
    const reference = referTo(widgets, namespace, 'a');
    const created = await apply(subject, reference, 'ann', { spec: { size: 1, deep: { one: 1 }, parts: [{ name: 'one' }] } });
    await expectRecorded('apply-widget-created', ownersOf(created));
    await cluster.patch(reference, mergePatch({ spec: { deep: { two: 2 } } }), by('bob'));
    const refusal = await refusalOf(apply(subject, reference, 'cec', { spec: { parts: [{ name: 'one' }, { name: 'two' }] } }));
    await expectRecorded('apply-widget-conflict', withoutTimes(refusal));
    const changed = await apply(subject, reference, 'ann', { spec: { size: 2, parts: [{ name: 'two' }] } });
    await expectRecorded('apply-widget-changed', [changed.spec, ownersOf(changed)]);
  });

  behaviour('follows the list and map types of a custom resource’s schema', async (subject) => {
    const { cluster, newNamespace } = subject;
    const gadgets = await defineGadgets(subject);
    const namespace = await newNamespace();
    const reference = referTo(gadgets, namespace, 'a');
    const spec = {
      parts: [{ name: 'one', size: 1 }, { name: 'two' }],
      tags: ['a', 'b'],
      loose: [1, 2],
      fixed: { x: '1', y: '2' },
      open: { x: '1' },
    };
    const created = await apply(subject, reference, 'ann', { spec });
    await expectRecorded('apply-gadget-created', ownersOf(created));
    const added = { parts: [{ name: 'three', size: 3 }], tags: ['c'], open: { y: '2' } };
    const both = await apply(subject, reference, 'bob', { spec: added });
    await expectRecorded('apply-gadget-both', [both.spec, ownersOf(both)]);
    const refusal = await refusalOf(
      apply(subject, reference, 'cec', { spec: { fixed: { x: '1' }, loose: [1], parts: [{ name: 'one', size: 2 }] } }),
    );
    await expectRecorded('apply-gadget-conflict', withoutTimes(refusal));
    const left = await apply(subject, reference, 'ann', { spec: { parts: [{ name: 'two' }], tags: ['b'] } });
    await expectRecorded('apply-gadget-left', [left.spec, ownersOf(left)]);
    const patched = await cluster.patch(reference, mergePatch({ spec: { fixed: { z: '3' }, tags: ['b', 'd'] } }), by('dan'));
    await expectRecorded('apply-gadget-patched', ownersOf(patched));
  });

  behaviour('leaves nothing of a map that it alone filled, in a custom resource either', async (subject) => {
    const { newNamespace } = subject;
    const widgets = await defineWidgets(subject);
    const namespace = await newNamespace();
    const reference = referTo(widgets, namespace, 'a');
    await apply(subject, reference, 'ann', { spec: { size: 1, deep: { one: 1 } } });
    const changed = await apply(subject, reference, 'ann', { spec: { size: 1 } });
    await expectRecorded('apply-widget-emptied', [changed.spec, ownersOf(changed)]);
  });
});
