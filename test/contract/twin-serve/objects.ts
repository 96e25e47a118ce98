import type { JsonObject } from '../../../src/kubernetes/json.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';

/** An object for the real server to print, and the status that it is given after its creation. */
export interface Printed {
  readonly object: KubernetesObject;
  readonly status?: JsonObject;
}

const template = {
  metadata: { labels: { app: 'a' } },
  spec: {
    schedulerName: 'nobody',
    nodeSelector: { disk: 'fast', arch: 'amd64' },
    containers: [
      { name: 'main', image: 'registry.example/main:1' },
      { name: 'side', image: 'registry.example/side:1' },
    ],
  },
};
const jobTemplate = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = {
  matchLabels: { app: 'a' },
  matchExpressions: [
    { key: 'tier', operator: 'NotIn', values: ['web', 'db'] },
    { key: 'app', operator: 'In', values: ['b', 'a'] },
    { key: 'canary', operator: 'DoesNotExist' },
  ],
};
const metric = (type: string, field: string, source: JsonObject): JsonObject => ({ type, [field]: source });
const cpu = metric('Resource', 'resource', { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } });
const external = { metric: { name: 'depth' } };

/** Objects of a namespace whose cells say more than a name and an age. */
export const printedIn = (namespace: string): readonly Printed[] => {
  const make = (apiVersion: string, kind: string, name: string, fields: JsonObject, status?: JsonObject): Printed => ({
    object: { apiVersion, kind, metadata: { name, namespace }, ...fields },
    ...(status === undefined ? {} : { status }),
  });
  const service = (name: string, spec: JsonObject, status?: JsonObject): Printed => make('v1', 'Service', name, { spec }, status);
  const port = { name: 'web', port: 80 };
  const autoscaler = (name: string, spec: JsonObject, status?: JsonObject): Printed =>
    make(
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      name,
      { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 5, ...spec } },
      status,
    );
  const job = (name: string, spec: JsonObject): Printed => make('batch/v1', 'Job', name, { spec: { template: jobTemplate, ...spec } });
  const claim = (name: string, spec: JsonObject): Printed =>
    make('v1', 'PersistentVolumeClaim', name, {
      spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], resources: { requests: { storage: '1Gi' } }, ...spec },
    });
  const ingress = (name: string, spec: JsonObject, status?: JsonObject): Printed =>
    make(
      'networking.k8s.io/v1',
      'Ingress',
      name,
      { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } }, ...spec } },
      status,
    );
  const addresses = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `192.0.2.${index + 1}`);
  return [
    make('apps/v1', 'Deployment', 'a', { spec: { replicas: 2, selector, template } }),
    make('apps/v1', 'Deployment', 'empty', { spec: { replicas: 0, selector: { matchLabels: { app: 'a' } }, template } }),
    make('apps/v1', 'StatefulSet', 'a', { spec: { replicas: 3, serviceName: 'a', selector: { matchLabels: { app: 'a' } }, template } }),
    make('apps/v1', 'DaemonSet', 'a', { spec: { selector, template } }),
    make('v1', 'ReplicationController', 'a', { spec: { replicas: 1, selector: { app: 'a' }, template } }),
    make('v1', 'PodTemplate', 'a', { template }),
    job('plain', {}),
    job('many', { completions: 4, parallelism: 2 }),
    job('work-queue', { parallelism: 3 }),
    job('suspended', { suspend: true }),
    job('failing', { activeDeadlineSeconds: 1 }),
    make('batch/v1', 'CronJob', 'a', { spec: { schedule: '0 3 * * *', suspend: true, jobTemplate: { spec: { template: jobTemplate } } } }),
    make(
      'batch/v1',
      'CronJob',
      'zoned',
      { spec: { schedule: '@hourly', timeZone: 'Etc/UTC', jobTemplate: { spec: { template: jobTemplate } } } },
      { lastScheduleTime: '2026-01-01T00:00:00Z' },
    ),
    service('plain', { selector: { tier: 'x', app: 'a' }, ports: [port, { name: 'dns', port: 53, protocol: 'UDP' }] }),
    service('headless', { clusterIP: 'None' }),
    service('node-port', { type: 'NodePort', ports: [port], externalIPs: ['192.0.2.9', '192.0.2.8'] }),
    service('pending', { type: 'LoadBalancer', ports: [port] }),
    service(
      'balanced',
      { type: 'LoadBalancer', ports: [port], externalIPs: ['192.0.2.9'] },
      { loadBalancer: { ingress: [{ ip: '203.0.113.9' }, { hostname: 'a-very-long-name.balancer.example' }] } },
    ),
    service('named', { type: 'ExternalName', externalName: 'db.example' }),
    make('v1', 'Endpoints', 'none', {}),
    make('v1', 'Endpoints', 'few', { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }),
    make('v1', 'Endpoints', 'many', {
      subsets: [
        {
          addresses: addresses(3).map((ip) => ({ ip })),
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 443 },
          ],
        },
      ],
    }),
    make('v1', 'Endpoints', 'portless', { subsets: [{ addresses: addresses(5).map((ip) => ({ ip })) }] }),
    make('v1', 'Endpoints', 'not-ready', { subsets: [{ notReadyAddresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] }),
    make('discovery.k8s.io/v1', 'EndpointSlice', 'none', { addressType: 'IPv4', endpoints: [] }),
    make('discovery.k8s.io/v1', 'EndpointSlice', 'many', {
      addressType: 'IPv4',
      ports: [{ name: 'a', port: 80 }, { name: 'b' }],
      endpoints: addresses(5).map((address) => ({ addresses: [address] })),
    }),
    make('discovery.k8s.io/v1', 'EndpointSlice', 'four-ports', {
      addressType: 'IPv6',
      ports: [1, 2, 3, 4].map((number) => ({ name: `p${number}`, port: number })),
      endpoints: [{ addresses: ['2001:db8::1'] }],
    }),
    make('v1', 'ConfigMap', 'a', { data: { one: '1', two: '2' }, binaryData: { three: 'Mw==' } }),
    make('v1', 'Secret', 'a', { type: 'example.com/token', data: { one: 'MQ==' } }),
    make('v1', 'ServiceAccount', 'a', { secrets: [{ name: 'a' }, { name: 'b' }] }),
    make('v1', 'LimitRange', 'a', { spec: { limits: [] } }),
    make(
      'v1',
      'ResourceQuota',
      'of-short-lived-pods',
      {
        spec: {
          scopes: ['Terminating'],
          hard: { 'limits.cpu': '4', 'limits.memory': '8Gi', 'requests.cpu': '1500m', pods: '1000' },
        },
      },
      { hard: { 'limits.cpu': '4', 'limits.memory': '8Gi', 'requests.cpu': '1500m', pods: '1000' }, used: { 'limits.cpu': '500m' } },
    ),
    make('v1', 'ResourceQuota', 'of-secrets', { spec: { hard: { 'count/secrets': '1000' } } }),
    claim('bound', { volumeName: `${namespace}-bound`, storageClassName: 'printed' }),
    claim('pending', { storageClassName: 'nobody-provides', volumeMode: 'Block' }),
    make('networking.k8s.io/v1', 'NetworkPolicy', 'all', { spec: { podSelector: {}, policyTypes: ['Ingress'] } }),
    make('networking.k8s.io/v1', 'NetworkPolicy', 'some', { spec: { podSelector: selector, policyTypes: ['Ingress'] } }),
    ingress('any', {}),
    ingress('three', {
      ingressClassName: 'printed',
      tls: [{ hosts: ['a.example'] }],
      rules: [{ host: 'a.example' }, { host: 'b.example' }, { host: 'c.example' }],
    }),
    ingress(
      'more',
      { rules: [{ host: 'a.example' }, {}, { host: 'b.example' }, { host: 'c.example' }, { host: 'd.example' }] },
      { loadBalancer: { ingress: [{ ip: '203.0.113.9' }, { hostname: 'balancer.example' }] } },
    ),
    make('coordination.k8s.io/v1', 'Lease', 'held', { spec: { holderIdentity: 'somebody' } }),
    make('coordination.k8s.io/v1', 'Lease', 'free', { spec: {} }),
    make('policy/v1', 'PodDisruptionBudget', 'least', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } }),
    make('policy/v1', 'PodDisruptionBudget', 'most', { spec: { maxUnavailable: '25%', selector: { matchLabels: { app: 'b' } } } }),
    autoscaler(
      'plain',
      { metrics: [cpu], minReplicas: 2 },
      {
        currentReplicas: 3,
        desiredReplicas: 3,
        currentMetrics: [metric('Resource', 'resource', { name: 'cpu', current: { averageUtilization: 42, averageValue: '84m' } })],
      },
    ),
    autoscaler('many', {
      metrics: [
        metric('External', 'external', { ...external, target: { type: 'AverageValue', averageValue: '30' } }),
        metric('External', 'external', { ...external, target: { type: 'Value', value: '1500m' } }),
        cpu,
      ],
    }),
    autoscaler('pods', {
      metrics: [
        metric('Pods', 'pods', { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '1k' } }),
        metric('Resource', 'resource', { name: 'memory', target: { type: 'AverageValue', averageValue: '512Mi' } }),
      ],
    }),
    autoscaler('object', {
      metrics: [
        metric('Object', 'object', {
          describedObject: { kind: 'Service', name: 'a' },
          metric: { name: 'rate' },
          target: { type: 'Value', value: '7' },
        }),
        metric('ContainerResource', 'containerResource', {
          name: 'cpu',
          container: 'main',
          target: { type: 'Utilization', averageUtilization: 50 },
        }),
      ],
    }),
    make('rbac.authorization.k8s.io/v1', 'Role', 'a', { rules: [] }),
    make('rbac.authorization.k8s.io/v1', 'RoleBinding', 'a', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' },
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'ops' },
        { kind: 'ServiceAccount', namespace, name: 'a' },
      ],
    }),
    make('v1', 'Event', 'old-style', {
      involvedObject: { kind: 'Pod', namespace, name: 'a', fieldPath: 'spec.containers{main}' },
      type: 'Warning',
      reason: 'BackOff',
      message: ' Back-off restarting failed container\n',
      source: { component: 'kubelet', host: 'worker-1' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-02-01T00:00:00Z',
      count: 12,
    }),
    make('v1', 'Event', 'new-style', {
      involvedObject: { kind: 'Pod', namespace },
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      eventTime: '2026-01-01T00:00:00.123456Z',
      reportingComponent: 'default-scheduler',
      reportingInstance: 'scheduler-1',
      series: { count: 3, lastObservedTime: '2026-03-01T00:00:00.123456Z' },
    }),
    make('v1', 'Event', 'single', {
      involvedObject: { kind: 'Node', namespace, name: 'worker-1' },
      type: 'Normal',
      reason: 'Started',
      action: 'Starting',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingComponent: 'kubelet',
      reportingInstance: 'worker-1',
    }),
  ];
};

