import { ApiError, isApiError } from '../../cluster/api-error.ts';
import { wantedReplicas, type Deployment } from '../../kubernetes/deployment.ts';
import { isTerminal, isTerminating, type Pod } from '../../kubernetes/pod.ts';
import type { ObjectReference } from '../../kubernetes/reference.ts';
import { currentReplicaSet, revisionAnnotation, revisionOf, type ReplicaSet } from '../../kubernetes/replica-set.ts';
import { resources } from '../../kubernetes/resource.ts';
import { isSameJson } from '../api/json.ts';
import type { Store } from '../api/store.ts';
import { findCondition, setCondition } from './conditions.ts';
import {
  countedStatus,
  deploymentCondition,
  hasProgressDeadline,
  isComplete,
  progressCheckInMs,
  rolloutStatus,
  storedStatus,
  timedOut,
  type DeploymentCondition,
  type DeploymentState,
  type DeploymentStatus,
} from './deployment-status.ts';
import { adds, annotationsOfNew, desiredReplicasOf, scaleAnnotations } from './replica-set-annotations.ts';
import { buildReplicaSet } from './replica-set-builder.ts';
import { compareAge, isActive, maxSurge, maxUnavailable, newReplicasOf, proportionalSizes, specReplicas } from './rolling-update.ts';

/**
 * One look at one Deployment. Every way through it ends in the one write of its status; those that may run into the progress deadline
 * return after how many milliseconds the Deployment has to be looked at again even if nothing changes.
 *
 * Source: kubernetes `pkg/controller/deployment`: sync.go, recreate.go, rolling.go.
 */
export class DeploymentSync {
  private readonly store: Store;
  private readonly deployment: Deployment;
  private conditions: readonly DeploymentCondition[];
  private collisionCount: number | undefined;
  private revision: string | undefined;
  /** Runs the present template. */
  private current: ReplicaSet | undefined;
  /** All others, oldest first. */
  private old: readonly ReplicaSet[];

  constructor(store: Store, deployment: Deployment, owned: readonly ReplicaSet[]) {
    const status: Partial<DeploymentStatus> | undefined = deployment.status;
    this.store = store;
    this.deployment = deployment;
    this.conditions = status?.conditions ?? [];
    this.collisionCount = status?.collisionCount;
    this.revision = deployment.metadata.annotations?.[revisionAnnotation];
    this.current = currentReplicaSet(deployment, owned.toSorted(compareAge));
    this.old = owned.filter(({ metadata }) => metadata.uid !== this.current?.metadata.uid).toSorted(compareAge);
    if (!isTerminating(deployment)) this.alignCurrent();
  }

  /** A pause stops the clock of the progress deadline. */
  notePause(): void {
    if (!hasProgressDeadline(this.deployment)) return;
    const progressing = findCondition(this.conditions, 'Progressing');
    if (progressing?.reason === timedOut) return;
    const isPaused = this.deployment.spec.paused === true;
    const saysPaused = progressing?.reason === 'DeploymentPaused';
    if (isPaused && !saysPaused) this.note('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused');
    if (!isPaused && saysPaused) this.note('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed');
  }

  /** Whether the wanted number is not the one that the active ReplicaSets were last scaled for. */
  isScaling(): boolean {
    return this.all().some((replicaSet) => {
      const desired = isActive(replicaSet) ? desiredReplicasOf(replicaSet) : undefined;
      return desired !== undefined && desired !== wantedReplicas(this.deployment);
    });
  }

  /** Changes numbers without going on with a rollout. */
  scale(): undefined {
    const active = this.all().filter(isActive);
    const single = active.length === 1 ? active[0] : active.length === 0 ? (this.current ?? this.old.at(-1)) : undefined;
    if (single !== undefined) {
      this.scaleTo(single, wantedReplicas(this.deployment));
    } else if (this.isSaturated()) {
      for (const replicaSet of this.old) this.scaleTo(replicaSet, 0);
    } else if (this.deployment.spec.strategy?.type !== 'Recreate') {
      for (const [replicaSet, size] of proportionalSizes(this.deployment, active)) this.resize(replicaSet, size);
    }
    if (this.deployment.spec.paused === true) this.cleanUp();
    this.writeStatus();
  }

