import type { Deployment } from '../../kubernetes/deployment.ts';
import type { LabelSelector } from '../../kubernetes/label-selector.ts';
import { podTemplateHashLabel, type ReplicaSet } from '../../kubernetes/replica-set.ts';
import { apiVersionOf, resources } from '../../kubernetes/resource.ts';
import { controllerReference } from './claim.ts';
import { hashText } from './hash.ts';
import type { Annotations } from './replica-set-annotations.ts';

export interface ReplicaSetWish {
  readonly replicas: number;
  readonly annotations: Annotations;
  /** How often the hash of this Deployment's template has turned out to be taken. */
  readonly collisionCount: number | undefined;
}

/** The ReplicaSet for a Deployment's present template, told apart from its others by the hash of the template. */
export const buildReplicaSet = (deployment: Deployment, { replicas, annotations, collisionCount }: ReplicaSetWish): ReplicaSet => {
  const { selector, template, minReadySeconds = 0 } = deployment.spec;
  const hash = hashText(`${canonicalJson(template)}${collisionCount ?? ''}`);
  const labels = { ...template.metadata?.labels, [podTemplateHashLabel]: hash };
  return {
    apiVersion: apiVersionOf(resources.replicaSets),
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      annotations,
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds === 0 ? {} : { minReadySeconds }),
      selector: withHash(selector, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
};

const withHash = (selector: LabelSelector, hash: string): LabelSelector => ({
  ...selector,
  matchLabels: { ...selector.matchLabels, [podTemplateHashLabel]: hash },
});

/** Text that is the same for the same value, whatever the order of its keys. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
    .join(',')}}`;
};
