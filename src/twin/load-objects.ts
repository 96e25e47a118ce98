import { ApiError } from '../cluster/api-error.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { resources } from '../kubernetes/resource.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { MemoryStore } from './api/memory-store.ts';

/**
 * Creates the objects of manifests in an empty store. Unlike on a server, a status that a manifest gives is kept (a Node's cards, a
 * claim that is bound: what no controller of the twin would work out), and namespaces that are named but not described are made.
 *
 * @throws PoimenError `ManifestRefused` with all objects that the API server would not accept.
 */
export const loadObjects = (store: MemoryStore, manifests: readonly ManifestObject[]): void => {
  const refusals: string[] = [];
  for (const { object, file, line } of manifests.toSorted((one, other) => rankOf(one.object) - rankOf(other.object))) {
    try {
      load(store, object);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusals.push(`${file}:${line}: ${error.status.message}`);
    }
  }
  if (refusals.length === 0) return;
  throw new PoimenError({
    outcome: 'usage',
    code: 'ManifestRefused',
    summary: `${refusals.length === 1 ? 'an object' : `${refusals.length} objects`} of the manifests would not be accepted by a Kubernetes API server`,
    detail: refusals.join('\n'),
    nextSteps: ['correct the manifests'],
  });
};

/** Nobody in particular: the manifests say what there is, not who wrote it. */
const written = { fieldManager: 'manifests' };

/** Definitions and namespaces come before what needs them, and pods after the classes without which they are turned away. */
const rankOf = ({ kind }: KubernetesObject): number => ranks[kind] ?? 2;

const ranks: Readonly<Record<string, number>> = { CustomResourceDefinition: 0, Namespace: 1, Pod: 3 };

const load = (store: MemoryStore, manifest: KubernetesObject): void => {
  const resource = store.catalog.resourceOf(manifest);
  const { namespace: given, ...metadata } = manifest.metadata;
  const namespace = given ?? 'default';
  const object = resource.namespaced ? { ...manifest, metadata: { ...metadata, namespace } } : { ...manifest, metadata };
  if (resource.namespaced) ensureNamespace(store, namespace);
  store.catalog.add(resource);
  const reference = { resource, name: object.metadata.name, ...(resource.namespaced ? { namespace } : {}) };
  if (store.get(reference) === undefined) store.create(resource, object, written);
  else store.update(resource, object, written);
  if (manifest.status !== undefined) store.updateStatus(reference, manifest.status, undefined, written);
};

const ensureNamespace = (store: MemoryStore, name: string): void => {
  if (store.get({ resource: resources.namespaces, name }) !== undefined) return;
  store.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, written);
};