/** Objects of no namespace, which have to be removed again. `prefix` makes their names the test's own. */
export const printedClusterWide = (prefix: string): readonly Printed[] => {
  const make = (apiVersion: string, kind: string, name: string, fields: JsonObject, annotations = {}): Printed => ({
    object: { apiVersion, kind, metadata: { name: `${prefix}-${name}`, annotations }, ...fields },
  });
  const volume = (name: string, spec: JsonObject): Printed =>
    make('v1', 'PersistentVolume', name, {
      spec: {
        capacity: { storage: '2Gi' },
        accessModes: ['ReadOnlyMany', 'ReadWriteOnce', 'ReadWriteMany', 'ReadWriteOncePod'].slice(0, 3),
        hostPath: { path: '/var/lib/printed' },
        ...spec,
      },
    });
  const node = (name: string, labels: Readonly<Record<string, string>>, spec: JsonObject, status: JsonObject): Printed => ({
    object: { apiVersion: 'v1', kind: 'Node', metadata: { name: `${prefix}-${name}`, labels }, spec },
    status,
  });
  const inert = { resourceRules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] }] };
  return [
    volume('bound', { claimRef: { namespace: prefix, name: 'bound' }, storageClassName: 'printed' }),
    volume('free', { persistentVolumeReclaimPolicy: 'Delete' }),
    volume('annotated', {}),
    make('storage.k8s.io/v1', 'StorageClass', 'plain', { provisioner: 'example.com/disk', allowVolumeExpansion: true }),
    make(
      'storage.k8s.io/v1',
      'StorageClass',
      'late',
      { provisioner: 'example.com/disk', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
      { 'storageclass.beta.kubernetes.io/is-default-class': 'true' },
    ),
    make('scheduling.k8s.io/v1', 'PriorityClass', 'high', { value: 1000, preemptionPolicy: 'Never' }),
    make('node.k8s.io/v1', 'RuntimeClass', 'nvidia', { handler: 'nvidia' }),
    make('networking.k8s.io/v1', 'IngressClass', 'plain', { spec: { controller: 'example.com/ingress' } }),
    make('networking.k8s.io/v1', 'IngressClass', 'configured', {
      spec: { controller: 'example.com/ingress', parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'a' } },
    }),
    make('rbac.authorization.k8s.io/v1', 'ClusterRole', 'a', { rules: [] }),
    make('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'a', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `${prefix}-a` },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'ops' }],
    }),
    make('storage.k8s.io/v1', 'CSIDriver', 'plain', { spec: {} }),
    make('storage.k8s.io/v1', 'CSIDriver', 'full', {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      },
    }),
    make('storage.k8s.io/v1', 'CSINode', 'a', { spec: { drivers: [{ name: 'disk.example.com', nodeID: 'a' }] } }),
    make('storage.k8s.io/v1', 'VolumeAttachment', 'a', {
      spec: { attacher: 'disk.example.com', nodeName: 'worker-1', source: { persistentVolumeName: `${prefix}-free` } },
    }),
    make('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', 'a', {
      spec: {
        matchConstraints: inert,
        paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' },
        validations: [{ expression: 'true' }, { expression: '1 < 2' }],
      },
    }),
    make('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'a', {
      webhooks: [
        {
          name: 'a.example.com',
          clientConfig: { url: 'https://127.0.0.1:9/none' },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Ignore',
          rules: inert.resourceRules,
        },
      ],
    }),
    make('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'a', { webhooks: [] }),
    node(
      'cordoned',
      { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'gpu' },
      { unschedulable: true },
      {
        conditions: [{ type: 'Ready', status: 'False' }],
        addresses: [
          { type: 'ExternalIP', address: '203.0.113.5' },
          { type: 'InternalIP', address: '192.0.2.5' },
        ],
        nodeInfo: {
          kubeletVersion: 'v1.34.4',
          osImage: 'Debian 12',
          kernelVersion: '6.1',
          containerRuntimeVersion: 'containerd://1.6',
          machineID: '',
          systemUUID: '',
          bootID: '',
          kubeProxyVersion: '',
          operatingSystem: 'linux',
          architecture: 'amd64',
        },
      },
    ),
    node('silent', {}, {}, {}),
  ];
};

