import { controllerOf, type KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

/** Source: KServe API reference, InferenceService v1beta1. */
export interface InferenceService extends KubernetesObject {
  readonly status?: { readonly deploymentMode?: string };
}

const components: readonly string[] = ['predictor', 'transformer', 'explainer'];

/**
 * What KServe calls the Deployments, Services and autoscalers of an InferenceService. In the Knative modes (or when the mode is not
 * known yet) there is a Service of its own name, too.
 */
export const generatedNames = ({ metadata, status }: InferenceService): readonly string[] => {
  const standard = ['Standard', 'RawDeployment'].includes(status?.deploymentMode ?? '');
  const names = components.flatMap((component) => [`${metadata.name}-${component}`, `${metadata.name}-${component}-default`]);
  return standard ? names : [metadata.name, ...names];
};

/**
 * An InferenceService decides over every Deployment and Service that has a name it generates, owned or not: KServe adopts a
 * hand-written Service of that name and puts its own selector back within milliseconds, and deletes it when stopped. So the name
 * counts, and a missing ownerReference means nothing.
 */
export const kserveOwnersOf = (
  reference: ObjectReference,
  object: KubernetesObject | undefined,
  inferenceServices: readonly InferenceService[],
): readonly Owner[] => {
  const byName = inferenceServices.find(
    (candidate) => candidate.metadata.namespace === reference.namespace && generatesKind(candidate, reference),
  );
  const controller = object === undefined ? undefined : controllerOf(object);
  const name = byName?.metadata.name ?? (controller?.kind === 'InferenceService' ? controller.name : undefined);
  if (name === undefined) return [];
  const keepName = `or keep the name without it: kubectl delete --cascade=orphan -n ${reference.namespace} inferenceservice/${name}, then delete the HorizontalPodAutoscaler that stays behind`;
  const isService = reference.resource.kind === 'Service';
  return [
    {
      code: 'OwnedByKserve',
      reason: `${fullName(reference)} belongs to inferenceservice/${name} (KServe): ${isService ? 'a moved selector is put back within milliseconds' : 'a scaling may be put back, and the pod restarted'}`,
      nextSteps: [
        isService
          ? 'hand over a Service whose name no InferenceService generates: give it the selector of the predictor first, and move the clients to it once'
          : 'hand over a workload of your own',
        keepName,
      ],
      effect: 'undoes',
    },
  ];
};

const generatesKind = (inferenceService: InferenceService, { resource, name }: ObjectReference): boolean => {
  if (resource.kind !== 'Service' && resource.kind !== 'Deployment') return false;
  const names = generatedNames(inferenceService);
  return names.includes(name) && !(resource.kind === 'Deployment' && name === inferenceService.metadata.name);
};
