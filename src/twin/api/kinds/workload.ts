import { matchesSelector } from '../../../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { fieldsOf, fillIn, isJsonObject, isSameJson, numberOf, type JsonObject } from '../json.ts';
import { invalid, notSupported, required, type Cause } from '../refusals.ts';
import type { KindRules } from './kind-rules.ts';
import { podSpecWithDefaults } from './pod-spec.ts';
import { validatePodSpec } from './pod.ts';
import { validateRollout } from './rollout.ts';

/** Deployments, ReplicaSets and the other kinds that make pods from a template and a selector. */

const specChanged = (after: KubernetesObject, before: KubernetesObject): boolean => !isSameJson(after.spec, before.spec);

/** A Deployment's annotations are copied to its ReplicaSets, so a change of them has to be observed too. */
const specOrAnnotationsChanged = (after: KubernetesObject, before: KubernetesObject): boolean =>
  specChanged(after, before) || !isSameJson(after.metadata.annotations ?? {}, before.metadata.annotations ?? {});

const withSpec = (object: KubernetesObject, change: (spec: JsonObject) => JsonObject): KubernetesObject => {
  const spec = change(fieldsOf(object.spec));
  return spec === object.spec ? object : { ...object, spec };
};

const withTemplateDefaults = (spec: JsonObject): JsonObject => {
  const template = fieldsOf(spec.template);
  const podSpec = podSpecWithDefaults(template.spec);
  return podSpec === template.spec ? spec : { ...spec, template: { ...template, spec: podSpec } };
};

const rollingUpdate = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };

/** Source: kubernetes `pkg/apis/apps/v1/defaults.go`. */
const deploymentSpecWithDefaults = (spec: JsonObject): JsonObject => {
  const filled = fillIn(spec, { replicas: 1, strategy: rollingUpdate, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const given = fieldsOf(filled.strategy);
  const typed = fillIn(given, { type: 'RollingUpdate' });
  const isRolling = typed.type === 'RollingUpdate';
  const parameters = fillIn(fieldsOf(typed.rollingUpdate), rollingUpdate.rollingUpdate);
  const strategy = isRolling && parameters !== typed.rollingUpdate ? { ...typed, rollingUpdate: parameters } : typed;
  return withTemplateDefaults(strategy === given ? filled : { ...filled, strategy });
};

const labelsOf = (value: unknown): Readonly<Record<string, string>> => fieldsOf(value) as Readonly<Record<string, string>>;

const isEmptySelector = (selector: JsonObject): boolean =>
  Object.keys(fieldsOf(selector.matchLabels)).length === 0 &&
  !(Array.isArray(selector.matchExpressions) && selector.matchExpressions.length > 0);

/** Source: kubernetes `pkg/apis/apps/validation/validation.go`. */
const validate = (object: KubernetesObject): readonly Cause[] => {
  const spec = fieldsOf(object.spec);
  const replicas = numberOf(spec.replicas) ?? 0;
  return [
    ...(replicas < 0 ? [invalid('spec.replicas', replicas, 'must be greater than or equal to 0')] : []),
    ...validateSelector(object.kind.toLowerCase(), spec),
    ...validateTemplate(fieldsOf(spec.template)),
  ];
};

const validateSelector = (kind: string, spec: JsonObject): readonly Cause[] => {
  if (!isJsonObject(spec.selector)) return [required('spec.selector')];
  if (isEmptySelector(spec.selector)) return [invalid('spec.selector', spec.selector, `empty selector is invalid for ${kind}`)];
  const labels = labelsOf(fieldsOf(fieldsOf(spec.template).metadata).labels);
  if (matchesSelector(spec.selector, labels)) return [];
  return [invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
};

const validateTemplate = (template: JsonObject): readonly Cause[] => {
  const spec = fieldsOf(template.spec);
  if (spec.restartPolicy !== 'Always')
    return [
      ...validatePodSpec(spec, 'spec.template.spec'),
      notSupported('spec.template.spec.restartPolicy', spec.restartPolicy, ['Always']),
    ];
  return validatePodSpec(spec, 'spec.template.spec');
};

const validateUpdate = (after: KubernetesObject, before: KubernetesObject): readonly Cause[] => {
  const [selector, previous] = [fieldsOf(after.spec).selector, fieldsOf(before.spec).selector];
  return isSameJson(selector, previous) ? [] : [invalid('spec.selector', selector, 'field is immutable')];
};

const workload = { hasStatus: true, unconditionalUpdate: true, createOnUpdate: false, validate, validateUpdate } satisfies KindRules;

export const deploymentRules: KindRules = {
  ...workload,
  validate: (object) => [...validate(object), ...validateRollout(fieldsOf(object.spec))],
  movesGeneration: specOrAnnotationsChanged,
  withDefaults: (object) => withSpec(object, deploymentSpecWithDefaults),
};

export const replicaSetRules: KindRules = {
  ...workload,
  movesGeneration: specChanged,
  withDefaults: (object) => withSpec(object, (spec) => withTemplateDefaults(fillIn(spec, { replicas: 1 }))),
  initialStatus: () => ({ replicas: 0 }),
};

/** Kept and shown; nothing makes their pods yet. */
export const statefulSetRules: KindRules = {
  ...workload,
  movesGeneration: specChanged,
  withDefaults: (object) =>
    withSpec(object, (spec) =>
      withTemplateDefaults(fillIn(spec, { replicas: 1, podManagementPolicy: 'OrderedReady', revisionHistoryLimit: 10 })),
    ),
  initialStatus: () => ({ replicas: 0, availableReplicas: 0 }),
};
