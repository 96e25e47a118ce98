import type { KubernetesObject } from '../src/kubernetes/object.ts';

export interface ClusterShape {
  readonly pods: number;
  readonly policies: number;
  /** Of one app each: a thousand apps in 10,000 pods. */
  readonly podsOfApp: number;
  /** No policy tells pods of an app apart; otherwise policies name single pods, each another. */
  readonly alike: boolean;
}

const appsOfNamespace = 20;

/** A cluster's objects as JSON: pods about as a kubelet leaves them, and two policies an app or one for five pods. */
export const syntheticCluster = ({ pods, policies, podsOfApp, alike }: ClusterShape): string => {
  const apps = Math.ceil(pods / podsOfApp);
  const namespaces = Array.from({ length: Math.ceil(apps / appsOfNamespace) }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: `ns-${index}`, labels: { 'kubernetes.io/metadata.name': `ns-${index}`, team: `team-${index % 7}` } },
  }));
  const objects: KubernetesObject[] = [
    ...namespaces,
    ...Array.from({ length: pods }, (_, index) => pod(index, podsOfApp)),
    ...Array.from({ length: policies }, (_, index) => (alike ? appPolicy(index, apps) : podPolicy(index, pods, podsOfApp))),
  ];
  return JSON.stringify(objects);
};

const placeOfApp = (app: number) => ({ namespace: `ns-${Math.floor(app / appsOfNamespace)}`, name: `app-${app % appsOfNamespace}` });

const pod = (index: number, podsOfApp: number): KubernetesObject => {
  const { namespace, name } = placeOfApp(Math.floor(index / podsOfApp));
  const address = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${index}`,
      namespace,
      uid: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
      labels: {
        app: name,
        'pod-template-hash': `h${index % 97}`,
        'apps.kubernetes.io/pod-index': String(index % podsOfApp),
        pod: `pod-${index}`,
      },
    },
    spec: {
      nodeName: `node-${index % 200}`,
      serviceAccountName: 'default',
      containers: [
        {
          name: 'main',
          image: `registry.example/${name}:1.2.3`,
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 10 },
          volumeMounts: [{ name: 'token', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true }],
        },
      ],
      volumes: [{ name: 'token', projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }] } }],
    },
    status: {
      phase: 'Running',
      podIP: address,
      podIPs: [{ ip: address }],
      hostIP: `192.168.0.${index % 200}`,
      conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({ type, status: 'True' })),
      containerStatuses: [{ name: 'main', ready: true, restartCount: 0, state: { running: { startedAt: '2026-01-01T00:00:00Z' } } }],
    },
  };
};

/** Even: what gets in to an app; odd: where it may go. */
const appPolicy = (index: number, apps: number): KubernetesObject => {
  const app = Math.floor(index / 2) % apps;
  const own = placeOfApp(app);
  const peers = [app * 7 + 1, app * 13 + 5].map((other) => {
    const { namespace, name } = placeOfApp(other % apps);
    return {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
      podSelector: { matchLabels: { app: name } },
    };
  });
  const rules =
    index % 2 === 0
      ? {
          policyTypes: ['Ingress'],
          ingress: [
            { from: [...peers, { podSelector: {} }], ports: [{ port: 'http' }] },
            { from: [{ namespaceSelector: { matchLabels: { team: `team-${app % 7}` } } }], ports: [{ port: 9090, endPort: 9099 }] },
          ],
        }
      : {
          policyTypes: ['Egress'],
          egress: [
            { to: [...peers, { podSelector: {} }], ports: [{ port: 8080 }, { port: 8443 }] },
            {
              to: [{ namespaceSelector: {} }],
              ports: [
                { port: 53, protocol: 'UDP' },
                { port: 9090, endPort: 9099 },
              ],
            },
            { to: [{ ipBlock: { cidr: `203.0.${app % 113}.0/24` } }] },
          ],
        };
  return policy(`app-policy-${index}`, own.namespace, { podSelector: { matchLabels: { app: own.name } }, ...rules });
};

const podPolicy = (index: number, pods: number, podsOfApp: number): KubernetesObject => {
  const ofPolicy = 5;
  const first = (index * ofPolicy) % pods;
  const names = (start: number) => Array.from({ length: ofPolicy }, (_, offset) => `pod-${(start + offset) % pods}`);
  const { namespace } = placeOfApp(Math.floor(first / podsOfApp));
  const byName = (start: number) => ({ matchExpressions: [{ key: 'pod', operator: 'In', values: names(start) }] });
  return policy(`pod-policy-${index}`, namespace, {
    podSelector: byName(first),
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ namespaceSelector: {}, podSelector: byName(first * 7 + 3) }], ports: [{ port: 8080 }] }],
    egress: [{ to: [{ namespaceSelector: {} }], ports: [{ port: 53, protocol: 'UDP' }, { port: 8080 }] }],
  });
};

const policy = (name: string, namespace: string, spec: object): KubernetesObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, namespace },
  spec,
});
