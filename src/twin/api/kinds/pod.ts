import type { KubernetesObject } from '../../../kubernetes/object.ts';
import type { Pod } from '../../../kubernetes/pod.ts';
import { fieldsOf, fillIn, isJsonObject, isSameJson, itemsOf, mapShared, numberOf, textOf, type JsonObject } from '../json.ts';
import { forbidden, required, type Cause } from '../refusals.ts';
import type { KindRules } from './kind-rules.ts';
import { admitPod } from './pod-admission.ts';
import { containersOf, podSpecWithDefaults } from './pod-spec.ts';

/** How long a pod stays on a node that is not ready or unreachable. Source: admission plug-in DefaultTolerationSeconds. */
const nodeTroubleTolerations = ['not-ready', 'unreachable'].map((trouble) => ({
  key: `node.kubernetes.io/${trouble}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}));

const withDefaults = (pod: KubernetesObject): KubernetesObject => {
  const spec = withRequests(fillIn(podSpecWithDefaults(pod.spec), { enableServiceLinks: true }));
  return spec === pod.spec ? pod : { ...pod, spec };
};

/** What admission plug-ins add to every pod: ServiceAccount, Priority, DefaultTolerationSeconds. */
const complete = (pod: KubernetesObject): KubernetesObject => {
  const filled = fillIn(fieldsOf(pod.spec), {
    serviceAccountName: 'default',
    serviceAccount: 'default',
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
  });
  const spec = withTolerations(filled);
  return spec === pod.spec ? pod : { ...pod, spec };
};

/** A container that limits a resource requests as much of it, unless it says otherwise. Pods only, not templates. */
const withRequests = (spec: JsonObject): JsonObject => {
  const lists = ['containers', 'initContainers'].filter((list) => Array.isArray(spec[list]));
  const replaced = Object.fromEntries(lists.map((list) => [list, mapShared(itemsOf(spec[list]), requestLimits)]));
  return lists.some((list) => replaced[list] !== spec[list]) ? { ...spec, ...replaced } : spec;
};

const requestLimits = (container: unknown): unknown => {
  if (!isJsonObject(container)) return container;
  const resources = fieldsOf(container.resources);
  if (!isJsonObject(resources.limits)) return container;
  const requests = fillIn(fieldsOf(resources.requests), resources.limits);
  return requests === resources.requests ? container : { ...container, resources: { ...resources, requests } };
};

const withTolerations = (spec: JsonObject): JsonObject => {
  const present = itemsOf(spec.tolerations);
  const toleratesTrouble = (key: string): boolean =>
    present.some((toleration) => {
      const { key: tolerated, effect } = fieldsOf(toleration);
      return (
        (tolerated === key || tolerated === undefined || tolerated === '') &&
        (effect === 'NoExecute' || effect === undefined || effect === '')
      );
    });
  const missing = nodeTroubleTolerations.filter(({ key }) => !toleratesTrouble(key));
  return missing.length === 0 ? spec : { ...spec, tolerations: [...present, ...missing] };
};

/** Source: Kubernetes concepts, "Pod Quality of Service Classes". */
const qosClassOf = (spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' => {
  const resources = containersOf(spec).map((container) => fieldsOf(container.resources));
  const asksFor = (amounts: unknown): boolean => Object.keys(fieldsOf(amounts)).some((name) => name === 'cpu' || name === 'memory');
  if (!resources.some(({ requests, limits }) => asksFor(requests) || asksFor(limits))) return 'BestEffort';
  const isGuaranteed = resources.every(({ requests, limits }) =>
    ['cpu', 'memory'].every((name) => fieldsOf(limits)[name] !== undefined && isSameJson(fieldsOf(limits)[name], fieldsOf(requests)[name])),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
};

const validate = (pod: KubernetesObject): readonly Cause[] => validatePodSpec(fieldsOf(pod.spec), 'spec');

/** Names and images of containers: the part of a pod spec that every manifest gets wrong sooner or later. */
export const validatePodSpec = (spec: JsonObject, path: string): readonly Cause[] => {
  const containers = itemsOf(spec.containers);
  if (containers.length === 0) return [required(`${path}.containers`)];
  return containers.flatMap((container, index) => {
    const { name, image } = fieldsOf(container);
    return [
      ...((textOf(name) ?? '') ? [] : [required(`${path}.containers[${index}].name`)]),
      ...((textOf(image) ?? '') ? [] : [required(`${path}.containers[${index}].image`)]),
    ];
  });
};

/** Only a few fields of a running pod may change; binding it to a node is the scheduler's. */
const validateUpdate = (after: KubernetesObject, before: KubernetesObject): readonly Cause[] => {
  const previous = fieldsOf(before.spec);
  const isBinding = previous.nodeName === undefined;
  if (isSameJson(fixedPart(fieldsOf(after.spec), isBinding), fixedPart(previous, isBinding))) return [];
  return [
    forbidden(
      'spec',
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,' +
        '`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ),
  ];
};

const fixedPart = (spec: JsonObject, isBinding: boolean): JsonObject => {
  const withoutImage = (container: unknown): unknown => ({ ...fieldsOf(container), image: undefined });
  return {
    ...spec,
    containers: itemsOf(spec.containers).map(withoutImage),
    initContainers: itemsOf(spec.initContainers).map(withoutImage),
    activeDeadlineSeconds: undefined,
    tolerations: undefined,
    ...(isBinding ? { nodeName: undefined } : {}),
  };
};

/** Pods that never reached a node, or have ended, have nobody to say goodbye to. Source: `CheckGracefulDelete` of the pod strategy. */
const gracePeriodSeconds = (pod: KubernetesObject, requestedSeconds: number | undefined): number => {
  const spec = fieldsOf(pod.spec);
  const phase = textOf(fieldsOf(pod.status).phase);
  if ((textOf(spec.nodeName) ?? '') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = requestedSeconds ?? numberOf(spec.terminationGracePeriodSeconds) ?? 0;
  return seconds < 0 ? 1 : seconds;
};

export const podRules: KindRules = {
  hasStatus: true,
  unconditionalUpdate: true,
  createOnUpdate: false,
  // Binding a pod to its node does not move the generation: the scheduler's write is no change of the spec that a person made.
  movesGeneration: (after, before) =>
    !isSameJson({ ...fieldsOf(after.spec), nodeName: undefined }, { ...fieldsOf(before.spec), nodeName: undefined }),
  withDefaults,
  complete,
  initialStatus: (pod) => ({ phase: 'Pending', qosClass: qosClassOf(fieldsOf(pod.spec)) }),
  validate,
  validateUpdate,
  admit: (pod, store) => admitPod(pod as Pod, store),
  gracePeriodSeconds,
};
