import { expect } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { contract } from '../contract.ts';
import { defineWidgets } from '../custom-resource.ts';
import { eventually } from '../eventually.ts';
import { configMap, current, deployment, jsonPatch, mergePatch, pod, referTo, resources, service } from '../objects.ts';
import { by, expectRecorded, ownersOf } from '../owners.ts';

const richPod = {
  initContainers: [{ name: 'setup', image: 'registry.example/setup:1' }],
  containers: [
    {
      name: 'main',
      image: 'registry.example/main:1',
      args: ['--serve'],
      env: [
        { name: 'PLAIN', value: 'a' },
        { name: 'FROM', valueFrom: { configMapKeyRef: { name: 'settings', key: 'from' } } },
      ],
      envFrom: [{ secretRef: { name: 'more' } }],
      ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP', name: 'dns' }],
      resources: { limits: { cpu: '1', 'nvidia.com/gpu': '1' }, requests: { memory: '1Gi' } },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
      readinessProbe: { httpGet: { path: '/ready', port: 80 } },
      securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
    },
  ],
  volumes: [
    { name: 'data', emptyDir: {} },
    { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'b' }] } },
  ],
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'gpu', operator: 'Exists' }],
  imagePullSecrets: [{ name: 'registry' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
      },
    },
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'host', labelSelector: { matchLabels: { app: 'a' } } } },
      ],
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { app: 'a' } } },
  ],
  schedulerName: 'nobody',
};

const richMetadata = {
  labels: { app: 'a', tier: 'model' },
  annotations: { 'example.com/note': 'seen' },
  finalizers: ['example.com/one', 'example.com/two'],
};

