import type { ControlPlane } from '../control-plane.ts';
import { dnsImage } from './images.ts';
import { nodeFacts } from './run.ts';

const labels = { 'k8s-app': 'kube-dns' }; // by which policies let clients out to it
const metadata = { name: 'coredns', namespace: 'kube-system' };

/** Short lives, so that a test sees a change at once; names outside the cluster do not exist. https://coredns.io/plugins/kubernetes/ */
const corefile = `cluster.local in-addr.arpa ip6.arpa {
  errors
  ready
  kubernetes {
    ttl 1
  }
}
. {
  template ANY ANY {
    rcode NXDOMAIN
  }
}
`;

/** What kubeadm's CoreDNS add-on consists of, in the order of creation. */
const objects: readonly (readonly [collection: string, object: object])[] = [
  ['/api/v1/namespaces/kube-system/serviceaccounts', { metadata }],
  ['/api/v1/namespaces/kube-system/configmaps', { metadata, data: { Corefile: corefile } }],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: { name: 'system:coredns' },
      rules: [
        { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      metadata: { name: 'system:coredns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    },
  ],
  [
    '/apis/apps/v1/namespaces/kube-system/deployments',
    {
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            serviceAccountName: 'coredns',
            dnsPolicy: 'Default', // its own names are not its business
            containers: [
              {
                name: 'coredns',
                image: dnsImage,
                args: ['-conf', '/etc/coredns/Corefile'],
                ports: [{ containerPort: 53, protocol: 'UDP' }, { containerPort: 53 }],
                readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
                volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }],
              },
            ],
            volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
          },
        },
      },
    },
  ],
  [
    '/api/v1/namespaces/kube-system/services',
    {
      metadata: { name: 'kube-dns', namespace: 'kube-system', labels },
      spec: {
        clusterIP: nodeFacts.dnsAddress,
        selector: labels,
        ports: [
          { name: 'dns', port: 53, protocol: 'UDP' },
          { name: 'dns-tcp', port: 53, protocol: 'TCP' },
        ],
      },
    },
  ],
];

export async function createClusterDns(controlPlane: ControlPlane): Promise<void> {
  for (const [collection, object] of objects) {
    const { status, body } = await controlPlane.request('POST', collection, object);
    if (status !== 201) throw new Error(`${collection}: ${JSON.stringify(body)}`);
  }
}

export async function isClusterDnsReady(controlPlane: ControlPlane): Promise<boolean> {
  const { body } = await controlPlane.request('GET', '/apis/apps/v1/namespaces/kube-system/deployments/coredns');
  return ((body as { readonly status?: { readonly readyReplicas?: number } }).status?.readyReplicas ?? 0) > 0;
}
