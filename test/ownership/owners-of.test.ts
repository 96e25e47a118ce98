import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../src/kubernetes/object.ts';
import type { ObjectReference } from '../../src/kubernetes/reference.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { HorizontalPodAutoscaler } from '../../src/ownership/autoscaler.ts';
import type { ScaledObject } from '../../src/ownership/keda.ts';
import { generatedNames, type InferenceService } from '../../src/ownership/kserve.ts';
import { ownersOf, type Neighbours } from '../../src/ownership/owners-of.ts';
import { deployment, deploymentRef, object, ownedBy, service, serviceRef } from '../builders/objects.ts';

const nobody: Neighbours = { autoscalers: [], scaledObjects: [], inferenceServices: [] };
const workload = deploymentRef('coder');
const plain = deployment('coder');

const codes = (reference: ObjectReference, owned: KubernetesObject, neighbours: Partial<Neighbours> = {}) =>
  ownersOf(reference, owned, { ...nobody, ...neighbours }).map(({ code, effect }) => `${code} ${effect}`);

const autoscaler = (target: string, metadata = {}): HorizontalPodAutoscaler => ({
  ...object(resources.horizontalPodAutoscalers, 'coder', { metadata }),
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target }, maxReplicas: 3 },
});
const scaledObject = (metadata = {}): ScaledObject => ({
  ...object(resources.scaledObjects, 'coder', { metadata }),
  spec: { scaleTargetRef: { name: 'coder' } },
});
const inferenceService = (name: string, deploymentMode?: string): InferenceService => ({
  ...object(resources.inferenceServices, name),
  ...(deploymentMode === undefined ? {} : { status: { deploymentMode } }),
});