  /** New pods only when no old one is left, Terminating ones included. `podsExcept` are the pods of all other ReplicaSets. */
  recreate(podsExcept: (replicaSet: ReplicaSet | undefined) => readonly Pod[]): number | undefined {
    let scaledDown = false;
    for (const replicaSet of this.old) scaledDown = this.scaleTo(replicaSet, 0) || scaledDown;
    const oldPodsRun =
      this.old.some(({ status }) => (status?.replicas ?? 0) > 0) || podsExcept(this.current).some((pod) => !isTerminal(pod));
    if (scaledDown || oldPodsRun) return this.writeRolloutStatus();
    const current = this.current ?? this.create();
    this.scaleTo(current, wantedReplicas(this.deployment));
    this.cleanUpWhenComplete();
    return this.writeRolloutStatus();
  }

  /** One step of a rolling update: more new pods if there is room, else fewer old ones if enough are available. */
  rollOut(): number | undefined {
    const current = this.current ?? this.create();
    const wanted = wantedReplicas(this.deployment);
    const size = wantedReplicas(current) > wanted ? wanted : newReplicasOf(this.deployment, this.all(), wantedReplicas(current));
    const stepped = this.scaleTo(current, size) || this.scaleOldDown(current);
    if (!stepped) this.cleanUpWhenComplete();
    return this.writeRolloutStatus();
  }

  /** The counts alone. */
  writeStatus(): undefined {
    this.write(countedStatus(this.state()));
  }

  private writeRolloutStatus(): number | undefined {
    const status = rolloutStatus(this.state());
    this.write(status);
    return progressCheckInMs(this.deployment, status, this.store.clock.now());
  }

  private write(status: DeploymentStatus): void {
    const { deployment } = this;
    const stored = storedStatus(status);
    const isRenumbered = this.revision !== deployment.metadata.annotations?.[revisionAnnotation];
    if (isRenumbered || !isSameJson(stored, deployment.status ?? {})) {
      const annotations =
        isRenumbered && this.revision !== undefined
          ? { ...deployment.metadata.annotations, [revisionAnnotation]: this.revision }
          : undefined;
      this.store.updateStatus(this.reference(), stored, annotations);
    }
  }

  private state(): DeploymentState {
    const { deployment, conditions, current, old, collisionCount } = this;
    return {
      deployment,
      conditions,
      current,
      old,
      ...(collisionCount === undefined ? {} : { collisionCount }),
      now: this.store.clock.now(),
    };
  }

  private all(): readonly ReplicaSet[] {
    return this.current === undefined ? this.old : [...this.old, this.current];
  }

  /** Copies annotations and minReadySeconds to the current ReplicaSet, and its revision to the Deployment. */
  private alignCurrent(): void {
    const { current, deployment } = this;
    if (current === undefined) return;
    const annotations = annotationsOfNew(deployment, current, this.nextRevision());
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
    const spec = (current.spec.minReadySeconds ?? 0) === minReadySeconds ? current.spec : { ...current.spec, minReadySeconds };
    if (spec !== current.spec || adds(annotations, current.metadata.annotations)) {
      this.replace(current, { ...current, metadata: { ...current.metadata, annotations }, spec });
    }
    this.revision = annotations[revisionAnnotation];
    if (hasProgressDeadline(deployment) && findCondition(this.conditions, 'Progressing') === undefined) {
      this.note('Progressing', 'True', 'FoundNewReplicaSet', `Found new replica set "${current.metadata.name}"`);
    }
  }

  private nextRevision(): number {
    return this.old.reduce((highest, replicaSet) => Math.max(highest, revisionOf(replicaSet)), 0) + 1;
  }

  /** The ReplicaSet of the present template. A name that another template has already taken is counted, and the sync tried again. */
  private create(): ReplicaSet {
    const revision = this.nextRevision();
    const wanted = buildReplicaSet(this.deployment, {
      replicas: newReplicasOf(this.deployment, this.old, 0),
      annotations: {
        ...annotationsOfNew(this.deployment, undefined, revision),
        ...scaleAnnotations(this.deployment, maxSurge(this.deployment)),
      },
      collisionCount: this.collisionCount,
    });
    try {
      const created = this.store.create(resources.replicaSets, wanted) as ReplicaSet;
      this.current = created;
      this.revision = String(revision);
      if (hasProgressDeadline(this.deployment)) {
        this.note('Progressing', 'True', 'NewReplicaSetCreated', `Created new replica set "${created.metadata.name}"`);
      }
      return created;
    } catch (error) {
      if (isApiError(error, 409)) this.collisionCount = (this.collisionCount ?? 0) + 1;
      else if (error instanceof ApiError) {
        this.note(
          'Progressing',
          'False',
          'ReplicaSetCreateError',
          `Failed to create new replica set "${wanted.metadata.name}": ${error.status.message}`,
        );
      }
      this.writeStatus();
      throw error;
    }
  }

