import { controllerOf, type KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

/** Any other controller that the object's ownerReferences name. */
export const controllersOf = (reference: ObjectReference, object: KubernetesObject): readonly Owner[] => {
  const controller = controllerOf(object);
  if (controller === undefined || controller.kind === 'InferenceService') return [];
  const owner = `${controller.kind.toLowerCase()}/${controller.name}`;
  return [
    {
      code: 'OwnedByController',
      reason: `${fullName(reference)} is owned by ${owner} (${controller.apiVersion}): its controller would put the change back`,
      nextSteps: [`make the change in ${owner}, or hand over an object that nobody owns`],
      effect: 'undoes',
    },
  ];
};
