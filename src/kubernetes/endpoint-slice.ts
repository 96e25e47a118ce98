import type { KubernetesObject } from './object.ts';
import type { Protocol } from './pod.ts';

/**
 * The fields of an EndpointSlice that poimen reads.
 *
 * Source: Kubernetes API reference, EndpointSlice v1 discovery.k8s.io.
 */
export interface EndpointSlice extends KubernetesObject {
  readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
  readonly endpoints?: readonly SliceEndpoint[] | null;
  readonly ports?: readonly EndpointPort[] | null;
}

export interface SliceEndpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean | null; readonly serving?: boolean | null; readonly terminating?: boolean | null };
  readonly targetRef?: { readonly kind?: string; readonly namespace?: string; readonly name?: string; readonly uid?: string };
  readonly nodeName?: string;
  readonly hostname?: string;
}

export interface EndpointPort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: Protocol;
}

/** The label that ties a slice to its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

export interface Endpoint {
  /** The first address; the others are interchangeable with it by the API's definition. */
  readonly address: string;
  readonly addressType: EndpointSlice['addressType'];
  /** UID and name of the pod behind it; absent in slices that people write by hand. */
  readonly uid?: string;
  readonly podName?: string;
  readonly nodeName?: string;
  readonly ports: readonly EndpointPort[];
}

export interface Endpoints {
  /** Gets new connections: ready, never a terminating one (unless the Service publishes not-ready addresses). */
  readonly ready: readonly Endpoint[];
  /** Would answer, terminating or not. */
  readonly serving: readonly Endpoint[];
  readonly terminating: readonly Endpoint[];
}

/**
 * All endpoints of a Service's slices, each pod's address once (a controller may have it in two slices for a moment).
 * Unknown conditions are read as the API says: ready counts as true, serving as ready, terminating as false.
 */
export const endpointsOf = (slices: readonly EndpointSlice[]): Endpoints => {
  const ready = new Map<string, Endpoint>();
  const serving = new Map<string, Endpoint>();
  const terminating = new Map<string, Endpoint>();
  for (const slice of slices) {
    for (const sliceEndpoint of slice.endpoints ?? []) {
      const endpoint = endpointOf(slice, sliceEndpoint);
      if (endpoint === undefined) continue;
      const key = `${endpoint.uid ?? ''}/${endpoint.address}`;
      const { conditions } = sliceEndpoint;
      const isReady = conditions?.ready ?? true;
      if (isReady) merge(ready, key, endpoint);
      if (conditions?.serving ?? isReady) merge(serving, key, endpoint);
      if (conditions?.terminating ?? false) merge(terminating, key, endpoint);
    }
  }
  return { ready: [...ready.values()], serving: [...serving.values()], terminating: [...terminating.values()] };
};

/**
 * Where a proxy sends a new connection: to the ready endpoints, and while there is none to those that are terminating and
 * still serve.
 *
 * Source: Kubernetes, "Virtual IPs and Service Proxies", "Traffic to terminating endpoints".
 */
export const routableEndpoints = ({ ready, serving, terminating }: Endpoints): readonly Endpoint[] => {
  if (ready.length > 0) return ready;
  const keys = new Set(terminating.map(({ uid, address }) => `${uid}/${address}`));
  return serving.filter(({ uid, address }) => keys.has(`${uid}/${address}`));
};

const endpointOf = (slice: EndpointSlice, { addresses, targetRef, nodeName }: SliceEndpoint): Endpoint | undefined => {
  const [address] = addresses;
  if (address === undefined) return undefined;
  return {
    address,
    addressType: slice.addressType,
    ...(targetRef?.uid === undefined ? {} : { uid: targetRef.uid }),
    ...(targetRef?.name === undefined ? {} : { podName: targetRef.name }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ports: slice.ports ?? [],
  };
};

/** Pods that resolve a named port differently are split over slices: their ports come together here. */
const merge = (into: Map<string, Endpoint>, key: string, endpoint: Endpoint): void => {
  const known = into.get(key);
  const ports = (known?.ports ?? []).filter((port) => !endpoint.ports.some(({ name }) => name === port.name));
  into.set(key, { ...endpoint, ports: [...ports, ...endpoint.ports] });
};
