import { describe, expect, it } from 'vitest';
import { formatDiagnostic } from '../../../src/runbook/diagnostic.ts';
import { loadRunbook } from '../../../src/runbook/load-runbook.ts';
import type { Condition } from '../../../src/runbook/runbook.ts';
import { referenceKey } from '../../../src/kubernetes/reference.ts';
import type { ClusterState } from '../../../src/steps/step-kind.ts';
import { runbookText, vocabulary } from '../vocabulary.ts';

const objects = [
  '  service: svc/clef-serve.llm-serving',
  '  from: deploy/clef-serve.llm-serving',
  '  settings: cm/settings.llm-serving',
  '  db: sts/db.llm-serving',
  '  pod: pod/one.llm-serving',
].join('\n');
const inputs = '  count: {type: integer, default: 2}\n  wait: {type: duration, default: 90s}\n  share: {type: number, default: 0.5}';

const condition = (source: string): Condition => {
  const text = runbookText({ objects, inputs, steps: `  - id: a\n    waitGone: {object: from}\n    when: ${JSON.stringify(source)}` });
  const loaded = loadRunbook({ file: 'test.yaml', text, set: {}, reverse: false, vocabulary });
  const when = loaded.kind === 'loaded' ? loaded.runbook.steps[0]?.when : undefined;
  if (when === undefined) throw new Error(loaded.kind === 'invalid' ? loaded.diagnostics.map(formatDiagnostic).join('\n') : 'no condition');
  return when;
};

/** `services//clef-serve` and so on: what exists, as JSON. */
const state = (existing: Readonly<Record<string, unknown>>): ClusterState => ({
  now: 0,
  get: <T>(reference: Parameters<ClusterState['get']>[0]) => existing[referenceKey(reference)] as T | undefined,
  has: () => true,
  list: () => [],
  unavailable: () => undefined,
});

const deployment = 'deployments.apps/llm-serving/clef-serve';
const serving = {
  [deployment]: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'clef-serve', generation: 4, labels: { app: 'clef-serve' }, creationTimestamp: '2026-01-02T03:04:05Z' },
    spec: {
      replicas: 2,
      template: { spec: { containers: [{ name: 'main', image: 'r/clef:1', resources: { limits: { 'nvidia.com/gpu': 1 } } }] } },
    },
    status: { observedGeneration: 4, replicas: 2, conditions: [{ type: 'Available', status: 'True' }] },
  },
};

describe('a condition', () => {
  it.each([
    ['from.spec.replicas == inputs.count', 'true'],
    ['from.status.observedGeneration == from.metadata.generation', 'true'],
    ['from.status.conditions.exists(c, c.type == "Available" && c.status == "True")', 'true'],
    ['"app" in from.metadata.labels && from.metadata.labels.app == "clef-serve"', 'true'],
    ['from.spec.template.spec.containers.all(c, c.image.startsWith("r/"))', 'true'],
    ['from.spec.template.spec.containers[0].resources.limits["nvidia.com/gpu"] == 1', 'true'],
    ['from.metadata.creationTimestamp < timestamp("2026-01-03T00:00:00Z")', 'true'],
    ['inputs.wait > duration("1m") && inputs.share < 1.0', 'true'],
    ['from != null && service == null', 'true'],
    ['null == from', 'false'],
    ['has(from.metadata.deletionTimestamp)', 'false'],
    ['from.metadata.labels == {"app": "clef-serve"}', 'true'],
  ])('%s is %s', (source, kind) => expect(condition(source).evaluate(state(serving))).toEqual({ kind }));

  it.each([
    'from.status.readyReplicas == 0',
    'from.spec.replicas == 1',
    '!from.spec.paused',
    'from.status.conditions.size() == 0',
    'from.metadata.annotations == {}',
    'from.spec.template.spec.terminationGracePeriodSeconds == 30',
  ])('%s holds for what the API leaves out', (source) => {
    expect(condition(source).evaluate(state({ [deployment]: { metadata: { name: 'clef-serve' }, spec: {} } }))).toEqual({ kind: 'true' });
  });

  it('is an error, not false, when the object does not exist', () => {
    expect(condition('from.spec.replicas == 0').evaluate(state({}))).toEqual({
      kind: 'error',
      message: 'from.spec.replicas == 0: spec is not set; has(...) tells; deployment/clef-serve.llm-serving does not exist',
    });
  });

  it('is an error when a text has no value', () => {
    expect(condition('from.metadata.deletionTimestamp > timestamp("2026-01-03T00:00:00Z")').evaluate(state(serving))).toEqual({
      kind: 'error',
      message: 'from.metadata.deletionTimestamp > timestamp("2026-01-03T00:00:00Z"): deletionTimestamp is not set; has(...) tells',
    });
  });

  it('is an error when a field is not what its kind says', () => {
    const odd = { [deployment]: { metadata: {}, spec: { replicas: 'two' } } };
    expect(condition('from.spec.replicas == 2').evaluate(state(odd))).toMatchObject({ kind: 'error' });
  });

  it('is an error when a function of the host refuses its argument', () => {
    expect(condition('from.metadata.name.matches("(")').evaluate(state(serving))).toMatchObject({ kind: 'error' });
    expect(condition('from.metadata.creationTimestamp.getHours("Nowhere") == 1').evaluate(state(serving))).toMatchObject({ kind: 'error' });
  });

  it('looks fields of other kinds up when it is asked', () => {
    const settings = { 'configmaps/llm-serving/settings': { metadata: { name: 'settings' }, data: { mode: 'fast' } } };
    expect(condition('settings.data.mode == "fast"').evaluate(state(settings))).toEqual({ kind: 'true' });
    expect(condition('settings.dta.mode == "fast"').evaluate(state(settings))).toMatchObject({ kind: 'error' });
    expect(condition('settings == null').evaluate(state({}))).toEqual({ kind: 'true' });
  });

  it('knows the fields of StatefulSets, Services and Pods', () => {
    expect(condition('db.status.currentRevision != db.status.updateRevision').reads).toHaveLength(1);
    expect(condition('service.spec.ports.exists(p, p.port == 80 && p.targetPort == "http")').reads).toHaveLength(1);
    expect(condition('pod.status.containerStatuses.all(c, c.ready && c.restartCount < 3)').reads).toHaveLength(1);
    expect(() => condition('db.status.currentRevison == ""')).toThrow("did you mean 'currentRevision'?");
    expect(() => condition('service.spec.ports.exists(p, p.prt == 80)')).toThrow("did you mean 'port'?");
  });

  it('reads exactly the objects that it names', () => {
    const { reads } = condition('from.spec.replicas == 0 && service.spec.type == "ClusterIP"');
    expect(reads.map(({ resource, namespace }) => `${resource.plural} in ${namespace}`)).toEqual([
      'services in llm-serving',
      'deployments in llm-serving',
    ]);
    expect(condition('inputs.count > 1').reads).toEqual([]);
  });
});
