import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName, shortName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Blocker } from './step-kind.ts';

export const blocker = (code: string, reason: string, ...nextSteps: readonly string[]): Blocker => ({ code, reason, nextSteps });

/** `-n llm-serving deployment/clef-serve`, for commands that people copy. */
export const kubectlName = (reference: ObjectReference): string =>
  reference.namespace === undefined ? shortName(reference) : `-n ${reference.namespace} ${shortName(reference)}`;

export const missingObject = (reference: ObjectReference): Blocker =>
  blocker(
    'ObjectMissing',
    `${fullName(reference)} does not exist`,
    `look for it: kubectl get ${reference.resource.plural} --all-namespaces`,
  );

export const objectBeingDeleted = (reference: ObjectReference, object: KubernetesObject): Blocker => {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  const held = finalizers.length === 0 ? '' : `, held by finalizers ${finalizers.join(', ')}`;
  return blocker(
    'ObjectBeingDeleted',
    `${fullName(reference)} is being deleted (since ${deletionTimestamp ?? 'now'}${held})`,
    'wait until it is gone, and create it again if it is still needed',
  );
};

export const workloadPaused = (reference: ObjectReference): Blocker =>
  blocker(
    'WorkloadPaused',
    `${fullName(reference)} is paused: its controller would not roll out what is changed`,
    `kubectl rollout resume ${kubectlName(reference)}`,
  );