/** A custom resource whose definition names columns of every type. */
export const widgetDefinition = (group: string): KubernetesObject => {
  const column = (name: string, type: string, jsonPath: string, more: JsonObject = {}): JsonObject => ({ name, type, jsonPath, ...more });
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema,
          additionalPrinterColumns: [
            column('Size', 'integer', '.spec.size', { format: 'int32', description: 'How large it is.' }),
            column('Share', 'number', '.spec.share', { priority: 1 }),
            column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status'),
            column('Loud', 'boolean', '.spec.loud'),
            column('Since', 'date', '.spec.since'),
            column('First', 'string', '.spec.list[0]'),
            column('Last', 'string', '.spec.list[-1]'),
            column('All', 'string', '.spec.list[*]'),
            column('Map', 'string', '.spec.map'),
            column('Dotted', 'string', ".metadata.annotations['example\\.com/note']"),
            column('Escaped', 'string', '.metadata.annotations.example\\.com/note'),
            column('Big', 'string', '.spec.parts[?(@.size>5)].name'),
            column('Number as text', 'string', '.spec.size'),
            column('Age', 'date', '.metadata.creationTimestamp'),
          ],
        },
      ],
    },
  };
};

export const widgets = (group: string, namespace: string): readonly KubernetesObject[] => {
  const make = (name: string, fields: JsonObject, annotations = {}): KubernetesObject => ({
    apiVersion: `${group}/v1`,
    kind: 'Widget',
    metadata: { name, namespace, annotations },
    ...fields,
  });
  return [
    make('empty', {}),
    make(
      'full',
      {
        spec: {
          size: 3,
          share: 0.5,
          loud: false,
          since: '2026-01-01T00:00:00Z',
          list: ['one', 'two', 'three'],
          map: { b: 1, a: [true] },
          parts: [
            { name: 'small', size: 1 },
            { name: 'large', size: 9 },
          ],
        },
        status: {
          conditions: [
            { type: 'Stored', status: 'True' },
            { type: 'Ready', status: 'False' },
          ],
        },
      },
      { 'example.com/note': 'seen' },
    ),
    make('odd', { spec: { size: 'three', share: 2, loud: 'yes', since: 'yesterday', list: [], map: null } }),
  ];
};
