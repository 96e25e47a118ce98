import type { KubernetesObject } from './object.ts';
import { findNamedPort, type Pod, type Protocol } from './pod.ts';

/**
 * The fields of a Service that poimen reads.
 *
 * Source: Kubernetes API reference, Service v1 core.
 */
export interface Service extends KubernetesObject {
  readonly spec: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
    /** `None`: headless. Absent in a manifest: the server gives one. */
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalName?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly internalTrafficPolicy?: 'Cluster' | 'Local';
    readonly externalTrafficPolicy?: 'Cluster' | 'Local';
    readonly sessionAffinity?: string;
    readonly ipFamilies?: readonly string[];
    readonly [field: string]: unknown;
  };
}

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly port: number;
  /** A number, or the name of a port of the pod. Default: `port`. */
  readonly targetPort?: number | string;
  readonly nodePort?: number;
  readonly appProtocol?: string;
}

export const isHeadless = (service: Service): boolean => service.spec.clusterIP === 'None';

/** The Service's port that a client dials, if it has it. */
export const servicePort = (service: Service, port: number, protocol: Protocol = 'TCP'): ServicePort | undefined =>
  service.spec.ports?.find((candidate) => candidate.port === port && (candidate.protocol ?? 'TCP') === protocol);

/**
 * The port of the pod that traffic dialled to the Service's `port` arrives on. `undefined` when the Service has no such port
 * or the pod has none of the wanted name and protocol; such a pod gets no endpoint for it. A headless Service translates
 * nothing: clients dial the pod itself.
 *
 * Source: Kubernetes API reference, ServicePort `targetPort`.
 */
export const resolveTargetPort = (
  service: Service,
  port: number,
  pod: Pick<Pod, 'spec'>,
  protocol: Protocol = 'TCP',
): number | undefined => {
  const declared = servicePort(service, port, protocol);
  return declared === undefined ? undefined : targetPortOf(declared, pod);
};

export const targetPortOf = (declared: ServicePort, pod: Pick<Pod, 'spec'>): number | undefined => {
  const target = declared.targetPort ?? declared.port;
  if (typeof target === 'string') return findNamedPort(pod.spec, target, declared.protocol ?? 'TCP');
  return target === 0 ? declared.port : target;
};
