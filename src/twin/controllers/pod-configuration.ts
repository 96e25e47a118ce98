import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import { resources } from '../../kubernetes/resource.ts';
import { fieldsOf, itemsOf, textOf, type JsonObject } from '../api/json.ts';
import type { Store } from '../api/store.ts';

interface Need {
  readonly kind: 'configmap' | 'secret';
  readonly name: string;
  /** Absent: the object alone has to be there. */
  readonly key: string | undefined;
}

/** What the pod's environment needs and is not there, in the kubelet's words. Such a container cannot be created. */
export const missingForEnvironment = (store: Store, pod: Pod): string | undefined => {
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  const needs = containers.flatMap((container) => [
    ...itemsOf(container.env).flatMap(needsOfVariable),
    ...itemsOf(container.envFrom).flatMap(needsOfSource),
  ]);
  return firstMissing(store, pod, needs);
};

/** What the pod's volumes need and is not there. Such a pod waits until it is. */
export const missingForVolumes = (store: Store, pod: Pod): string | undefined =>
  firstMissing(
    store,
    pod,
    (pod.spec.volumes ?? []).flatMap(({ configMap, secret }): readonly Need[] => [
      ...(configMap?.name === undefined || configMap.optional === true
        ? []
        : [{ kind: 'configmap' as const, name: configMap.name, key: undefined }]),
      ...(secret?.secretName === undefined || secret.optional === true
        ? []
        : [{ kind: 'secret' as const, name: secret.secretName, key: undefined }]),
    ]),
  );

const needsOfVariable = (variable: unknown): readonly Need[] => {
  const source = fieldsOf(fieldsOf(variable).valueFrom);
  return [...need('configmap', fieldsOf(source.configMapKeyRef)), ...need('secret', fieldsOf(source.secretKeyRef))];
};

const needsOfSource = (source: unknown): readonly Need[] => [
  ...need('configmap', fieldsOf(fieldsOf(source).configMapRef)),
  ...need('secret', fieldsOf(fieldsOf(source).secretRef)),
];

const need = (kind: Need['kind'], { name, key, optional }: JsonObject): readonly Need[] =>
  typeof name === 'string' && optional !== true ? [{ kind, name, key: textOf(key) }] : [];

const firstMissing = (store: Store, pod: Pod, needs: readonly Need[]): string | undefined => {
  const namespace = pod.metadata.namespace ?? '';
  for (const { kind, name, key } of needs) {
    const object = store.get<KubernetesObject>({
      resource: kind === 'configmap' ? resources.configMaps : resources.secrets,
      namespace,
      name,
    });
    if (object === undefined) return `${kind} "${name}" not found`;
    const keys = { ...fieldsOf(object.data), ...fieldsOf(object.binaryData), ...fieldsOf(object.stringData) };
    if (key !== undefined && !(key in keys))
      return `couldn't find key ${key} in ${kind === 'configmap' ? 'ConfigMap' : 'Secret'} ${namespace}/${name}`;
  }
  return undefined;
};
