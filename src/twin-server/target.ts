import type { ServedResource, ServedVersion } from './discovery/served-resources.ts';

/** What the rest of a path, after group and version, names. */
export interface Target extends ServedResource {
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** After a subresource: what a proxy would pass on. */
  readonly rest: readonly string[];
  /** By the old way of watching, `/api/v1/watch/...`. */
  readonly isWatch: boolean;
}

/** `undefined` where no such resource is served. Source: Kubernetes API concepts, "Resource URIs". */
export const readTarget = ({ resources }: ServedVersion, segments: readonly string[]): Target | undefined => {
  const isWatch = segments[0] === 'watch';
  const path = isWatch ? segments.slice(1) : segments;
  const isInNamespace = path[0] === 'namespaces' && path.length > 2 && !namespaceSubresources.has(path[2] ?? '');
  const namespace = isInNamespace ? path[1] : undefined;
  const [plural, name, subresource, ...rest] = isInNamespace ? path.slice(2) : path;
  const served = resources.find(({ resource }) => resource.plural === plural);
  if (served === undefined) return undefined;
  const { resource, details } = served;
  if (resource.namespaced ? namespace === undefined && name !== undefined : namespace !== undefined) return undefined;
  if (subresource !== undefined && !details.subresources.some((known) => known.name === subresource)) return undefined;
  if (rest.length > 0 && subresource !== 'proxy') return undefined;
  return {
    ...served,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    rest,
    isWatch,
  };
};

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize']);
