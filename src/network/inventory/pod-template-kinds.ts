import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { PodTemplate } from '../../kubernetes/pod.ts';
import { resources, type Resource } from '../../kubernetes/resource.ts';
import { groupOf } from '../../manifests/object-identity.ts';

/** A kind whose objects make pods. */
export interface PodTemplateKind {
  readonly resource: Resource;
  /** One for each kind of pod that it makes; the suffix tells them apart where there are several. */
  readonly templates: (object: KubernetesObject) => readonly NamedTemplate[];
}

export interface NamedTemplate {
  readonly suffix?: string;
  readonly template: PodTemplate;
}

const custom = (group: string, version: string, plural: string, kind: string): Resource => ({
  group,
  version,
  plural,
  kind,
  namespaced: true,
});

/**
 * Built-in kinds with a pod template, and some custom ones that are widely used.
 *
 * Sources: Kubernetes API reference; the custom resource definitions of Argo Rollouts, KServe, OpenKruise, LeaderWorkerSet,
 * KubeRay and JobSet.
 */
export const podTemplateKinds: readonly PodTemplateKind[] = [
  { resource: resources.deployments, templates: at('spec', 'template') },
  { resource: resources.statefulSets, templates: at('spec', 'template') },
  { resource: resources.daemonSets, templates: at('spec', 'template') },
  { resource: resources.replicaSets, templates: at('spec', 'template') },
  { resource: resources.replicationControllers, templates: at('spec', 'template') },
  { resource: resources.jobs, templates: (job) => jobTemplates(job, ['spec', 'template'], job.metadata.name) },
  { resource: resources.cronJobs, templates: at('spec', 'jobTemplate', 'spec', 'template') },
  { resource: custom('argoproj.io', 'v1alpha1', 'rollouts', 'Rollout'), templates: at('spec', 'template') },
  { resource: resources.inferenceServices, templates: inferenceServiceTemplates },
  { resource: custom('apps.kruise.io', 'v1alpha1', 'clonesets', 'CloneSet'), templates: at('spec', 'template') },
  {
    resource: custom('leaderworkerset.x-k8s.io', 'v1', 'leaderworkersets', 'LeaderWorkerSet'),
    templates: (set) => [
      ...templateAt(set, ['spec', 'leaderWorkerTemplate', 'leaderTemplate'], 'leader'),
      ...templateAt(set, ['spec', 'leaderWorkerTemplate', 'workerTemplate'], 'worker'),
    ],
  },
  {
    resource: custom('ray.io', 'v1', 'rayclusters', 'RayCluster'),
    templates: (cluster) => [
      ...templateAt(cluster, ['spec', 'headGroupSpec', 'template'], 'head'),
      ...eachOf(cluster, ['spec', 'workerGroupSpecs'], ['template'], 'groupName'),
    ],
  },
  {
    resource: custom('jobset.x-k8s.io', 'v1alpha2', 'jobsets', 'JobSet'),
    templates: (set) => eachOf(set, ['spec', 'replicatedJobs'], ['template', 'spec', 'template'], 'name'),
  },
];

export const podTemplateKindOf = ({ apiVersion, kind }: KubernetesObject): PodTemplateKind | undefined =>
  podTemplateKinds.find(({ resource }) => resource.kind === kind && resource.group === groupOf(apiVersion));

function at(...path: JsonPath): PodTemplateKind['templates'] {
  return (object) => templateAt(object, path);
}

const templateAt = (value: unknown, path: JsonPath, suffix?: string): readonly NamedTemplate[] => {
  const template = valueAt(value, path);
  if (!isPodTemplate(template)) return [];
  return [{ ...(suffix === undefined ? {} : { suffix }), template }];
};

const eachOf = (object: KubernetesObject, list: JsonPath, path: JsonPath, nameField: string): readonly NamedTemplate[] => {
  const items = valueAt(object, list);
  if (!isJsonArray(items)) return [];
  return items.flatMap((item, index) => {
    const name = valueAt(item, [nameField]);
    return templateAt(item, path, typeof name === 'string' ? name : String(index));
  });
};

/** The job controller's labels, which a policy may go by. Source: Kubernetes, "Jobs" and "Well-Known Labels". */
const jobTemplates = (job: KubernetesObject, path: JsonPath, name: string): readonly NamedTemplate[] =>
  templateAt(job, path).map(({ template }) => ({
    template: withLabels(template, { 'batch.kubernetes.io/job-name': name, 'job-name': name }),
  }));

/**
 * The predictor's pod, as KServe makes it in Standard mode: the spec is the predictor itself, and the labels are the InferenceService's
 * and KServe's own. Ports that a serving runtime adds are not known.
 */
function inferenceServiceTemplates(service: KubernetesObject): readonly NamedTemplate[] {
  const predictor = valueAt(service, ['spec', 'predictor']);
  if (!isJsonObject(predictor)) return [];
  const { name, labels } = service.metadata;
  const model = predictor['model'];
  const containers = isJsonArray(predictor['containers']) ? predictor['containers'] : isJsonObject(model) ? [model] : [];
  const own = { app: `isvc.${name}-predictor`, component: 'predictor', 'serving.kserve.io/inferenceservice': name };
  const template = { spec: { ...predictor, containers } };
  return isPodTemplate(template) ? [{ template: withLabels(template, { ...labels, ...own }) }] : [];
}

const withLabels = (template: PodTemplate, labels: Readonly<Record<string, string>>): PodTemplate => ({
  ...template,
  metadata: { ...template.metadata, labels: { ...labels, ...template.metadata?.labels } },
});

const isPodTemplate = (value: unknown): value is PodTemplate =>
  isJsonObject(value) && isJsonObject(value['spec']) && isJsonArray(value['spec']['containers']);
