import { expect } from 'vitest';
import { ApiError, type ApiStatus } from '../../src/cluster/api-error.ts';
import { fieldManager } from '../../src/cluster/cluster.ts';
import type { KubernetesObject, ObjectMeta } from '../../src/kubernetes/object.ts';
import type { Patch } from '../../src/kubernetes/patch.ts';
import type { ObjectReference } from '../../src/kubernetes/reference.ts';
import { resources, type Resource } from '../../src/kubernetes/resource.ts';
import type { Subject } from './subjects.ts';

/** Small objects for contract tests, and how to write them. */

export const written = { fieldManager };

export const referTo = (resource: Resource, namespace: string, name: string): ObjectReference => ({ resource, namespace, name });

type Fields = Readonly<Record<string, unknown>>;

export const configMap = (namespace: string, name: string, fields: Fields = {}, metadata: Partial<ObjectMeta> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, ...metadata },
  data: { key: 'value' },
  ...fields,
});

const container = { name: 'main', image: 'registry.example/server:1.0' };

/** Nobody schedules it, so no controller writes to it. */
export const pod = (namespace: string, name: string, spec: Fields = {}, metadata: Partial<ObjectMeta> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, ...metadata },
  spec: { schedulerName: 'nobody', containers: [container], ...spec },
});

/** On a node without a kubelet: it stays as it was created. */
export const podOnNode = (namespace: string, name: string, spec: Fields = {}, metadata: Partial<ObjectMeta> = {}): KubernetesObject =>
  pod(namespace, name, { nodeName: 'without-kubelet', ...spec }, metadata);

/** Parked at 0 replicas. */
export const deployment = (namespace: string, name: string, spec: Fields = {}, metadata: Partial<ObjectMeta> = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace, ...metadata },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
    ...spec,
  },
});

export const service = (namespace: string, name: string, spec: Fields = {}, metadata: Partial<ObjectMeta> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace, ...metadata },
  spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
});

export const jsonPatch = (...operations: Extract<Patch, { type: 'json' }>['operations']): Patch => ({ type: 'json', operations });

export const mergePatch = (body: unknown): Patch => ({ type: 'merge', body });

/** The status that a request is refused with; the test fails when it is not refused. */
export const refusalOf = async (request: Promise<unknown>): Promise<ApiStatus> => {
  const error: unknown = await request.then(
    () => expect.fail('the request was accepted'),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error.status;
  throw error;
};

/** The object as it is now, which has to be there. */
export const current = async ({ cluster }: Subject, reference: ObjectReference): Promise<KubernetesObject> => {
  const object = await cluster.get(reference);
  return object ?? expect.fail(`${reference.name} is not there`);
};

export { resources };
