import type { EndpointPort, EndpointSlice, SliceEndpoint } from '../../kubernetes/endpoint-slice.ts';
import { isPodReady, isTerminal, isTerminating, type Pod } from '../../kubernetes/pod.ts';
import { targetPortOf, type Service } from '../../kubernetes/service.ts';

/** The contents of a slice. Lists without elements are null, as the API server sends them. */
export type PlannedSlice = Pick<EndpointSlice, 'endpoints' | 'ports'>;

const longestSlice = 100;

const empty: PlannedSlice = { endpoints: null, ports: null };

/**
 * The slices for a Service's pods: pods that resolve a named port alike are together, at most 100 in one slice. Without any pod there
 * is one empty slice.
 */
export const planSlices = (service: Service, pods: readonly Pod[]): readonly PlannedSlice[] => {
  const groups = new Map<string, { readonly ports: readonly EndpointPort[]; readonly endpoints: SliceEndpoint[] }>();
  for (const pod of pods.filter(isReachable).toSorted(byAge)) {
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, endpoints: [] };
    group.endpoints.push(endpointFor(service, pod));
    groups.set(key, group);
  }
  const slices = [...groups.values()].flatMap(({ ports, endpoints }) =>
    chunks(endpoints).map((chunk): PlannedSlice => ({ endpoints: chunk, ports: ports.length === 0 ? null : ports })),
  );
  return slices.length === 0 ? [empty] : slices;
};

/** Terminal pods are no endpoints, and neither are those without an address. Terminating ones are. */
const isReachable = (pod: Pod): boolean => !isTerminal(pod) && (pod.status?.podIP ?? '') !== '';

const byAge = (a: Pod, b: Pod): number => {
  const [first, second] = [a, b].map(({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
};

const portsOf = (service: Service, pod: Pod): readonly EndpointPort[] =>
  (service.spec.ports ?? []).flatMap((declared) => {
    const port = targetPortOf(declared, pod);
    return port === undefined
      ? []
      : [
          {
            name: declared.name ?? '',
            port,
            protocol: declared.protocol ?? 'TCP',
            ...(declared.appProtocol === undefined ? {} : { appProtocol: declared.appProtocol }),
          },
        ];
  });

const endpointFor = (service: Service, pod: Pod): SliceEndpoint => {
  const { name, namespace = '', uid = '' } = pod.metadata;
  const { nodeName, hostname, subdomain } = pod.spec;
  const serving = isPodReady(pod);
  const terminating = isTerminating(pod);
  return {
    addresses: [pod.status?.podIP ?? ''],
    conditions: { ready: service.spec.publishNotReadyAddresses === true || (serving && !terminating), serving, terminating },
    ...(hostname !== undefined && subdomain === service.metadata.name ? { hostname } : {}),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
};

const chunks = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / longestSlice) }, (_, index) =>
    items.slice(index * longestSlice, (index + 1) * longestSlice),
  );
