import { describe, expect, it } from 'vitest';
import { probablyBy } from '../../src/ownership/managed-fields.ts';
import { deployment } from '../builders/objects.ts';

describe('probablyBy', () => {
  const written = deployment('coder', {
    metadata: {
      managedFields: [
        { manager: 'kubectl-scale', time: '2026-11-30T11:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
        { manager: 'keda-operator', time: '2026-11-30T12:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
        { manager: 'kube-controller-manager', time: '2026-11-30T13:00:00Z', fieldsV1: { 'f:status': { 'f:replicas': {} } } },
      ],
    },
  });

  it('names the last writer of the field, not of the object', () => {
    expect(probablyBy(written, ['spec', 'replicas'])).toBe('probably by keda-operator at 2026-11-30T12:00:00Z');
  });

  it('is silent where the object does not tell', () => {
    expect(probablyBy(written, ['spec', 'paused'])).toBe('');
    expect(probablyBy(deployment('coder'), ['spec', 'replicas'])).toBe('');
  });
});
