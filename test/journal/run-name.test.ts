import { describe, expect, it } from 'vitest';
import { runName } from '../../src/journal/run-name.ts';

describe('runName', () => {
  it('is a label value that sorts by time and cannot be mistaken', () => {
    expect(runName('clef', Date.parse('2026-11-30T22:15:04.321Z'), Uint8Array.of(0, 1, 26, 255))).toBe('clef-20261130-221504-bc9q');
  });

  it('stays short enough for the names of its entries, whatever the runbook is called', () => {
    expect(`poimen-run-${runName('r'.repeat(200), 0, Uint8Array.of(0, 0, 0, 0))}-00001`.length).toBeLessThanOrEqual(253);
    expect(runName('r'.repeat(200), 0, Uint8Array.of(0, 0, 0, 0)).length).toBeLessThanOrEqual(63);
  });
});
