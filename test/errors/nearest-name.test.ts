import { describe, expect, it } from 'vitest';
import { nearestName } from '../../src/errors/nearest-name.ts';

describe('nearestName', () => {
  const known = ['replicas', 'readyReplicas', 'paused', 'selector'];

  it.each([
    ['replica', 'replicas'],
    ['relpicas', 'replicas'],
    ['READYREPLICAS', 'readyReplicas'],
    ['pausd', 'paused'],
    ['selectors', 'selector'],
  ])('takes %s for %s', (name, meant) => expect(nearestName(name, known)).toBe(meant));

  it('names nothing when nothing is near', () => {
    expect(nearestName('strategy', known)).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
  });

  it('prefers the nearest of several', () => expect(nearestName('sto', ['step', 'stop', 'stow'])).toBe('stop'));
});
