import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { groupOf } from '../../manifests/object-identity.ts';
import type { NetworkPeer } from './peers.ts';
import { serviceName, type ServiceEntry } from './service-entry.ts';
import { namespaceOf, placeOf, type SourceObject } from './source-object.ts';

/** A way in for traffic from outside the cluster. */
export interface Entrance {
  readonly kind: string;
  /** `service/clef-serve.llm-serving`, `ingress/front.shop` */
  readonly object: string;
  /** What it leads to: `svc/front.shop`, or a pod's workload. */
  readonly to: string;
  /** The Service's port (number or name), or the pod's; absent: every one of the Service. */
  readonly port?: number | string;
  /** From where it is open; absent: from everywhere. */
  readonly ranges?: readonly string[];
  /** Whose address a policy sees. */
  readonly seenAs: 'the client' | 'a node, or the client' | "the controller's pods";
  readonly source?: string;
}

/**
 * Ways in: Services that are open to the outside, Ingresses and Gateway API routes, host ports. Which address the pods' policies see
 * behind them: the client's with externalTrafficPolicy Local; with Cluster a node's, where the node rewrites it; behind an Ingress or
 * a Gateway that of the controller's pods.
 *
 * Sources: Kubernetes, "Using Source IP", "Service", "Ingress"; Gateway API, HTTPRoute.
 */
export const takeEntrances = (
  objects: readonly SourceObject[],
  services: readonly ServiceEntry[],
  peers: readonly NetworkPeer[],
): readonly Entrance[] => [
  ...services.flatMap(serviceEntrances),
  ...objects.flatMap((source) => [...ingressEntrances(source), ...routeEntrances(source)]),
  ...peers.flatMap(hostPortEntrances),
];

const serviceEntrances = (entry: ServiceEntry): readonly Entrance[] => {
  const { service, source } = entry;
  const { type, externalTrafficPolicy, ports = [] } = service.spec;
  const place = placeOf(source, ['spec']);
  const object = `service/${service.metadata.name}.${entry.namespace}`;
  const common = { object, to: serviceName(entry), ...(place === undefined ? {} : { source: place }) };
  const seenAs = externalTrafficPolicy === 'Local' ? 'the client' : 'a node, or the client';
  const ranges = textsAt(service, ['spec', 'loadBalancerSourceRanges']);
  const openPorts = type === 'NodePort' || (type === 'LoadBalancer' && service.spec['allocateLoadBalancerNodePorts'] !== false);
  return [
    ...(type === 'LoadBalancer'
      ? ports.map(({ port }): Entrance => ({ ...common, kind: 'LoadBalancer', port, seenAs, ...(ranges.length > 0 ? { ranges } : {}) }))
      : []),
    ...(openPorts
      ? ports.map(({ port, nodePort }): Entrance => ({
          ...common,
          kind: `NodePort${nodePort === undefined ? '' : ` ${nodePort}`}`,
          port,
          seenAs,
        }))
      : []),
    ...textsAt(service, ['spec', 'externalIPs']).flatMap((address) =>
      ports.map(({ port }): Entrance => ({ ...common, kind: `external IP ${address}`, port, seenAs })),
    ),
  ];
};

const ingressEntrances = (source: SourceObject): readonly Entrance[] => {
  const { object } = source;
  if (object.kind !== 'Ingress' || groupOf(object.apiVersion) !== 'networking.k8s.io') return [];
  const paths: readonly JsonPath[] = [
    ['spec', 'defaultBackend'],
    ...indices(object, ['spec', 'rules']).flatMap((rule) =>
      indices(object, [...rule, 'http', 'paths']).map((path): JsonPath => [...path, 'backend']),
    ),
  ];
  return paths.flatMap((path) => {
    const name = valueAt(object, [...path, 'service', 'name']);
    if (typeof name !== 'string') return [];
    const port = valueAt(object, [...path, 'service', 'port', 'number']) ?? valueAt(object, [...path, 'service', 'port', 'name']);
    return [routed('Ingress', source, path, `svc/${name}.${namespaceOf(object)}`, port)];
  });
};

const routeKinds = new Set(['HTTPRoute', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute']);

const routeEntrances = (source: SourceObject): readonly Entrance[] => {
  const { object } = source;
  if (!routeKinds.has(object.kind) || groupOf(object.apiVersion) !== 'gateway.networking.k8s.io') return [];
  return indices(object, ['spec', 'rules']).flatMap((rule) =>
    indices(object, [...rule, 'backendRefs']).flatMap((path) => {
      const backend = valueAt(object, path);
      if (!isJsonObject(backend) || typeof backend['name'] !== 'string' || (backend['kind'] ?? 'Service') !== 'Service') return [];
      const namespace = typeof backend['namespace'] === 'string' ? backend['namespace'] : namespaceOf(object);
      return [routed(object.kind, source, path, `svc/${backend['name']}.${namespace}`, backend['port'])];
    }),
  );
};

const routed = (kind: string, source: SourceObject, path: JsonPath, to: string, port: unknown): Entrance => {
  const { object } = source;
  const place = placeOf(source, path);
  return {
    kind,
    object: `${kind.toLowerCase()}/${object.metadata.name}.${namespaceOf(object)}`,
    to,
    ...(typeof port === 'number' || typeof port === 'string' ? { port } : {}),
    seenAs: "the controller's pods",
    ...(place === undefined ? {} : { source: place }),
  };
};

/** A port of the node that leads to the pod. */
const hostPortEntrances = ({ id, pods, source }: NetworkPeer): readonly Entrance[] => {
  const place = source === undefined ? undefined : placeOf(source, ['spec']);
  const ports = new Map(pods.flatMap(({ hostPorts }) => hostPorts).map((port) => [`${port.hostPort}/${port.containerPort}`, port]));
  return [...ports.values()].map(({ hostPort, containerPort }): Entrance => ({
    kind: `hostPort ${hostPort}`,
    object: id,
    to: id,
    port: containerPort,
    seenAs: 'a node, or the client',
    ...(place === undefined ? {} : { source: place }),
  }));
};

const indices = (object: KubernetesObject, path: JsonPath): readonly JsonPath[] => {
  const list = valueAt(object, path);
  return isJsonArray(list) ? list.map((_item, index) => [...path, index]) : [];
};

const textsAt = (object: KubernetesObject, path: JsonPath): readonly string[] => {
  const list = valueAt(object, path);
  return isJsonArray(list) ? list.filter((item) => typeof item === 'string') : [];
};
