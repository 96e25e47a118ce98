import type { Resource } from '../../kubernetes/resource.ts';
import { isJsonObject, objectsIn, stringIn } from './json.ts';

/** The versions of a group, preferred one first. Source: Kubernetes API reference, APIGroup v1 meta. */
export const readVersions = (group: unknown): readonly string[] => {
  if (!isJsonObject(group)) return [];
  const versions = objectsIn(group, 'versions').flatMap((entry) => stringIn(entry, 'version') ?? []);
  const preferred = isJsonObject(group['preferredVersion']) ? stringIn(group['preferredVersion'], 'version') : undefined;
  return preferred === undefined ? versions : [preferred, ...versions.filter((version) => version !== preferred)];
};

/** The resources of one version, without subresources. Source: Kubernetes API reference, APIResourceList v1 meta. */
export const readResources = (list: unknown, group: string, version: string): readonly Resource[] => {
  if (!isJsonObject(list)) return [];
  return objectsIn(list, 'resources').flatMap((entry) => {
    const plural = stringIn(entry, 'name');
    const kind = stringIn(entry, 'kind');
    if (plural === undefined || kind === undefined || plural.includes('/')) return [];
    return [{ group, version, plural, kind, namespaced: entry['namespaced'] === true }];
  });
};

/** Each resource once, in the first version that serves it. */
export const mergeResources = (byVersion: readonly (readonly Resource[])[]): readonly Resource[] => {
  const byPlural = new Map<string, Resource>();
  for (const resource of byVersion.flat()) if (!byPlural.has(resource.plural)) byPlural.set(resource.plural, resource);
  return [...byPlural.values()];
};