describe('ownersOf', () => {
  it('finds nobody where nobody is', () => {
    expect(codes(workload, plain)).toEqual([]);
  });

  describe('an autoscaler', () => {
    it('counts also while its workload is at 0: it takes it up again', () => {
      expect(codes(workload, deployment('coder', { replicas: 0 }), { autoscalers: [autoscaler('coder')] })).toEqual([
        'ScaledByAutoscaler undoes',
      ]);
    });

    it.each<[string, HorizontalPodAutoscaler]>([
      ['another workload', autoscaler('other')],
      ['a workload of another namespace', autoscaler('coder', { namespace: 'batch' })],
    ])('of %s does not count', (_, other) => {
      expect(codes(workload, plain, { autoscalers: [other] })).toEqual([]);
    });

    it('that KEDA made is named once, as KEDA', () => {
      const made = autoscaler('coder', ownedBy(scaledObject()));
      expect(codes(workload, plain, { autoscalers: [made], scaledObjects: [scaledObject()] })).toEqual(['ScaledByKeda undoes']);
    });
  });

  it('KEDA counts paused, too: it holds a number, and un-paused meanwhile it undoes the change', () => {
    const paused = scaledObject({ annotations: { 'autoscaling.keda.sh/paused-replicas': '0' } });
    expect(ownersOf(workload, plain, { ...nobody, scaledObjects: [paused] })).toMatchObject([
      { code: 'ScaledByKeda', reason: expect.stringContaining('(paused now)') },
    ]);
  });

  describe('Argo CD', () => {
    const tracked = (id: string) => deployment('coder', { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': id } } });

    it('is found by its tracking id', () => {
      expect(ownersOf(workload, tracked('models:apps/Deployment:llm-serving/coder'), nobody)).toMatchObject([
        { code: 'SyncedByArgoCd', reason: expect.stringContaining('application models,') },
      ]);
    });

    it('is not blamed for a tracking id that was copied from another object', () => {
      expect(codes(workload, tracked('models:apps/Deployment:llm-serving/other'))).toEqual([]);
    });

    it.each([
      ['its label', { labels: { 'argocd.argoproj.io/instance': 'models' } }],
      ['the name under which it writes', { managedFields: [{ manager: 'argocd-controller' }] }],
    ])('is found by %s', (_, metadata) => {
      expect(codes(workload, deployment('coder', { metadata }))).toEqual(['SyncedByArgoCd undoes']);
    });
  });

  describe('Flux', () => {
    const labels = { 'kustomize.toolkit.fluxcd.io/name': 'models', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' };

    it('is found by its labels, and the way out never poses as kubectl: Flux takes such writes over', () => {
      const [owner] = ownersOf(workload, deployment('coder', { metadata: { labels } }), nobody);
      expect(owner).toMatchObject({
        code: 'AppliedByFlux',
        effect: 'undoes',
        reason: expect.stringContaining('kustomization/models.flux-system'),
      });
      expect(owner?.nextSteps.join()).toContain('--field-manager=poimen');
    });

    it('is only mentioned where the object was taken out of its hands', () => {
      const metadata = { labels, annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } };
      expect(codes(workload, deployment('coder', { metadata }))).toEqual(['FluxPaused mention']);
    });

    it('is found as a HelmRelease, too', () => {
      expect(codes(workload, deployment('coder', { metadata: { labels: { 'helm.toolkit.fluxcd.io/name': 'models' } } }))).toEqual([
        'AppliedByFlux undoes',
      ]);
    });
  });

  it('Helm is only mentioned: it acts when somebody upgrades', () => {
    const metadata = { labels: { 'app.kubernetes.io/managed-by': 'Helm' }, annotations: { 'meta.helm.sh/release-name': 'models' } };
    expect(codes(workload, deployment('coder', { metadata }))).toEqual(['ReleasedByHelm mention']);
  });

  it('any other controller is found by the ownerReference', () => {
    const rollout = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata: { name: 'coder', uid: 'u' } };
    expect(codes(workload, deployment('coder', { metadata: ownedBy(rollout) }))).toEqual(['OwnedByController undoes']);
  });

  describe('KServe', () => {
    const reference = serviceRef('coder-predictor');
    const handWritten = service('coder-predictor', { app: 'candle-vllm' });

    it('owns a hand-written Service by its name alone: it adopts it and puts its own selector back', () => {
      expect(codes(reference, handWritten, { inferenceServices: [inferenceService('coder')] })).toEqual(['OwnedByKserve undoes']);
    });

    it('has two ways out: another Service in front, or the name without the InferenceService', () => {
      const neighbours = { ...nobody, inferenceServices: [inferenceService('coder')] };
      expect(ownersOf(reference, handWritten, neighbours)[0]?.nextSteps).toEqual([
        expect.stringMatching(/^hand over a Service whose name no InferenceService generates/),
        expect.stringContaining('kubectl delete --cascade=orphan -n llm-serving inferenceservice/coder'),
      ]);
      expect(ownersOf(deploymentRef('coder-predictor'), deployment('coder-predictor'), neighbours)[0]?.nextSteps[0]).toBe(
        'hand over a workload of your own',
      );
    });

    it('owns by ownerReference also where the InferenceService is not in the list', () => {
      const owned = service('coder-predictor', {}, { metadata: ownedBy(inferenceService('coder')) });
      expect(codes(reference, owned)).toEqual(['OwnedByKserve undoes']);
    });

    it('owns the Deployment of that name, and not the one of its own name', () => {
      const neighbours = { inferenceServices: [inferenceService('coder')] };
      expect(codes(deploymentRef('coder-predictor'), deployment('coder-predictor'), neighbours)).toEqual(['OwnedByKserve undoes']);
      expect(codes(workload, plain, neighbours)).toEqual([]);
    });

    it.each<[string, InferenceService, ObjectReference]>([
      ['of another name', inferenceService('reasoning'), reference],
      ['of another namespace', { ...inferenceService('coder'), metadata: { name: 'coder', namespace: 'other' } }, reference],
    ])('does not own through an InferenceService %s', (_, other, target) => {
      expect(codes(target, handWritten, { inferenceServices: [other] })).toEqual([]);
    });

    it('generates a Service of its own name in the Knative modes only', () => {
      expect(generatedNames(inferenceService('coder', 'Serverless'))).toContain('coder');
      expect(generatedNames(inferenceService('coder', 'Standard'))).not.toContain('coder');
      expect(generatedNames(inferenceService('coder', 'RawDeployment'))).not.toContain('coder');
    });
  });

  it('says what to do about each owner that would undo the change', () => {
    const metadata = { labels: { 'kustomize.toolkit.fluxcd.io/name': 'models', 'argocd.argoproj.io/instance': 'models' } };
    const owners = ownersOf(workload, deployment('coder', { metadata }), {
      autoscalers: [autoscaler('coder')],
      scaledObjects: [scaledObject()],
      inferenceServices: [],
    });
    expect(owners).toHaveLength(4);
    expect(owners.every(({ nextSteps }) => nextSteps.length > 0)).toBe(true);
  });
});
