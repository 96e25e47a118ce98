import { describe, expect, it } from 'vitest';
import { again, back } from '../../src/operations/invocation.ts';

describe('the commands that a summary suggests', () => {
  it('the way back is the same command reversed, and the way back from there is the first one', () => {
    expect(back(['cutover', 'clef', '--twin', 'examples/llm-serving'])).toBe('poimen cutover clef --twin examples/llm-serving --reverse');
    expect(back(['cutover', 'clef', '--reverse', '--twin', 'x'])).toBe('poimen cutover clef --twin x');
  });

  it('leaves out what belonged to this call only: a fresh twin would forget what was done', () => {
    expect(again(['cutover', 'clef', '--twin', 'x', '--fresh', '--yes'])).toBe('poimen cutover clef --twin x');
  });

  it('can be pasted into a shell', () => {
    expect(again(['run', "it's.yaml", '--set', 'note=a b'])).toBe(`poimen run 'it'\\''s.yaml' --set 'note=a b'`);
  });
});
