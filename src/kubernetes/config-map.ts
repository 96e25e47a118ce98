import type { KubernetesObject } from './object.ts';

/** Source: Kubernetes API reference, ConfigMap v1 core. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}
