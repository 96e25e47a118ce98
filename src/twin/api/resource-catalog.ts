import type { KubernetesObject } from '../../kubernetes/object.ts';
import { apiVersionOf, qualifiedName, resources, type Resource } from '../../kubernetes/resource.ts';
import { fieldsOf, itemsOf, textOf } from './json.ts';

/** Built-in kinds that poimen does not name and that belong to no namespace. */
const clusterScopedKinds = new Set([
  'APIService',
  'CSIDriver',
  'ClusterRole',
  'ClusterRoleBinding',
  'IngressClass',
  'MutatingWebhookConfiguration',
  'StorageClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'VolumeAttachment',
]);

const fromCustomDefinitions: ReadonlySet<Resource> = new Set([resources.scaledObjects, resources.inferenceServices]);

/** Which resources this server has. Those of add-ons are there once an object or a CustomResourceDefinition of theirs is. */
export class ResourceCatalog {
  private readonly known = new Map<string, Resource>();

  constructor() {
    for (const resource of Object.values(resources)) {
      if (!fromCustomDefinitions.has(resource)) this.add(resource);
    }
  }

  add(resource: Resource): void {
    const name = qualifiedName(resource);
    if (!this.known.has(name)) this.known.set(name, resource);
  }

  has(resource: Resource): boolean {
    return this.known.has(qualifiedName(resource));
  }

  all(): readonly Resource[] {
    return [...this.known.values()];
  }

  inGroup(group: string): readonly Resource[] {
    return [...this.known.values()].filter((resource) => resource.group === group);
  }

  /** The resource of an object as a manifest names it: the one that is known, else the one it would most likely be. */
  resourceOf(object: KubernetesObject): Resource {
    for (const resource of this.known.values()) {
      if (resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion) return resource;
    }
    return guessResource(object);
  }

  /** Adds what a CustomResourceDefinition serves: its stored version. */
  addDefinition(definition: KubernetesObject): void {
    const spec = fieldsOf(definition.spec);
    const names = fieldsOf(spec.names);
    const versions = itemsOf(spec.versions).map(fieldsOf);
    const version = textOf((versions.find(({ storage }) => storage === true) ?? versions[0])?.name);
    const [group, plural, kind] = [textOf(spec.group), textOf(names.plural), textOf(names.kind)];
    if (group === undefined || plural === undefined || kind === undefined || version === undefined) return;
    this.add({ group, version, plural, kind, namespaced: spec.scope !== 'Cluster' });
  }
}

/** Source: apimachinery `meta.UnsafeGuessKindToResource`. */
const guessResource = ({ apiVersion, kind }: KubernetesObject): Resource => {
  const slash = apiVersion.indexOf('/');
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('s') ? `${singular}es` : singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const known = Object.values(resources).find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
  return (
    known ?? {
      group: apiVersion.slice(0, Math.max(0, slash)),
      version: apiVersion.slice(slash + 1),
      plural,
      kind,
      namespaced: !clusterScopedKinds.has(kind),
    }
  );
};
