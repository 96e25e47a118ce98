/** How a strategic merge treats a list that both sides have. */
export type ListStrategy =
  /** A list of objects: those with the same value of this key are merged. */
  | { readonly kind: 'mergeByKey'; readonly key: string }
  /** A list of texts or numbers: a set. */
  | { readonly kind: 'mergeAsSet' }
  /** Atomic: the patch's list replaces the other. */
  | { readonly kind: 'replace' };

const containerLists: ReadonlySet<string> = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/** Lists of objects that keep their merge key wherever they occur. Lists that are not here are atomic (tolerations, args). */
const keyByList: ReadonlyMap<string, string> = new Map(
  Object.entries({
    conditions: 'type',
    containers: 'name',
    ephemeralContainers: 'name',
    hostAliases: 'ip',
    hostIPs: 'ip',
    imagePullSecrets: 'name',
    initContainers: 'name',
    matchConditions: 'name',
    ownerReferences: 'uid',
    podIPs: 'ip',
    resourceClaims: 'name',
    schedulingGates: 'name',
    topologySpreadConstraints: 'topologyKey',
    volumes: 'name',
    webhooks: 'name',
  }),
);

const keyInContainer: ReadonlyMap<string, string> = new Map(
  Object.entries({ env: 'name', ports: 'containerPort', volumeDevices: 'devicePath', volumeMounts: 'mountPath' }),
);

/** Lists that have a merge key in one kind only, by kind and place. */
const keyInKind: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Service/spec/ports': 'port',
    'Node/status/addresses': 'type',
    'ServiceAccount/secrets': 'name',
  }),
);

/**
 * The strategy of a list of a kind's objects. The path has the object keys, and `*` for an element of a list:
 * `['spec', 'containers', '*', 'env']`.
 *
 * Source: the `patchStrategy` and `patchMergeKey` tags of k8s.io/api 0.34, as far as a list's name and place tell them apart.
 */
export const listStrategy = (kind: string, path: readonly string[]): ListStrategy => {
  const field = path.at(-1) ?? '';
  const pointer = `/${path.join('/')}`;
  if (pointer === '/metadata/finalizers' || pointer === '/spec/podCIDRs') return { kind: 'mergeAsSet' };
  const key = (isInContainer(path) ? keyInContainer.get(field) : undefined) ?? keyInKind.get(kind + pointer) ?? keyByList.get(field);
  if (key !== undefined) return { kind: 'mergeByKey', key };
  return { kind: 'replace' };
};

const isInContainer = (path: readonly string[]): boolean => path.at(-2) === '*' && containerLists.has(path.at(-3) ?? '');

/** The one map that is not merged key by key. */
export const isAtomicMap = (kind: string, path: readonly string[]): boolean =>
  kind === 'PodDisruptionBudget' && path.join('/') === 'spec/selector';
