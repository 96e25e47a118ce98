import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName, shortName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Owner } from './owner.ts';

const reconcileAnnotation = 'kustomize.toolkit.fluxcd.io/reconcile';

/**
 * The Flux Kustomization or HelmRelease that applies an object. Its annotation `reconcile: disabled` takes the object alone out of
 * Flux's hands: then it is only mentioned.
 *
 * Source: Flux, "Kustomization" ("Controlling the apply behavior of resources") and "Helm Release".
 */
export const fluxOwnersOf = (reference: ObjectReference, object: KubernetesObject): readonly Owner[] => [
  ...kustomizationOf(reference, object),
  ...helmReleaseOf(reference, object),
];

const kustomizationOf = (reference: ObjectReference, { metadata }: KubernetesObject): readonly Owner[] => {
  const name = metadata.labels?.['kustomize.toolkit.fluxcd.io/name'];
  if (name === undefined) return [];
  const owner = `kustomization/${name}.${metadata.labels?.['kustomize.toolkit.fluxcd.io/namespace'] ?? 'flux-system'}`;
  if (metadata.annotations?.[reconcileAnnotation] === 'disabled') {
    return [
      {
        code: 'FluxPaused',
        reason: `${fullName(reference)} is left alone by Flux (${owner}) until ${reconcileAnnotation} is removed; make the change in git before that`,
        nextSteps: [],
        effect: 'mention',
      },
    ];
  }
  const inNamespace = reference.namespace === undefined ? '' : `-n ${reference.namespace} `;
  return [
    {
      code: 'AppliedByFlux',
      reason: `${fullName(reference)} is applied by Flux through ${owner}, which would undo the change at its next reconcile`,
      nextSteps: [
        `take it out of Flux's hands until git has the change: kubectl annotate ${inNamespace}--field-manager=poimen ${shortName(reference)} ${reconcileAnnotation}=disabled`,
      ],
      effect: 'undoes',
    },
  ];
};

const helmReleaseOf = (reference: ObjectReference, { metadata }: KubernetesObject): readonly Owner[] => {
  const name = metadata.labels?.['helm.toolkit.fluxcd.io/name'];
  if (name === undefined) return [];
  const namespace = metadata.labels?.['helm.toolkit.fluxcd.io/namespace'] ?? 'flux-system';
  return [
    {
      code: 'AppliedByFlux',
      reason: `${fullName(reference)} is applied by Flux through helmrelease/${name}.${namespace}, which would undo the change at its next upgrade or drift correction`,
      nextSteps: [
        `flux suspend helmrelease ${name} -n ${namespace} does not take the object out of its hands for good: change the release's values instead`,
      ],
      effect: 'undoes',
    },
  ];
};
