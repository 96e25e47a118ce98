import type { KubernetesObject } from '../kubernetes/object.ts';

/** `Deployment.apps/clef-serve.llm-serving`: equal for two descriptions of one object, whatever their version. */
export const referenceText = ({ apiVersion, kind, metadata }: KubernetesObject): string => {
  const group = groupOf(apiVersion);
  const namespace = metadata.namespace === undefined ? '' : `.${metadata.namespace}`;
  return `${kind}${group === '' ? '' : `.${group}`}/${metadata.name}${namespace}`;
};

/** `apps` of `apps/v1`; empty for the core group. */
export const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0));

/** `v1` of `apps/v1` and of `v1`. */
export const versionOf = (apiVersion: string): string => apiVersion.split('/').at(-1) ?? '';
