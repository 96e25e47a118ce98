import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { deployment, pod, resources, service, written } from '../objects.ts';

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const container = {
  name: 'main',
  image: 'registry.example/server:1.0',
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

const podSpec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

contract('What the API server fills in', (behaviour) => {
  behaviour('a Deployment', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { spec, status } = await cluster.create(
      resources.deployments,
      deployment(namespace, 'a', { replicas: undefined, paused: true }),
      written,
    );
    expect(spec).toEqual({
      replicas: 1,
      paused: true,
      selector: { matchLabels: { app: 'a' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { metadata: { labels: { app: 'a' } }, spec: { ...podSpec, containers: [container] } },
    });
    expect(status).toEqual({});
  });

  behaviour('a Deployment that says Recreate gets no parameters of a rolling update', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { spec } = await cluster.create(resources.deployments, deployment(namespace, 'a', { strategy: { type: 'Recreate' } }), written);
    expect(spec).toMatchObject({ strategy: { type: 'Recreate' } });
    expect((spec as { strategy: unknown }).strategy).toEqual({ type: 'Recreate' });
  });

  behaviour('half a rolling update', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { spec } = await cluster.create(
      resources.deployments,
      deployment(namespace, 'a', { strategy: { rollingUpdate: { maxSurge: 0 } } }),
      written,
    );
    expect((spec as { strategy: unknown }).strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' },
    });
  });

  behaviour('a ReplicaSet', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { spec } = deployment(namespace, 'a', {
      replicas: undefined,
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { nodeSelector: { none: 'such' }, containers: [{ name: 'main', image: 'registry.example/server:1.0' }] },
      },
    });
    const created = await cluster.create(
      resources.replicaSets,
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'a', namespace }, spec },
      written,
    );
    expect(created).toMatchObject({
      metadata: { generation: 1 },
      spec: { replicas: 1, template: { spec: podSpec } },
      status: { replicas: 0 },
    });
  });

  behaviour('a pod', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(resources.pods, pod(namespace, 'a'), written);
    expect(created.spec).toMatchObject({
      ...podSpec,
      schedulerName: 'nobody',
      serviceAccountName: 'default',
      serviceAccount: 'default',
      enableServiceLinks: true,
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
      containers: [container],
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      ],
    });
    expect(created.status).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
  });

  behaviour('what a container limits, it requests: in pods, not in templates', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const limited = {
      name: 'main',
      image: 'registry.example/server:1.0',
      resources: { limits: { 'nvidia.com/gpu': '1', memory: '24Gi' }, requests: { memory: '1Gi' } },
    };
    const created = await cluster.create(resources.pods, pod(namespace, 'a', { containers: [limited] }), written);
    expect(created).toMatchObject({
      spec: {
        containers: [
          { resources: { limits: { 'nvidia.com/gpu': '1', memory: '24Gi' }, requests: { 'nvidia.com/gpu': '1', memory: '1Gi' } } },
        ],
      },
      status: { qosClass: 'Burstable' },
    });
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [limited] } };
    const parked = await cluster.create(resources.deployments, deployment(namespace, 'a', { template }), written);
    expect((parked.spec as { template: { spec: { containers: unknown } } }).template.spec.containers).toMatchObject([
      { resources: limited.resources },
    ]);
    expect(JSON.stringify(parked.spec)).not.toContain('"requests":{"memory":"1Gi","nvidia.com/gpu"');
  });

  behaviour('a pod whose limits are its requests is Guaranteed', async ({ cluster, newNamespace }) => {
    const limited = { name: 'main', image: 'registry.example/server:1.0', resources: { limits: { cpu: '1', memory: '1Gi' } } };
    const created = await cluster.create(resources.pods, pod(await newNamespace(), 'a', { containers: [limited] }), written);
    expect(created).toMatchObject({ status: { qosClass: 'Guaranteed' } });
  });

  const pullPolicies: readonly (readonly [string, string])[] = [
    ['registry.example/server', 'Always'],
    ['registry.example:5000/server', 'Always'],
    ['registry.example/server:latest', 'Always'],
    ['registry.example/server:sm70', 'IfNotPresent'],
    ['registry.example/server@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'IfNotPresent'],
    ['registry.example/server:latest@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'Always'],
  ];
  for (const [image, policy] of pullPolicies) {
    behaviour(`${image} is pulled ${policy}`, async ({ cluster, newNamespace }) => {
      const created = await cluster.create(
        resources.pods,
        pod(await newNamespace(), 'a', { containers: [{ name: 'main', image }] }),
        written,
      );
      expect(created).toMatchObject({ spec: { containers: [{ imagePullPolicy: policy }] } });
    });
  }

  behaviour('probes, ports, variables and volumes', async ({ cluster, newNamespace }) => {
    const full = {
      name: 'main',
      image: 'registry.example/server:1.0',
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [
        { name: 'EMPTY', value: '' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      readinessProbe: { httpGet: { port: 'http' } },
      startupProbe: { tcpSocket: { port: 8080 }, failureThreshold: 180 },
    };
    const volumes = [
      { name: 'a', configMap: { name: 'a' } },
      { name: 'b', secret: { secretName: 'b' } },
      { name: 'c', hostPath: { path: '/c' } },
      { name: 'd' },
    ];
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [full], volumes } };
    const created = await cluster.create(resources.deployments, deployment(await newNamespace(), 'a', { template }), written);
    const { spec } = (created.spec as { template: { spec: { containers: unknown[]; volumes: unknown } } }).template;
    expect(spec.containers[0]).toEqual({
      ...container,
      ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
      env: [{ name: 'EMPTY' }, { name: 'NODE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }],
      readinessProbe: { ...probe, httpGet: { port: 'http', path: '/', scheme: 'HTTP' } },
      startupProbe: { ...probe, failureThreshold: 180, tcpSocket: { port: 8080 } },
    });
    expect(spec.volumes).toEqual([
      { name: 'a', configMap: { name: 'a', defaultMode: 420 } },
      { name: 'b', secret: { secretName: 'b', defaultMode: 420 } },
      { name: 'c', hostPath: { path: '/c', type: '' } },
      { name: 'd', emptyDir: {} },
    ]);
  });

  behaviour('a Service', async ({ cluster, newNamespace }) => {
    const { spec, status } = await cluster.create(
      resources.services,
      service(await newNamespace(), 'a', { ports: [{ port: 80 }] }),
      written,
    );
    const { clusterIP } = spec as { clusterIP: string };
    expect(spec).toEqual({
      type: 'ClusterIP',
      selector: { app: 'a' },
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      clusterIP,
      clusterIPs: [clusterIP],
      ports: [{ port: 80, targetPort: 80, protocol: 'TCP' }],
    });
    expect(status).toEqual({ loadBalancer: {} });
  });

  behaviour('a NetworkPolicy', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const metadata = (name: string): { name: string; namespace: string } => ({ name, namespace });
    const base = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' };
    const ingress = await cluster.create(
      resources.networkPolicies,
      { ...base, metadata: metadata('a'), spec: { podSelector: {}, ingress: [{ ports: [{ port: 8080 }] }] } },
      written,
    );
    expect(ingress.spec).toEqual({ podSelector: {}, ingress: [{ ports: [{ port: 8080, protocol: 'TCP' }] }], policyTypes: ['Ingress'] });
    const egress = await cluster.create(
      resources.networkPolicies,
      { ...base, metadata: metadata('b'), spec: { podSelector: {}, egress: [{}] } },
      written,
    );
    expect(egress.spec).toEqual({ podSelector: {}, egress: [{}], policyTypes: ['Ingress', 'Egress'] });
  });

  behaviour('a claim', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const spec = { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } };
    const created = await cluster.create(
      resources.persistentVolumeClaims,
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'a', namespace }, spec },
      written,
    );
    expect(created).toMatchObject({ spec: { ...spec, volumeMode: 'Filesystem' }, status: { phase: 'Pending' } });
  });
});
