import { describe, expect, it } from 'vitest';
import { resources } from '../../../src/kubernetes/resource.ts';
import { tableOf } from '../../../src/twin-server/table/table.ts';

const now = Date.UTC(2026, 0, 1);
const map = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'n', creationTimestamp: '2025-12-31T23:58:55Z' },
  data: { key: 'value' },
};

describe('tableOf', () => {
  it('sends with each row what the client asked for', () => {
    const rowFor = (includeObject: 'Metadata' | 'Object' | 'None') => tableOf(resources.configMaps, [map], { now, includeObject }).rows;
    expect(rowFor('Object')).toEqual([{ cells: ['a', 1, '65s'], object: map }]);
    expect(rowFor('Metadata')).toEqual([
      { cells: ['a', 1, '65s'], object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: map.metadata } },
    ]);
    expect(rowFor('None')).toEqual([{ cells: ['a', 1, '65s'], object: null }]);
  });

  it('carries nothing but what the API defines in its columns', () => {
    const { columnDefinitions } = tableOf(resources.configMaps, [], { now, includeObject: 'None' });
    expect(columnDefinitions[0]).toEqual({ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 });
  });

  it('says that pods have ended', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Failed' } };
    const { rows } = tableOf(resources.pods, [pod], { now, includeObject: 'None' });
    expect(rows[0]?.conditions).toEqual([{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }]);
  });
});
