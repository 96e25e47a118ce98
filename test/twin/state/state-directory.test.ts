import { describe, expect, it } from 'vitest';
import { stateDirectoryOf } from '../../../src/twin/state/state-directory.ts';

const parentOf = (stateHome: string | undefined): string =>
  stateDirectoryOf('/no/such/folder', { XDG_STATE_HOME: stateHome }, '/home/jane').replace(/[^/]*$/, '');

describe('where a twin remembers', () => {
  it('is XDG_STATE_HOME, or its default', () => {
    expect(parentOf('/state')).toBe('/state/poimen/twin/');
    expect(parentOf(undefined)).toBe('/home/jane/.local/state/poimen/twin/');
    expect(parentOf('')).toBe('/home/jane/.local/state/poimen/twin/');
  });

  it('is no folder that depends on where the command was called', () => {
    expect(parentOf('relative')).toBe('/home/jane/.local/state/poimen/twin/');
  });
});
