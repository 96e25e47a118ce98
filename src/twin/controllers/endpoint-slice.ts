import { matchesEqualities } from '../../kubernetes/label-selector.ts';
import { serviceNameLabel, type EndpointSlice } from '../../kubernetes/endpoint-slice.ts';
import { isTerminating, type Pod } from '../../kubernetes/pod.ts';
import { apiVersionOf, resources } from '../../kubernetes/resource.ts';
import { isHeadless, type Service } from '../../kubernetes/service.ts';
import { isSameJson } from '../api/json.ts';
import type { Store } from '../api/store.ts';
import { formatTime } from '../api/timestamp.ts';
import { controllerReference } from './claim.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';
import { planSlices, type PlannedSlice } from './endpoints.ts';
import type { ObjectIndex } from './object-index.ts';

const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
const manager = 'endpointslice-controller.k8s.io';
const headlessLabel = 'service.kubernetes.io/headless';
const changedAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Index key: the pods of a namespace. */
export const namespaceKey = (namespace: string): string => `namespace/${namespace}`;

/**
 * Keeps the EndpointSlices of Services with a selector. Those of other Services, also of one whose selector has been taken away, are
 * left alone. `lagMs` passes until a change is seen.
 *
 * Source: Kubernetes concepts, "EndpointSlices"; `k8s.io/endpointslice`.
 */
export const startEndpointSliceController = (host: ControllerHost, pods: ObjectIndex<Pod>, lagMs: number): void => {
  const { store } = host;
  const services = host.index<Service>(resources.services, ({ metadata }) => [metadata.namespace ?? '']);
  const slices = host.index<EndpointSlice>(resources.endpointSlices, ({ metadata }) =>
    metadata.labels?.[managedByLabel] === manager ? [`${metadata.namespace ?? ''}/${metadata.labels[serviceNameLabel] ?? ''}`] : [],
  );
  const queue = host.queue(lagMs, (key) => {
    const service = store.get<Service>(referenceOf(resources.services, key));
    if (service === undefined || isTerminating(service) || service.spec.type === 'ExternalName' || service.spec.selector === undefined)
      return;
    const selected = pods
      .under(namespaceKey(service.metadata.namespace ?? ''))
      .filter(({ metadata }) => matchesEqualities(service.spec.selector, metadata.labels));
    reconcile(store, service, planSlices(service, selected), slices.under(key));
  });

  host.watch<Service>(resources.services, ({ object }) => queue.add(keyOf(object)));
  host.watch<EndpointSlice>(resources.endpointSlices, ({ type, object }) => {
    const service = object.metadata.labels?.[serviceNameLabel];
    if (type !== 'ADDED' && type !== 'EXISTING' && service !== undefined) queue.add(`${object.metadata.namespace ?? ''}/${service}`);
  });
  host.watch<Pod>(resources.pods, ({ object, before }) => {
    const versions = [object, ...(before === undefined ? [] : [before])];
    for (const service of services.under(object.metadata.namespace ?? '')) {
      if (versions.some(({ metadata }) => matchesEqualities(service.spec.selector, metadata.labels))) queue.add(keyOf(service));
    }
  });
};

/** Slices that are there are filled anew before others are made or removed, so that they keep their names. */
const reconcile = (store: Store, service: Service, planned: readonly PlannedSlice[], present: readonly EndpointSlice[]): void => {
  const time = { [changedAnnotation]: formatTime(store.clock.now()) };
  const labels = labelsFor(service);
  const spare = [...present];
  const pairs = planned.map((plan) => {
    const index = spare.findIndex(({ ports }) => isSameJson(ports, plan.ports));
    return { plan, slice: index < 0 ? undefined : spare.splice(index, 1)[0] };
  });
  for (const { plan, slice = spare.shift() } of pairs) {
    if (slice === undefined) store.create(resources.endpointSlices, buildSlice(service, plan, labels, time));
    else if (!isSameJson({ endpoints: slice.endpoints, ports: slice.ports }, plan) || !isSameJson(slice.metadata.labels, labels)) {
      store.update(resources.endpointSlices, {
        ...slice,
        ...plan,
        metadata: { ...slice.metadata, labels, annotations: { ...slice.metadata.annotations, ...time } },
      });
    }
  }
  for (const slice of spare) store.delete(referenceOf(resources.endpointSlices, keyOf(slice)));
};

const labelsFor = (service: Service): Readonly<Record<string, string>> => ({
  ...service.metadata.labels,
  [managedByLabel]: manager,
  [serviceNameLabel]: service.metadata.name,
  ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
});

const buildSlice = (
  service: Service,
  plan: PlannedSlice,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>>,
): EndpointSlice => ({
  apiVersion: apiVersionOf(resources.endpointSlices),
  kind: 'EndpointSlice',
  metadata: {
    name: '',
    generateName: `${service.metadata.name}-`,
    namespace: service.metadata.namespace ?? '',
    labels,
    annotations,
    ownerReferences: [controllerReference(service)],
  },
  addressType: 'IPv4',
  ...plan,
});
