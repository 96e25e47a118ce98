import { expect } from 'vitest';
import { contract } from '../contract.ts';
import { deployment, jsonPatch, mergePatch, pod, podOnNode, referTo, refusalOf, resources, written } from '../objects.ts';

const template = (labels: unknown, spec: unknown): unknown => ({ metadata: { labels }, spec });
const containers = [{ name: 'main', image: 'registry.example/server:1.0' }];

contract('What is refused of workloads and pods', (behaviour) => {
  const refusedDeployments: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    [
      'whose selector does not match its template',
      { selector: { matchLabels: { app: 'b' } } },
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ],
    ['without a selector', { selector: undefined }, 'spec.selector: Required value'],
    ['with an empty selector', { selector: {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    ['with a negative number of replicas', { replicas: -1 }, 'spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    [
      'whose containers have no image',
      { template: template({ app: 'a' }, { containers: [{ name: 'main' }] }) },
      'spec.template.spec.containers[0].image: Required value',
    ],
    ['without containers', { template: template({ app: 'a' }, {}) }, 'spec.template.spec.containers: Required value'],
    [
      'whose pods do not restart',
      { template: template({ app: 'a' }, { containers, restartPolicy: 'Never' }) },
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      'that recreates by a rolling update',
      { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      'that may neither surge nor lack a pod',
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
    ],
    [
      'with a strategy that does not exist',
      { strategy: { type: 'BlueGreen' } },
      'spec.strategy: Unsupported value: {"Type":"BlueGreen","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      'whose progress deadline is not after minReadySeconds',
      { minReadySeconds: 700 },
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ],
  ];
  for (const [what, spec, message] of refusedDeployments) {
    behaviour(`a Deployment ${what} is refused`, async ({ cluster, newNamespace }) => {
      const refusal = await refusalOf(cluster.create(resources.deployments, deployment(await newNamespace(), 'a', spec), written));
      expect(refusal).toMatchObject({ code: 422, reason: 'Invalid', details: { name: 'a', group: 'apps', kind: 'Deployment' } });
      expect(refusal.message).toContain(message);
      expect(refusal.message).toContain('Deployment.apps "a" is invalid: ');
    });
  }

  behaviour("a Deployment's selector cannot be changed", async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.deployments, deployment(namespace, 'a'), written);
    const patch = jsonPatch(
      { op: 'replace', path: '/spec/selector', value: { matchLabels: { app: 'b' } } },
      { op: 'replace', path: '/spec/template/metadata/labels', value: { app: 'b' } },
    );
    const refusal = await refusalOf(cluster.patch(referTo(resources.deployments, namespace, 'a'), patch, written));
    expect(refusal).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'spec.selector', reason: 'FieldValueInvalid' }] },
    });
    expect(refusal.message).toBe(
      'Deployment.apps "a" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    );
  });

  behaviour('what a running pod is made of cannot be changed', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.pods, podOnNode(namespace, 'a'), written);
    const refusal = await refusalOf(
      cluster.patch(referTo(resources.pods, namespace, 'a'), mergePatch({ spec: { nodeName: 'elsewhere' } }), written),
    );
    expect(refusal).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'spec', reason: 'FieldValueForbidden' }] },
    });
    expect(refusal.message).toContain(
      'Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`',
    );
  });

  behaviour('a pod without containers is refused', async ({ cluster, newNamespace }) => {
    const refusal = await refusalOf(cluster.create(resources.pods, pod(await newNamespace(), 'a', { containers: [] }), written));
    expect(refusal.message).toBe('Pod "a" is invalid: spec.containers: Required value');
  });
});
