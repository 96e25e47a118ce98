import type { KubernetesObject } from '../../kubernetes/object.ts';
import { resources, type Resource } from '../../kubernetes/resource.ts';
import type { MemoryStore } from '../../twin/api/memory-store.ts';
import { fieldsOf, textOf } from '../../twin/api/json.ts';
import { detailsOf, reviewResources, type ResourceDetails } from './resource-details.ts';

export interface ServedResource {
  readonly resource: Resource;
  readonly details: ResourceDetails;
  /** The CustomResourceDefinition that it comes from. */
  readonly definition?: KubernetesObject;
}

export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly ServedResource[];
}

/** Everything that the store serves, and the reviews; the core group first, then by name. */
export const servedVersions = (store: MemoryStore): readonly ServedVersion[] => {
  const definitions = store.list({ resource: resources.customResourceDefinitions });
  const versions = new Map<string, { readonly group: string; readonly version: string; readonly resources: ServedResource[] }>();
  for (const resource of new Map(
    [...store.catalog.all(), ...reviewResources].map((one) => [`${one.group}/${one.version}/${one.plural}`, one]),
  ).values()) {
    const key = `${resource.group}/${resource.version}`;
    const entry = versions.get(key) ?? { group: resource.group, version: resource.version, resources: [] };
    versions.set(key, entry);
    entry.resources.push(describe(resource, definitions));
  }
  return [...versions.values()]
    .toSorted((one, other) => (one.group < other.group ? -1 : 1))
    .map((entry) => ({
      ...entry,
      resources: entry.resources.toSorted((one, other) => (one.resource.plural < other.resource.plural ? -1 : 1)),
    }));
};

/** `undefined` for the group and version; then nothing is served there at all. */
export const servedVersion = (store: MemoryStore, group: string, version: string): ServedVersion | undefined =>
  servedVersions(store).find((entry) => entry.group === group && entry.version === version);

const describe = (resource: Resource, definitions: readonly KubernetesObject[]): ServedResource => {
  const definition = definitions.find(({ spec }) => {
    const { group, names } = fieldsOf(spec);
    return group === resource.group && textOf(fieldsOf(names).plural) === resource.plural;
  });
  return { resource, details: detailsOf(resource, definition), ...(definition === undefined ? {} : { definition }) };
};
