import type { ServedResource, ServedVersion } from './served-resources.ts';

/** Source: Kubernetes API concepts, "API Discovery"; API reference, APIGroupList, APIResourceList v1 meta, APIGroupDiscoveryList v2. */

type Document = Readonly<Record<string, unknown>>;

const groupVersion = ({ group, version }: Pick<ServedVersion, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

export const coreVersions = (address: string): Document => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
});

export const groupList = (versions: readonly ServedVersion[]): Document => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: namedGroups(versions).map(groupEntry),
});

export const groupDocument = (group: string, versions: readonly ServedVersion[]): Document | undefined => {
  const ofGroup = versions.filter((entry) => entry.group === group);
  return ofGroup.length === 0 ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry([group, ofGroup]) };
};

const groupEntry = ([name, versions]: readonly [string, readonly ServedVersion[]]): Document => {
  const served = versions.map((entry) => ({ groupVersion: groupVersion(entry), version: entry.version }));
  return { name, versions: served, preferredVersion: served[0] };
};

const namedGroups = (versions: readonly ServedVersion[]): readonly (readonly [string, readonly ServedVersion[]])[] => {
  const names = [...new Set(versions.map(({ group }) => group))].filter((group) => group !== '');
  return names.map((name) => [name, versions.filter(({ group }) => group === name)]);
};

export const resourceList = (version: ServedVersion): Document => ({
  kind: 'APIResourceList',
  ...(version.group === '' ? {} : { apiVersion: 'v1' }),
  groupVersion: groupVersion(version),
  resources: version.resources.flatMap(resourceEntries),
});

const resourceEntries = ({ resource, details }: ServedResource): readonly Document[] => [
  {
    name: resource.plural,
    singularName: details.singular,
    namespaced: resource.namespaced,
    kind: resource.kind,
    verbs: details.verbs,
    ...(details.shortNames.length === 0 ? {} : { shortNames: details.shortNames }),
    ...(details.categories.length === 0 ? {} : { categories: details.categories }),
  },
  ...details.subresources.map(({ name, verbs, group, version, kind }) => ({
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(group === resource.group && version === resource.version ? {} : { group, version }),
    kind,
    verbs,
  })),
];

/** All of /api or of /apis in one document. */
export const aggregatedDiscovery = (versions: readonly ServedVersion[], part: 'core' | 'groups'): Document => {
  const groups = part === 'core' ? [['', versions.filter(({ group }) => group === '')] as const] : namedGroups(versions);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([name, ofGroup]) => ({
      metadata: name === '' ? {} : { name },
      versions: ofGroup.map((entry) => ({
        version: entry.version,
        resources: entry.resources.map(discoveryEntry),
        freshness: 'Current',
      })),
    })),
  };
};

const discoveryEntry = ({ resource, details }: ServedResource): Document => ({
  resource: resource.plural,
  responseKind: { group: resource.group, version: resource.version, kind: resource.kind },
  scope: resource.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: details.singular,
  verbs: details.verbs,
  ...(details.shortNames.length === 0 ? {} : { shortNames: details.shortNames }),
  ...(details.categories.length === 0 ? {} : { categories: details.categories }),
  ...(details.subresources.length === 0
    ? {}
    : {
        subresources: details.subresources.map(({ name, verbs, group, version, kind }) => ({
          subresource: name,
          responseKind: { group, version, kind },
          verbs,
        })),
      }),
});