  private scaleOldDown(current: ReplicaSet): boolean {
    const wanted = wantedReplicas(this.deployment);
    const minAvailable = wanted - maxUnavailable(this.deployment);
    const newUnavailable = wantedReplicas(current) - (current.status?.availableReplicas ?? 0);
    let removable = specReplicas(this.all()) - minAvailable - newUnavailable;
    // What was removed just before may still be counted as available below.
    if (removable <= 0) return false;
    let scaled = false;
    for (const replicaSet of this.old) {
      const unhealthy = wantedReplicas(replicaSet) - (replicaSet.status?.availableReplicas ?? 0);
      const remove = Math.min(removable, Math.max(0, unhealthy));
      scaled = this.scaleTo(replicaSet, wantedReplicas(replicaSet) - remove) || scaled;
      removable -= remove;
    }
    let spare = this.all().reduce((total, { status }) => total + (status?.availableReplicas ?? 0), 0) - minAvailable;
    for (const replicaSet of this.old) {
      const remove = Math.min(Math.max(0, spare), wantedReplicas(replicaSet));
      scaled = this.scaleTo(replicaSet, wantedReplicas(replicaSet) - remove) || scaled;
      spare -= remove;
    }
    return scaled;
  }

  private isSaturated(): boolean {
    const wanted = wantedReplicas(this.deployment);
    const { current } = this;
    return (
      current !== undefined &&
      wantedReplicas(current) === wanted &&
      desiredReplicasOf(current) === wanted &&
      current.status?.availableReplicas === wanted
    );
  }

  /** True when the number was another one. */
  private scaleTo(replicaSet: ReplicaSet, replicas: number): boolean {
    if (wantedReplicas(replicaSet) === replicas) return false;
    this.resize(replicaSet, replicas);
    return true;
  }

  /** Writes the number and for which scale of the Deployment it was decided. */
  private resize(replicaSet: ReplicaSet, replicas: number): void {
    const annotations = scaleAnnotations(this.deployment, maxSurge(this.deployment));
    if (wantedReplicas(replicaSet) === replicas && !adds(annotations, replicaSet.metadata.annotations)) return;
    const metadata = { ...replicaSet.metadata, annotations: { ...replicaSet.metadata.annotations, ...annotations } };
    this.replace(replicaSet, { ...replicaSet, metadata, spec: { ...replicaSet.spec, replicas } });
  }

  private replace(before: ReplicaSet, wish: ReplicaSet): void {
    const after = this.store.update(resources.replicaSets, wish) as ReplicaSet;
    if (this.current === before) this.current = after;
    this.old = this.old.map((replicaSet) => (replicaSet === before ? after : replicaSet));
  }

  private cleanUpWhenComplete(): void {
    if (isComplete(this.deployment, this.deployment.status ?? {})) this.cleanUp();
  }

  /** Keeps as many old ReplicaSets as the history limit says, the latest revisions. */
  private cleanUp(): void {
    const limit = this.deployment.spec.revisionHistoryLimit;
    const alive = this.old.filter((replicaSet) => !isTerminating(replicaSet)).toSorted((a, b) => revisionOf(a) - revisionOf(b));
    if (limit === undefined || alive.length <= limit) return;
    for (const replicaSet of alive.slice(0, alive.length - limit)) {
      const { metadata, status } = replicaSet;
      const isIdle =
        wantedReplicas(replicaSet) === 0 &&
        (status?.replicas ?? 0) === 0 &&
        (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
      if (isIdle) this.store.delete({ resource: resources.replicaSets, namespace: metadata.namespace ?? '', name: metadata.name });
    }
  }

  private note(type: string, status: 'True' | 'False' | 'Unknown', reason: string, message: string): void {
    this.conditions = setCondition(this.conditions, deploymentCondition(type, status, reason, message, this.store.clock.now()));
  }

  private reference(): ObjectReference {
    const { namespace = '', name } = this.deployment.metadata;
    return { resource: resources.deployments, namespace, name };
  }
}
