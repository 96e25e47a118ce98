import { addPairs, field, type FieldSpec } from './field-spec.ts';
import { transformEach, type Transformation } from './built-object.ts';
import type { LabelsEntry } from './kustomization.ts';

const ofObject: FieldSpec = { path: field('metadata/labels'), create: true };

const ofTemplates: readonly FieldSpec[] = [
  { kind: 'ReplicationController', path: field('spec/template/metadata/labels'), create: true },
  { kind: 'Deployment', path: field('spec/template/metadata/labels'), create: true },
  { kind: 'ReplicaSet', path: field('spec/template/metadata/labels'), create: true },
  { kind: 'DaemonSet', path: field('spec/template/metadata/labels'), create: true },
  { kind: 'StatefulSet', group: 'apps', path: field('spec/template/metadata/labels'), create: true },
  { kind: 'Job', group: 'batch', path: field('spec/template/metadata/labels'), create: true },
  { kind: 'CronJob', group: 'batch', path: field('spec/jobTemplate/metadata/labels'), create: true },
  { kind: 'CronJob', group: 'batch', path: field('spec/jobTemplate/spec/template/metadata/labels'), create: true },
];

const ofClaimTemplates: FieldSpec = {
  kind: 'StatefulSet',
  group: 'apps',
  path: field('spec/volumeClaimTemplates[]/metadata/labels'),
  create: true,
};

const podAffinityTerms = ['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
  `spec/template/spec/affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
  `spec/template/spec/affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
]);

const ofSelectors: readonly FieldSpec[] = [
  { kind: 'Service', group: '', path: field('spec/selector'), create: true },
  { kind: 'ReplicationController', group: '', path: field('spec/selector'), create: true },
  { kind: 'Deployment', path: field('spec/selector/matchLabels'), create: true },
  { kind: 'ReplicaSet', path: field('spec/selector/matchLabels'), create: true },
  { kind: 'DaemonSet', path: field('spec/selector/matchLabels'), create: true },
  { kind: 'StatefulSet', group: 'apps', path: field('spec/selector/matchLabels'), create: true },
  ...['Deployment', 'StatefulSet'].flatMap((kind) =>
    [...podAffinityTerms, 'spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels'].map((path): FieldSpec => ({
      kind,
      group: 'apps',
      path: field(path),
      create: false,
    })),
  ),
  { kind: 'Job', group: 'batch', path: field('spec/selector/matchLabels'), create: false },
  { kind: 'CronJob', group: 'batch', path: field('spec/jobTemplate/spec/selector/matchLabels'), create: false },
  { kind: 'PodDisruptionBudget', group: 'policy', path: field('spec/selector/matchLabels'), create: false },
  ...['spec/podSelector/matchLabels', 'spec/ingress/from/podSelector/matchLabels', 'spec/egress/to/podSelector/matchLabels'].map(
    (path): FieldSpec => ({ kind: 'NetworkPolicy', group: 'networking.k8s.io', path: field(path), create: false }),
  ),
];

/** Source: kustomize API reference, `labels`; its built-in field specs of labels, commonLabels and template labels. */
export const addLabels = ({ pairs, includeSelectors = false, includeTemplates = false }: LabelsEntry): Transformation => {
  const specs = [
    ofObject,
    ...(includeTemplates || includeSelectors ? [...ofTemplates, ofClaimTemplates] : []),
    ...(includeSelectors ? ofSelectors : []),
  ];
  return transformEach((object) => addPairs(object, specs, pairs));
};

const ofAnnotations: readonly FieldSpec[] = [ofObject, ...ofTemplates].map((spec) => ({
  ...spec,
  path: spec.path.map((key) => (key === 'labels' ? 'annotations' : key)),
}));

/** On objects and pod templates alike. Source: kustomize API reference, `commonAnnotations`. */
export const addAnnotations = (pairs: Readonly<Record<string, string>>): Transformation =>
  transformEach((object) => addPairs(object, ofAnnotations, pairs));
