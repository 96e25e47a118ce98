import type { Cluster } from '../cluster/cluster.ts';
import type { Prober } from '../cluster/prober.ts';
import { unpaced, VirtualClock, type Pace } from '../clock/virtual-clock.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import { fullName } from '../kubernetes/reference.ts';
import { startGarbageCollector } from './api/garbage-collector.ts';
import { createStore, type MemoryStore } from './api/memory-store.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { loadObjects } from './load-objects.ts';
import { isNotSimulated } from './not-simulated.ts';
import { createTwinProber } from './prober.ts';
import { readImageDigests } from './read-image-digests.ts';
import { readManifestFolder } from './read-manifest-folder.ts';
import { refuseChangedManifests } from './state/manifest-changes.ts';
import type { Snapshot } from './state/snapshot.ts';
import { TwinState, type StateSource } from './state/twin-state.ts';
import { createTwinCluster } from './twin-cluster.ts';

export interface OpenTwinOptions {
  /** Of manifests, absolute. */
  readonly folder: string;
  /** Where this twin remembers: see `stateDirectoryOf`. */
  readonly stateFolder: string;
  /** What people call it; the folder by default. */
  readonly name?: string;
  /** Forget what it remembers and begin from the manifests. */
  readonly fresh?: boolean;
  /** How fast virtual time passes; at once by default. */
  readonly pace?: Pace;
  /** When a twin that remembers nothing begins, milliseconds since the Unix epoch; always the same moment by default. */
  readonly beginning?: number;
  /** Objects carry who owns their fields, as `createStore` says: for clients that look at it. Default `false`. */
  readonly tracksOwners?: boolean;
}

/** An embedded cluster that remembers. */
export interface Twin {
  readonly cluster: Cluster;
  readonly clock: VirtualClock;
  /** Answers as this cluster would. */
  readonly prober: Prober;
  /** Of the manifests, by full name: what is kept as it is, and nothing acts on. */
  readonly notSimulated: readonly string[];
  /** What the cluster is made of, for who serves it in another form. Whoever writes here calls `sync` before anything is answered. */
  readonly store: MemoryStore;
  /** Makes everything that has happened durable. Throws when it cannot. */
  sync(): void;
  close(): Promise<void>;
}

/** Each twin begins at the same moment, so that the same manifests always give the same run. */
const usualBeginning = Date.UTC(2026, 0, 1);

/** How long the simulated cluster may take to reach the state that its manifests describe. */
export const settlingLimitMs = 2 * 60 * 60 * 1000;

/**
 * Opens the twin of a folder of manifests: where it was left, or, at the first time, with everything that the manifests ask for up and
 * running.
 *
 * @throws PoimenError `TwinLocked`, `TwinManifestsChanged`, `TwinStateNotWritable`, `TwinStateDamaged`, and what is wrong with the manifests.
 */
export const openTwin = async (options: OpenTwinOptions): Promise<Twin> => {
  const { folder, stateFolder, name = folder, fresh = false, pace = unpaced, beginning = usualBeginning, tracksOwners = false } = options;
  const manifests = await readManifestFolder(folder);
  const state = TwinState.open(stateFolder);
  try {
    const remembered = fresh ? undefined : state.read();
    if (remembered !== undefined)
      refuseChangedManifests(
        folder,
        remembered.manifests,
        manifests.map(({ object }) => object),
      );
    return start({ folder, name, manifests, state, remembered, pace, beginning, tracksOwners });
  } catch (error) {
    state.close();
    throw error;
  }
};

interface StartOptions {
  readonly folder: string;
  readonly name: string;
  readonly manifests: readonly ManifestObject[];
  readonly state: TwinState;
  readonly remembered: Snapshot | undefined;
  readonly pace: Pace;
  readonly beginning: number;
  readonly tracksOwners: boolean;
}

const start = ({ folder, name, manifests, state, remembered, pace, beginning, tracksOwners }: StartOptions): Twin => {
  const clock = new VirtualClock(remembered?.timeMs ?? beginning, pace);
  const store = createStore(clock, { tracksOwners, ...(remembered === undefined ? {} : { restored: remembered }) });
  const stopRecording = store.onCommit((commit) => state.record(commit));
  if (remembered === undefined) loadObjects(store, manifests);
  const controllers = startControllers(store, { imageDigests: readImageDigests(folder) });
  const collector = startGarbageCollector(store);
  if (remembered === undefined) clock.fastForward(settlingLimitMs);
  state.start(
    sourceOf(
      folder,
      manifests.map(({ object }) => object),
      store,
    ),
    remembered === undefined ? 'anew' : 'where it was',
  );

  const cluster = createTwinCluster({
    store,
    identity: { kind: 'twin', name, server: 'twin' },
    persist: () => state.sync(),
    closed: () => {
      controllers.stop();
      collector.stop();
      stopRecording();
      state.close();
    },
  });
  const notSimulated = manifests.flatMap(({ object }) => (isNotSimulated(object) ? [nameOf(store, object)] : []));
  return {
    cluster,
    clock,
    prober: createTwinProber(store),
    notSimulated,
    store,
    sync: () => state.sync(),
    close: () => cluster.close(),
  };
};

const nameOf = (store: MemoryStore, object: KubernetesObject): string => {
  const { name, namespace = 'default' } = object.metadata;
  const resource = store.catalog.resourceOf(object);
  return fullName({ resource, name, ...(resource.namespaced ? { namespace } : {}) });
};

const sourceOf = (folder: string, manifests: readonly KubernetesObject[], store: MemoryStore): StateSource => ({
  version: () => store.version,
  timeMs: () => store.clock.now(),
  snapshot: (): Snapshot => ({
    format: 1,
    folder,
    manifests,
    version: store.version,
    timeMs: store.clock.now(),
    objects: store.everything(),
  }),
});