contract('Managed fields', (behaviour) => {
  behaviour('who creates a ConfigMap owns what it says', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(
      resources.configMaps,
      configMap(namespace, 'a', { data: { one: '1', two: '2' } }, { labels: { app: 'a' } }),
      by('ann'),
    );
    expect(ownersOf(created)).toEqual([
      {
        manager: 'ann',
        operation: 'Update',
        apiVersion: 'v1',
        time: 'now',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:data': { '.': {}, 'f:one': {}, 'f:two': {} },
          'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        },
      },
    ]);
  });

  behaviour('who creates a Deployment owns the defaults too, items of lists by their keys and selectors as a whole', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const created = await cluster.create(
      resources.deployments,
      deployment(namespace, 'a', { template: { metadata: { labels: { app: 'a' } }, spec: richPod } }, { labels: { app: 'a' } }),
      by('ann'),
    );
    await expectRecorded('deployment-created', ownersOf(created));
  });

  behaviour('who creates a pod does not own what admission adds', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { envFrom: _, ...container } = richPod.containers[0] ?? {};
    const created = await cluster.create(
      resources.pods,
      pod(namespace, 'a', { ...richPod, containers: [container] }, richMetadata),
      by('ann'),
    );
    await expectRecorded('pod-created', ownersOf(created));
    await cluster.patch(referTo(resources.pods, namespace, 'a'), mergePatch({ metadata: { finalizers: null } }), by('ann'));
  });

  behaviour('who creates a Service does not own the address that it is given', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const ports = [
      { name: 'web', port: 80, targetPort: 8080 },
      { name: 'dns', port: 80, protocol: 'UDP' },
    ];
    const created = await cluster.create(resources.services, service(namespace, 'a', { ports }), by('ann'));
    await expectRecorded('service-created', ownersOf(created));
  });

  behaviour('who puts a Service without its address takes nothing away', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(resources.services, service(namespace, 'a'), by('ann'));
    const put = service(namespace, 'a', { selector: { app: 'b' } });
    const replaced = await cluster.replace(resources.services, put, by('bob'));
    expect(replaced.spec).toMatchObject({ clusterIP: (created.spec as { clusterIP: string }).clusterIP });
    await expectRecorded('service-put', ownersOf(replaced));
  });

  behaviour('a namespace, a Lease, a Secret and an EndpointSlice have owners', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    const owned = [
      await current(subject, { resource: resources.namespaces, name: namespace }),
      await cluster.create(
        resources.leases,
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a', namespace }, spec: { holderIdentity: 'ann' } },
        by('ann'),
      ),
      await cluster.create(
        resources.secrets,
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a', namespace }, data: { key: 'MQ==' } },
        by('ann'),
      ),
      await cluster.create(
        resources.endpointSlices,
        {
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: { name: 'a', namespace },
          addressType: 'IPv4',
          ports: [{ name: 'web', port: 80, protocol: 'TCP' }],
          endpoints: [{ addresses: ['192.0.2.1'] }],
        },
        by('ann'),
      ),
    ];
    await expectRecorded('small-kinds-created', owned.map(ownersOf));
  });

  behaviour('a patch of any format takes what it changes, and leaves what it says again', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a', { replicas: 1 }), by('ann'));
    const reference = referTo(resources.deployments, namespace, 'a');
    const image = (value: string) => ({ spec: { template: { spec: { containers: [{ name: 'main', image: value }] } } } });
    await cluster.patch(reference, { type: 'strategic', body: image('registry.example/server:2.0') }, by('strategic'));
    await cluster.patch(reference, jsonPatch({ op: 'replace', path: '/spec/replicas', value: 2 }), by('json'));
    await cluster.patch(reference, mergePatch({ metadata: { labels: { seen: 'yes' } }, spec: { replicas: 2 } }), by('merge'));
    const patched = await cluster.patch(reference, mergePatch({ spec: { replicas: 2 } }), by('nobody'));
    await expectRecorded(
      'patched-in-all-formats',
      ownersOf(patched).filter(({ subresource }) => subresource === undefined),
    );
  });

  behaviour('a field that is removed is nobody’s, and a manager without fields is not listed', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1', two: '2' } }), by('ann'));
    const reference = referTo(resources.configMaps, namespace, 'a');
    await cluster.patch(reference, mergePatch({ data: { three: '3' } }), by('bob'));
    const changed = await cluster.patch(reference, mergePatch({ data: { three: null, two: null, one: 'one' } }), by('cec'));
    await expectRecorded('field-removed', ownersOf(changed));
    const emptied = await cluster.patch(reference, mergePatch({ data: null }), by('cec'));
    expect(emptied.metadata.managedFields).toBeUndefined();
  });

  behaviour('a write that changes nothing makes no version, whoever writes', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1' } }), by('ann'));
    const reference = referTo(resources.configMaps, namespace, 'a');
    for (const manager of ['ann', 'bob']) {
      const same = await cluster.patch(reference, mergePatch({ data: { one: '1' } }), by(manager));
      expect(same.metadata).toEqual(created.metadata);
    }
  });

  behaviour('a list of values is owned by value, a list without keys as a whole', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    await cluster.create(resources.pods, pod(namespace, 'a', { schedulerName: 'nobody' }, { finalizers: ['example.com/one'] }), by('ann'));
    const reference = referTo(resources.pods, namespace, 'a');
    await cluster.patch(reference, { type: 'strategic', body: { metadata: { finalizers: ['example.com/two'] } } }, by('bob'));
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    const before = await current(subject, reference);
    const { tolerations: kept } = before.spec as { readonly tolerations?: readonly unknown[] };
    const patched = await cluster.patch(reference, mergePatch({ spec: { tolerations: [...(kept ?? []), ...tolerations] } }), by('cec'));
    await expectRecorded('lists', ownersOf(patched));
    await cluster.patch(reference, mergePatch({ metadata: { finalizers: null } }), by('ann'));
  });

  behaviour('the number of replicas changes hands through the scale subresource', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a'), by('ann'));
    const reference = referTo(resources.deployments, namespace, 'a');
    const scale = async (replicas: number, manager: string): Promise<KubernetesObject> => {
      await cluster.patch(reference, mergePatch({ spec: { replicas } }), { ...by(manager), subresource: 'scale' });
      return await current(subject, reference);
    };
    const replicasOwners = (object: KubernetesObject): unknown =>
      ownersOf(object).filter(({ fieldsV1 }) => 'f:replicas' in ((fieldsV1 as { 'f:spec'?: object })['f:spec'] ?? {}));
    const entry = {
      operation: 'Update',
      apiVersion: 'apps/v1',
      subresource: 'scale',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    };
    expect(replicasOwners(await scale(1, 'bob'))).toEqual([{ ...entry, manager: 'bob' }]);
    expect(replicasOwners(await scale(2, 'bob'))).toEqual([{ ...entry, manager: 'bob' }]);
    expect(replicasOwners(await scale(1, 'cec'))).toEqual([{ ...entry, manager: 'cec' }]);
    const back = await cluster.patch(reference, mergePatch({ spec: { replicas: 3 } }), by('dan'));
    expect(replicasOwners(back)).toMatchObject([{ manager: 'dan', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }]);
    expect(replicasOwners(await scale(0, 'bob'))).toEqual([]); // a Scale does not carry a 0
    expect(replicasOwners(await scale(1, 'bob'))).toEqual([]); // and nobody takes what was nobody's
  });

  behaviour('a Scale that changes nothing splits the entry of who owns the number', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a'), by('ann'));
    const reference = referTo(resources.deployments, namespace, 'a');
    await eventually(subject, { resource: resources.deployments, namespace }, ([object]) => isSettled(object));
    await cluster.patch(reference, mergePatch({ spec: { replicas: 0 } }), { ...by('bob'), subresource: 'scale' });
    const [number, rest] = ownersOf(await current(subject, reference)).filter(({ manager }) => manager === 'ann');
    expect(number).toEqual({
      manager: 'ann',
      operation: 'Update',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    });
    expect(rest).toMatchObject({ time: 'now', fieldsV1: { 'f:spec': { 'f:selector': {} } } });
    expect(rest?.fieldsV1).not.toHaveProperty(['f:spec', 'f:replicas']);
  });

  behaviour('a status is owned through its subresource, and no spec that is sent with it', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.pods, pod(namespace, 'a', { schedulerName: 'nobody' }), by('ann'));
    const reference = referTo(resources.pods, namespace, 'a');
    const conditions = [{ type: 'Ready', status: 'False' }];
    const status = { message: 'from a test', conditions };
    const written = await cluster.patch(
      reference,
      { type: 'strategic', body: { metadata: { annotations: { by: 'test' } }, spec: { activeDeadlineSeconds: 5 }, status } },
      { ...by('bob'), subresource: 'status' },
    );
    await expectRecorded(
      'status-written',
      ownersOf(written).find(({ manager }) => manager === 'bob'),
    );
  });

  behaviour('a dry run shows who would own what, and stores nothing', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1' } }), by('ann'));
    const reference = referTo(resources.configMaps, namespace, 'a');
    const shown = await cluster.patch(reference, mergePatch({ data: { one: '2' } }), { ...by('bob'), dryRun: true });
    expect(ownersOf(shown)).toMatchObject([{ manager: 'ann' }, { manager: 'bob', fieldsV1: { 'f:data': { 'f:one': {} } } }]);
    expect(ownersOf(await current(subject, reference))).toMatchObject([{ manager: 'ann' }]);
  });

  behaviour('a client can set who owns what, and have it forgotten', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(resources.configMaps, configMap(namespace, 'a', { data: { one: '1' } }), by('ann'));
    const reference = referTo(resources.configMaps, namespace, 'a');
    const entries = (created.metadata.managedFields ?? []).map((entry) => ({ ...entry, manager: 'bob', operation: 'Apply' }));
    const handed = await cluster.patch(reference, mergePatch({ metadata: { managedFields: entries } }), by('cec'));
    expect(ownersOf(handed)).toMatchObject([{ manager: 'bob', operation: 'Apply' }]);
    const forgotten = await cluster.patch(reference, mergePatch({ metadata: { managedFields: [{}] } }), by('cec'));
    expect(forgotten.metadata.managedFields).toBeUndefined();
    const later = await cluster.patch(reference, mergePatch({ data: { two: '2' } }), by('cec'));
    expect(later.metadata.managedFields).toBeUndefined();
  });

  behaviour('a custom resource without a schema is owned map by map, its lists as a whole', async (subject) => {
    const { cluster, newNamespace } = subject;
    const widgets = await defineWidgets(subject);
    const namespace = await newNamespace();
    const widget = {
      apiVersion: 'contract.example/v1',
      kind: 'Widget',
      metadata: { name: 'a', namespace, labels: { app: 'a' } },
      spec: { size: 1, parts: [{ name: 'one' }], deep: { er: { value: true, none: {} } } },
    };
    await cluster.create(widgets, widget, by('ann'));
    const reference = referTo(widgets, namespace, 'a');
    const patched = await cluster.patch(
      reference,
      mergePatch({ spec: { parts: [{ name: 'two' }], deep: { er: { value: false } } } }),
      by('bob'),
    );
    await expectRecorded('widget-patched', ownersOf(patched));
  });

  behaviour('what the controllers of a Deployment make and write is theirs', async (subject) => {
    const { cluster, newNamespace } = subject;
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a', { replicas: 1 }), by('ann'));
    const [rolledOut] = await eventually(subject, { resource: resources.deployments, namespace }, ([object]) => {
      const { readyReplicas = 0 } = (object?.status ?? {}) as { readyReplicas?: number };
      return readyReplicas === 1;
    });
    const namesOf = (object: KubernetesObject | undefined): unknown =>
      (object?.metadata.managedFields ?? [])
        .map(({ manager, operation, subresource }) => [manager === 'kwok' ? 'kubelet' : manager, operation, subresource].join(' '))
        .toSorted();
    expect(namesOf(rolledOut)).toEqual(['ann Update ', 'kube-controller-manager Update status']);
    const [replicaSet] = (await cluster.list({ resource: resources.replicaSets, namespace })).items;
    const [made] = (await cluster.list({ resource: resources.pods, namespace })).items;
    expect(namesOf(replicaSet)).toEqual(['kube-controller-manager Update ', 'kube-controller-manager Update status']);
    expect(namesOf(made)).toEqual(['kube-controller-manager Update ', 'kubelet Update status']);
    const anonymous = (object: KubernetesObject | undefined, subresource: string | undefined): unknown =>
      JSON.parse(
        JSON.stringify((object === undefined ? [] : ownersOf(object)).filter((entry) => entry.subresource === subresource)).replaceAll(
          /[0-9a-f]{8}-[0-9a-f-]{27}/g,
          'UID',
        ),
      );
    await expectRecorded('deployment-status', anonymous(rolledOut, 'status'));
    await expectRecorded('replica-set', anonymous(replicaSet, undefined));
    await expectRecorded('replica-set-status', anonymous(replicaSet, 'status'));
    await expectRecorded('pod-of-replica-set', anonymous(made, undefined));
  });
});

/** Its controller has nothing more to write. */
const isSettled = (object: KubernetesObject | undefined): boolean => {
  const { conditions = [] } = (object?.status ?? {}) as { readonly conditions?: readonly { readonly reason?: string }[] };
  return conditions.some(({ reason }) => reason === 'NewReplicaSetAvailable');
};
