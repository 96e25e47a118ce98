import { atomic, granular, keyedBy, type FieldType, type GranularType } from './field-types.ts';

const scalars: FieldType = { kind: 'set', item: atomic };

const containerLists: ReadonlySet<string> = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/** Structures and maps that are owned as a whole, wherever they occur: selectors, and references to other objects. */
const atomicFields: ReadonlySet<string> = new Set([
  'claimRef',
  'configMapKeyRef',
  'dataSource',
  'fieldRef',
  'fileKeyRef',
  'involvedObject',
  'labelSelector',
  'matchConstraints',
  'matchResources',
  'namespaceSelector',
  'nodeSelector',
  'objectSelector',
  'paramKind',
  'paramRef',
  'podSelector',
  'related',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'resourceFieldRef',
  'roleRef',
  'scopeSelector',
  'secretKeyRef',
  'secretRef',
  'selector',
]);

/** Lists of structures that keep their key wherever they occur. */
const keyByList: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    conditions: ['type'],
    containers: ['name'],
    ephemeralContainers: ['name'],
    hostAliases: ['ip'],
    initContainers: ['name'],
    matchConditions: ['name'],
    podIPs: ['ip'],
    resourceClaimStatuses: ['name'],
    resourceClaims: ['name'],
    schedulingGates: ['name'],
    topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
    volumes: ['name'],
    webhooks: ['name'],
  }),
);

const keyInContainer: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({ env: ['name'], ports: ['containerPort', 'protocol'], volumeDevices: ['devicePath'], volumeMounts: ['mountPath'] }),
);

const defaultProtocol = { protocol: 'TCP' };

/**
 * The fields of a built-in kind.
 *
 * Source: the `listType`, `listMapKey`, `mapType` and `structType` tags of k8s.io/api 0.34, as far as a field's name and place tell them
 * apart.
 */
export const builtInType = (kind: string): GranularType => {
  const known = typesByKind.get(kind) ?? structure(kind, '', '');
  typesByKind.set(kind, known);
  return known;
};

const typesByKind = new Map<string, GranularType>();

/** `path` is that of the structure: `/spec/template/spec/containers/*`. */
const structure = (kind: string, path: string, parent: string): GranularType =>
  granular(
    (name) => {
      const here = `${path}/${name}`;
      const items = (): GranularType => structure(kind, `${here}/*`, name);
      if (here.endsWith('/metadata/finalizers')) return scalars;
      if (here.endsWith('/metadata/ownerReferences')) return keyedBy(['uid'], atomic);
      if (containerLists.has(parent) && path.endsWith('/*')) {
        const keys = keyInContainer.get(name);
        if (keys !== undefined) return keyedBy(keys, items(), keys.includes('protocol') ? defaultProtocol : {});
      }
      if (parent === 'resources' && name === 'claims') return keyedBy(['name'], items());
      if (name === 'imagePullSecrets' && kind !== 'ServiceAccount') return keyedBy(['name'], atomic);
      if (kind === 'Job' && name === 'conditions') return atomic;
      const special = inOneKind[`${kind}${here}`];
      if (special !== undefined) return special;
      const keys = keyByList.get(name);
      if (keys !== undefined) return keyedBy(keys, items());
      return isAtomic(name, parent) ? atomic : structure(kind, here, name);
    },
    path === '/status/conditions/*' ? (conditionTimes[kind] ?? []) : [],
  );

const conditionTimes: Readonly<Record<string, readonly string[]>> = {
  Pod: ['lastProbeTime', 'lastTransitionTime'],
  Node: ['lastHeartbeatTime', 'lastTransitionTime'],
  Deployment: ['lastUpdateTime', 'lastTransitionTime'],
  ReplicaSet: ['lastTransitionTime'],
  StatefulSet: ['lastTransitionTime'],
  DaemonSet: ['lastTransitionTime'],
};

const isAtomic = (name: string, parent: string): boolean =>
  atomicFields.has(name) ||
  name.endsWith('SecretRef') ||
  (parent === 'nodeAffinity' && name === 'required') ||
  (parent === 'service' && name === 'port') ||
  (parent === 'backend' && name === 'resource') ||
  (parent === 'defaultBackend' && name === 'resource');

/** Lists that are told apart in one kind only. */
const inOneKind: Readonly<Record<string, FieldType>> = {
  'Service/spec/ports': keyedBy(
    ['port', 'protocol'],
    granular(() => atomic),
    defaultProtocol,
  ),
  'ServiceAccount/secrets': keyedBy(['name'], atomic),
  'Node/spec/podCIDRs': scalars,
  'Node/status/addresses': keyedBy(
    ['type'],
    granular(() => atomic),
  ),
  'CSIDriver/spec/volumeLifecycleModes': scalars,
  'CSINode/spec/drivers': keyedBy(
    ['name'],
    granular(() => atomic),
  ),
  'ValidatingAdmissionPolicy/spec/variables': keyedBy(['name'], atomic),
  'ValidatingAdmissionPolicyBinding/spec/validationActions': scalars,
  'Job/status/uncountedTerminatedPods/failed': scalars,
  'Job/status/uncountedTerminatedPods/succeeded': scalars,
};
