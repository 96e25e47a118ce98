import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ResourceList } from '../../kubernetes/pod.ts';
import { parseQuantity } from '../../kubernetes/quantity.ts';
import { resources } from '../../kubernetes/resource.ts';
import type { Store } from '../api/store.ts';
import { formatTime } from '../api/timestamp.ts';
import { keyOf, referenceOf, type ControllerHost } from './controller-host.ts';

interface Claim extends KubernetesObject {
  readonly spec: {
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: ResourceList };
  };
  readonly status?: { readonly phase?: string };
}

interface Volume extends KubernetesObject {
  readonly spec: {
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
  };
}

const latencyMs = 5;

/**
 * Binds claims to volumes that are there: the one that is named on either side, else the smallest that is free and large enough.
 * Volumes are not made on demand: a claim of a storage class without a volume stays Pending.
 *
 * Source: Kubernetes concepts, "Persistent Volumes", "Binding".
 */
export const startPersistentVolumeController = (host: ControllerHost): void => {
  const { store } = host;
  const queue = host.queue(latencyMs, (key) => {
    const claim = store.get<Claim>(referenceOf(resources.persistentVolumeClaims, key));
    if (claim === undefined || claim.status?.phase === 'Bound') return;
    const volume = findVolume(claim, store.list<Volume>({ resource: resources.persistentVolumes }));
    if (volume !== undefined) bind(store, claim, volume);
  });
  host.watch<Claim>(resources.persistentVolumeClaims, ({ type, object }) => {
    if (type !== 'DELETED') queue.add(keyOf(object));
  });
  host.watch<Volume>(resources.persistentVolumes, () => {
    for (const claim of store.list<Claim>({ resource: resources.persistentVolumeClaims }))
      if (claim.status?.phase !== 'Bound') queue.add(keyOf(claim));
  });
};

const findVolume = (claim: Claim, volumes: readonly Volume[]): Volume | undefined => {
  const named = claim.spec.volumeName ?? volumes.find((volume) => isReservedFor(volume, claim))?.metadata.name;
  if (named !== undefined)
    return volumes.find((volume) => volume.metadata.name === named && (volume.spec.claimRef === undefined || isReservedFor(volume, claim)));
  return volumes
    .filter((volume) => volume.spec.claimRef === undefined && fits(volume, claim))
    .toSorted((a, b) => storage(a.spec.capacity) - storage(b.spec.capacity))[0];
};

const isReservedFor = ({ spec: { claimRef } }: Volume, { metadata }: Claim): boolean =>
  claimRef !== undefined &&
  claimRef.namespace === metadata.namespace &&
  claimRef.name === metadata.name &&
  (claimRef.uid ?? metadata.uid) === metadata.uid;

const fits = (volume: Volume, claim: Claim): boolean =>
  (volume.spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
  (claim.spec.accessModes ?? []).every((mode) => volume.spec.accessModes?.includes(mode) === true) &&
  storage(volume.spec.capacity) >= storage(claim.spec.resources?.requests);

const storage = (list: ResourceList | undefined): number => parseQuantity(list?.storage ?? 0);

const bind = (store: Store, claim: Claim, volume: Volume): void => {
  const { apiVersion, kind, metadata } = claim;
  const { namespace, name, uid } = metadata;
  const claimRef = { apiVersion, kind, namespace, name, uid, resourceVersion: metadata.resourceVersion };
  store.update(resources.persistentVolumes, { ...volume, spec: { ...volume.spec, claimRef } });
  store.updateStatus(
    { resource: resources.persistentVolumes, name: volume.metadata.name },
    { phase: 'Bound', lastPhaseTransitionTime: formatTime(store.clock.now()) },
  );
  const annotations = { ...metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes' };
  store.update(resources.persistentVolumeClaims, {
    ...claim,
    metadata: { ...metadata, annotations },
    spec: { ...claim.spec, volumeName: volume.metadata.name },
  });
  const { accessModes, capacity } = volume.spec;
  store.updateStatus(referenceOf(resources.persistentVolumeClaims, keyOf(claim)), {
    phase: 'Bound',
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(capacity === undefined ? {} : { capacity }),
  });
};
