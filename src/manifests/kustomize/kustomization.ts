import { z } from 'zod';
import type { ManifestProblem } from '../position.ts';
import type { ParsedYaml } from '../yaml.ts';

const texts = z.record(z.string(), z.string());

const generatorOptions = z.strictObject({
  labels: texts.optional(),
  annotations: texts.optional(),
  disableNameSuffixHash: z.boolean().optional(),
  immutable: z.boolean().optional(),
});

const patchTarget = z.strictObject({
  group: z.string().optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  labelSelector: z.string().optional(),
  annotationSelector: z.string().optional(),
});

const options = z.strictObject({ delimiter: z.string().optional(), index: z.int().optional(), create: z.boolean().optional() }).optional();

const replacement = z.strictObject({
  source: z
    .strictObject({
      group: z.string().optional(),
      version: z.string().optional(),
      kind: z.string().optional(),
      name: z.string().optional(),
      namespace: z.string().optional(),
      fieldPath: z.string().optional(),
      options,
    })
    .optional(),
  sourceValue: z.string().optional(),
  targets: z.array(
    z.strictObject({
      select: patchTarget,
      reject: z.array(patchTarget).optional(),
      fieldPaths: z.array(z.string()).optional(),
      options,
    }),
  ),
});

const dataEntry = {
  name: z.string(),
  namespace: z.string().optional(),
  behavior: z.literal(['create', 'merge', 'replace']).optional(),
  literals: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  envs: z.array(z.string()).optional(),
  env: z.string().optional(),
  options: generatorOptions.optional(),
};
const configMapEntry = z.strictObject(dataEntry);
const secretEntry = z.strictObject({ ...dataEntry, type: z.string().optional() });

/**
 * What of a kustomization is built. Everything else that kustomize knows is reported by name.
 *
 * Source: kustomize API reference, Kustomization v1beta1 and Component v1alpha1.
 */
const kustomizationSchema = z.strictObject({
  apiVersion: z.literal(['kustomize.config.k8s.io/v1beta1', 'kustomize.config.k8s.io/v1', 'kustomize.config.k8s.io/v1alpha1']).optional(),
  kind: z.literal(['Kustomization', 'Component']).optional(),
  metadata: z.looseObject({}).optional(),
  resources: z.array(z.string()).optional(),
  bases: z.array(z.string()).optional(),
  components: z.array(z.string()).optional(),
  namespace: z.string().optional(),
  namePrefix: z.string().optional(),
  nameSuffix: z.string().optional(),
  labels: z
    .array(z.strictObject({ pairs: texts, includeSelectors: z.boolean().optional(), includeTemplates: z.boolean().optional() }))
    .optional(),
  commonLabels: texts.optional(),
  commonAnnotations: texts.optional(),
  patches: z
    .array(z.strictObject({ path: z.string().optional(), patch: z.string().optional(), target: patchTarget.optional() }))
    .optional(),
  patchesStrategicMerge: z.array(z.string()).optional(),
  patchesJson6902: z.array(z.strictObject({ path: z.string().optional(), patch: z.string().optional(), target: patchTarget })).optional(),
  images: z
    .array(
      z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string().optional(), digest: z.string().optional() }),
    )
    .optional(),
  replicas: z.array(z.strictObject({ name: z.string(), count: z.int().nonnegative() })).optional(),
  replacements: z.array(z.union([z.strictObject({ path: z.string() }), replacement])).optional(),
  configMapGenerator: z.array(configMapEntry).optional(),
  secretGenerator: z.array(secretEntry).optional(),
  generatorOptions: generatorOptions.optional(),
  // The order of what comes out is nothing to anybody here.
  sortOptions: z.looseObject({}).optional(),
});

/** A file that an entry of `replacements` names has one of them, or a list. */
export const replacementFile = z.union([z.array(replacement), replacement.transform((entry) => [entry])]);

export type Kustomization = z.infer<typeof kustomizationSchema>;
export type PatchEntry = NonNullable<Kustomization['patches']>[number];
export type PatchTarget = z.infer<typeof patchTarget>;
export type ImageEntry = NonNullable<Kustomization['images']>[number];
export type ReplicasEntry = NonNullable<Kustomization['replicas']>[number];
export type ConfigMapEntry = z.infer<typeof configMapEntry>;
export type SecretEntry = z.infer<typeof secretEntry>;
export type ReplacementEntry = z.infer<typeof replacement>;
export type GeneratorOptions = z.infer<typeof generatorOptions>;
export type LabelsEntry = NonNullable<Kustomization['labels']>[number];

export type CheckedKustomization =
  | { readonly kind: 'kustomization'; readonly kustomization: Kustomization }
  | { readonly kind: 'problems'; readonly problems: readonly ManifestProblem[] };

/** Checks a kustomization's text; each field that is not supported is a problem of its own. */
export const checkKustomization = (yaml: ParsedYaml): CheckedKustomization => {
  if (yaml.value === undefined) return { kind: 'problems', problems: yaml.problems };
  const checked = kustomizationSchema.safeParse(yaml.value);
  if (checked.success && yaml.problems.length === 0) return { kind: 'kustomization', kustomization: checked.data };
  return { kind: 'problems', problems: [...yaml.problems, ...(checked.error?.issues ?? []).flatMap((issue) => problemsOf(yaml, issue))] };
};

const problemsOf = (yaml: ParsedYaml, issue: z.core.$ZodIssue): readonly ManifestProblem[] => {
  const path = issue.path.filter((key) => typeof key !== 'symbol');
  if (issue.code !== 'unrecognized_keys') {
    return [
      { ...yaml.positionOf(path), message: `${path.join('.')}: ${issue.message}`, hint: 'see the Kustomization reference of kustomize' },
    ];
  }
  return issue.keys.map((key) => ({
    ...yaml.positionOf([...path, key], 'key'),
    message: `${[...path, key].join('.')} of kustomize is not supported here`,
    hint: 'build it with "kubectl kustomize DIR > FILE" and load the file',
  }));
};
