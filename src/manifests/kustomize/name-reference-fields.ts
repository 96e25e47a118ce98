/** Fields in which objects of a kind name others: a text, a list of them, or an object with `name` and perhaps `namespace`. */
export interface ReferenceFields {
  /** Whom they name. */
  readonly target: { readonly kind: string; readonly group: string };
  /** Paths, by the kind that has them. Lists on the way are gone through. */
  readonly in: readonly (readonly [kind: string, ...paths: string[]])[];
}

const podSpecs = [
  ['Pod', 'spec'],
  ['PodTemplate', 'template/spec'],
  ['Deployment', 'spec/template/spec'],
  ['ReplicaSet', 'spec/template/spec'],
  ['DaemonSet', 'spec/template/spec'],
  ['StatefulSet', 'spec/template/spec'],
  ['ReplicationController', 'spec/template/spec'],
  ['Job', 'spec/template/spec'],
  ['CronJob', 'spec/jobTemplate/spec/template/spec'],
] as const;

const inPods = (kinds: readonly string[], ...paths: readonly string[]): ReferenceFields['in'] =>
  podSpecs.filter(([kind]) => kinds.includes(kind)).map(([kind, spec]) => [kind, ...paths.map((path) => `${spec}/${path}`)]);

/** Those in which kustomize looks for ConfigMaps and Secrets, and those for accounts, claims and priorities. */
const withVolumes = ['Pod', 'Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet', 'Job', 'CronJob', 'PodTemplate'];
const withAccounts = ['Pod', 'Deployment', 'DaemonSet', 'StatefulSet', 'ReplicationController', 'Job', 'CronJob'];

const inContainers = (...paths: readonly string[]): readonly string[] =>
  ['containers', 'initContainers'].flatMap((list) => paths.map((path) => `${list}/${path}`));

const rbac = 'rbac.authorization.k8s.io';
const resourceNames = [
  ['Role', 'rules/resourceNames'],
  ['ClusterRole', 'rules/resourceNames'],
] as const;

/** Source: kustomize, built-in field specs of nameReference; what they have is asked of kubectl in test/contract/kustomize.test.ts. */
export const referenceFields: readonly ReferenceFields[] = [
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController'].map((kind): ReferenceFields => ({
    target: { kind, group: kind === 'ReplicationController' ? '' : 'apps' },
    in: [['HorizontalPodAutoscaler', 'spec/scaleTargetRef/name']],
  })),
  {
    target: { kind: 'ConfigMap', group: '' },
    in: [
      ...inPods(
        withVolumes,
        'volumes/configMap/name',
        'volumes/projected/sources/configMap/name',
        ...inContainers('env/valueFrom/configMapKeyRef/name', 'envFrom/configMapRef/name'),
      ),
      ...resourceNames,
    ],
  },
  {
    target: { kind: 'Secret', group: '' },
    in: [
      ...inPods(
        withVolumes,
        'volumes/secret/secretName',
        'volumes/projected/sources/secret/name',
        'imagePullSecrets/name',
        ...inContainers('env/valueFrom/secretKeyRef/name', 'envFrom/secretRef/name'),
      ),
      ['Ingress', 'spec/tls/secretName'],
      ['ServiceAccount', 'imagePullSecrets/name'],
      ...resourceNames,
    ],
  },
  {
    target: { kind: 'Service', group: '' },
    in: [
      ['StatefulSet', 'spec/serviceName'],
      ['Ingress', 'spec/rules/http/paths/backend/service/name', 'spec/defaultBackend/service/name'],
      ['APIService', 'spec/service/name'],
      ['ValidatingWebhookConfiguration', 'webhooks/clientConfig/service'],
      ['MutatingWebhookConfiguration', 'webhooks/clientConfig/service'],
    ],
  },
  { target: { kind: 'Role', group: rbac }, in: [['RoleBinding', 'roleRef/name']] },
  {
    target: { kind: 'ClusterRole', group: rbac },
    in: [
      ['RoleBinding', 'roleRef/name'],
      ['ClusterRoleBinding', 'roleRef/name'],
    ],
  },
  {
    target: { kind: 'ServiceAccount', group: '' },
    in: [['RoleBinding', 'subjects'], ['ClusterRoleBinding', 'subjects'], ...inPods(withAccounts, 'serviceAccountName')],
  },
  { target: { kind: 'PersistentVolumeClaim', group: '' }, in: inPods(withAccounts, 'volumes/persistentVolumeClaim/claimName') },
  {
    target: { kind: 'PersistentVolume', group: '' },
    in: [
      ['PersistentVolumeClaim', 'spec/volumeName'],
      ['ClusterRole', 'rules/resourceNames'],
    ],
  },
  {
    target: { kind: 'StorageClass', group: 'storage.k8s.io' },
    in: [
      ['PersistentVolume', 'spec/storageClassName'],
      ['PersistentVolumeClaim', 'spec/storageClassName'],
      ['StatefulSet', 'spec/volumeClaimTemplates/spec/storageClassName'],
    ],
  },
  { target: { kind: 'PriorityClass', group: 'scheduling.k8s.io' }, in: inPods(withAccounts, 'priorityClassName') },
];
