import { describe, expect, it } from 'vitest';
import { wantsColour } from '../../src/terminal/colour.ts';

describe('wantsColour', () => {
  it.each([
    ['a terminal', {}, true, true],
    ['a pipe', {}, false, false],
    ['NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR, which does not count', { NO_COLOR: '' }, true, true],
    ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0 on a terminal', { FORCE_COLOR: '0' }, true, false],
    ['FORCE_COLOR against NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
    ['a dumb terminal', { TERM: 'dumb' }, true, false],
  ])('with %s', (_, env, isTerminal, expected) => {
    expect(wantsColour(env, isTerminal)).toBe(expected);
  });
});
