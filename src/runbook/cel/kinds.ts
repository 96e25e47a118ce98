import type { Fields } from './fields.ts';

const labels = 'map<string, string>';

const metadata: Fields = {
  name: 'string',
  namespace: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'int',
  creationTimestamp: 'timestamp',
  deletionTimestamp: 'timestamp',
  labels,
  annotations: labels,
  finalizers: 'list<string>',
  ownerReferences: [{ apiVersion: 'string', kind: 'string', name: 'string', uid: 'string', controller: 'bool' }],
};

const conditions: readonly [Fields] = [
  { type: 'string', status: 'string', reason: 'string', message: 'string', lastTransitionTime: 'timestamp' },
];

const selector: Fields = { matchLabels: labels, matchExpressions: [{ key: 'string', operator: 'string', values: 'list<string>' }] };

const container: Fields = {
  name: 'string',
  image: 'string',
  imagePullPolicy: 'string',
  command: 'list<string>',
  args: 'list<string>',
  workingDir: 'string',
  env: [{ name: 'string', value: 'string', valueFrom: 'dyn' }],
  ports: [{ name: 'string', containerPort: 'int', protocol: 'string' }],
  resources: { limits: 'map<string, dyn>', requests: 'map<string, dyn>' },
  volumeMounts: [{ name: 'string', mountPath: 'string', subPath: 'string', readOnly: 'bool' }],
  livenessProbe: 'dyn',
  readinessProbe: 'dyn',
  startupProbe: 'dyn',
  lifecycle: 'dyn',
  securityContext: 'dyn',
};

const podSpec: Fields = {
  nodeName: 'string',
  nodeSelector: labels,
  serviceAccountName: 'string',
  runtimeClassName: 'string',
  schedulerName: 'string',
  priorityClassName: 'string',
  priority: 'int',
  restartPolicy: 'string',
  terminationGracePeriodSeconds: 'int=30',
  hostNetwork: 'bool',
  containers: [container],
  initContainers: [container],
  volumes: 'list<dyn>',
  tolerations: 'list<dyn>',
  affinity: 'dyn',
  securityContext: 'dyn',
  readinessGates: [{ conditionType: 'string' }],
};

const template: Fields = { metadata: { labels, annotations: labels }, spec: podSpec };

const containerStatus: Fields = {
  name: 'string',
  image: 'string',
  imageID: 'string',
  containerID: 'string',
  ready: 'bool',
  started: 'bool',
  restartCount: 'int',
  state: 'dyn',
  lastState: 'dyn',
};

/**
 * The kinds that conditions are checked against when a runbook is loaded. Objects of other kinds can be used too; their fields are
 * looked up when the condition is asked.
 *
 * Source: Kubernetes API reference, Deployment and StatefulSet v1 apps, Service and Pod v1.
 */
export const typedKinds: Readonly<Record<string, Fields>> = {
  Deployment: {
    apiVersion: 'string',
    kind: 'string',
    metadata,
    spec: {
      replicas: 'int=1',
      paused: 'bool',
      minReadySeconds: 'int',
      progressDeadlineSeconds: 'int=600',
      revisionHistoryLimit: 'int=10',
      selector,
      strategy: { type: 'string', rollingUpdate: 'dyn' },
      template,
    },
    status: {
      observedGeneration: 'int',
      replicas: 'int',
      updatedReplicas: 'int',
      readyReplicas: 'int',
      availableReplicas: 'int',
      unavailableReplicas: 'int',
      terminatingReplicas: 'int',
      collisionCount: 'int',
      conditions,
    },
  },
  StatefulSet: {
    apiVersion: 'string',
    kind: 'string',
    metadata,
    spec: {
      replicas: 'int=1',
      serviceName: 'string',
      podManagementPolicy: 'string',
      minReadySeconds: 'int',
      revisionHistoryLimit: 'int=10',
      selector,
      updateStrategy: { type: 'string', rollingUpdate: 'dyn' },
      template,
    },
    status: {
      observedGeneration: 'int',
      replicas: 'int',
      readyReplicas: 'int',
      currentReplicas: 'int',
      updatedReplicas: 'int',
      availableReplicas: 'int',
      currentRevision: 'string',
      updateRevision: 'string',
      collisionCount: 'int',
      conditions,
    },
  },
  Service: {
    apiVersion: 'string',
    kind: 'string',
    metadata,
    spec: {
      type: 'string',
      clusterIP: 'string',
      clusterIPs: 'list<string>',
      externalName: 'string',
      selector: labels,
      ports: [{ name: 'string', protocol: 'string', appProtocol: 'string', port: 'int', targetPort: 'dyn', nodePort: 'int' }],
      sessionAffinity: 'string',
      publishNotReadyAddresses: 'bool',
      internalTrafficPolicy: 'string',
      externalTrafficPolicy: 'string',
      ipFamilies: 'list<string>',
      ipFamilyPolicy: 'string',
    },
    status: { loadBalancer: 'dyn', conditions },
  },
  Pod: {
    apiVersion: 'string',
    kind: 'string',
    metadata,
    spec: podSpec,
    status: {
      phase: 'string',
      reason: 'string',
      message: 'string',
      podIP: 'string',
      hostIP: 'string',
      startTime: 'timestamp',
      qosClass: 'string',
      conditions,
      containerStatuses: [containerStatus],
      initContainerStatuses: [containerStatus],
    },
  },
};
