import { serviceNameLabel, type EndpointSlice } from '../../kubernetes/endpoint-slice.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Service } from '../../kubernetes/service.ts';
import { namespaceOf, type SourceObject } from './source-object.ts';

/** A Service with its EndpointSlices. */
export interface ServiceEntry {
  readonly service: Service;
  readonly namespace: string;
  readonly source: SourceObject;
  /** Of its controller, or written by hand. Manifests of a Service with a selector have none. */
  readonly slices: readonly EndpointSlice[];
}

export const takeServices = (objects: readonly SourceObject[]): readonly ServiceEntry[] => {
  const slices = new Map<string, EndpointSlice[]>();
  for (const { object } of objects) {
    if (!isEndpointSlice(object)) continue;
    const key = `${namespaceOf(object)}/${object.metadata.labels?.[serviceNameLabel] ?? ''}`;
    slices.set(key, [...(slices.get(key) ?? []), object]);
  }
  return objects.flatMap((source) => {
    const { object } = source;
    if (!isService(object)) return [];
    const namespace = namespaceOf(object);
    return [{ service: object, namespace, source, slices: slices.get(`${namespace}/${object.metadata.name}`) ?? [] }];
  });
};

const isService = (object: KubernetesObject): object is Service =>
  object.kind === 'Service' && object.apiVersion === 'v1' && isJsonObject(object['spec']);

const isEndpointSlice = (object: KubernetesObject): object is EndpointSlice =>
  object.kind === 'EndpointSlice' && object.apiVersion === 'discovery.k8s.io/v1';

/** `svc/clef-serve.llm-serving` */
export const serviceName = ({ service, namespace }: ServiceEntry): string => `svc/${service.metadata.name}.${namespace}`;
