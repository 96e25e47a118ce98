import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { manifestChanges, refuseChangedManifests } from '../../../src/twin/state/manifest-changes.ts';

const object = (kind: string, name: string, fields: Readonly<Record<string, unknown>> = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'llm-serving' },
  ...fields,
});

test('objects that came, went and changed are told with their fields', () => {
  const before = [
    object('Deployment', 'a', { spec: { replicas: 1, template: { image: 'x' } } }),
    object('Service', 'gone'),
    object('Secret', 's', { data: { 'a/b': 'old' } }),
  ];
  const after = [
    object('Deployment', 'a', { spec: { replicas: 0, template: {} } }),
    object('Service', 'new'),
    object('Secret', 's', { data: { 'a/b': 'new' } }),
  ];
  expect(manifestChanges(before, after)).toEqual([
    'changed deployment/a.llm-serving: /spec/replicas 1 -> 0',
    'changed deployment/a.llm-serving: /spec/template/image "x" -> nothing',
    'added service/new.llm-serving',
    'changed secret/s.llm-serving: /data/a~1b',
    'removed service/gone.llm-serving',
  ]);
});

test('the same objects in another order and with fields in another order are no change', () => {
  const [one, other] = [object('Deployment', 'a', { spec: { x: 1, y: 2 } }), object('Service', 'b')];
  expect(manifestChanges([one, other], [other, object('Deployment', 'a', { spec: { y: 2, x: 1 } })])).toEqual([]);
});

test('a list that became longer is shown whole', () => {
  const before = [object('Service', 'a', { spec: { ports: [80] } })];
  expect(manifestChanges(before, [object('Service', 'a', { spec: { ports: [80, 81] } })])).toEqual([
    'changed service/a.llm-serving: /spec/ports [80] -> [80,81]',
  ]);
});

test('the refusal names the folder, the changes and the way out', () => {
  expect(() => refuseChangedManifests('examples/x', [], [object('Service', 'a')])).toThrow(
    expect.objectContaining({
      outcome: 'usage',
      code: 'TwinManifestsChanged',
      message: 'the manifests in examples/x have changed since this twin began',
      detail: 'added service/a.llm-serving',
      nextSteps: [expect.stringContaining('--fresh'), 'or undo the change'],
    }),
  );
});
