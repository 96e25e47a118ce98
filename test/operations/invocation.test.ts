import { describe, expect, it } from 'vitest';
import { again, back } from '../../src/operations/invocation.ts';

describe('the commands that a summary suggests', () => {
  it('the way back is the same command reversed, and the way back from there is the first one', () => {
    expect(back(['poimen', 'cutover', 'clef', '--twin', 'examples/llm-serving'])).toBe(
      'poimen cutover clef --twin examples/llm-serving --reverse',
    );
    expect(back(['poimen', 'cutover', 'clef', '--reverse', '--twin', 'x'])).toBe('poimen cutover clef --twin x');
  });

  it('leaves out what belonged to this call only: a fresh twin would forget what was done', () => {
    expect(again(['npx poimen', 'cutover', 'clef', '--twin', 'x', '--fresh', '--yes'])).toBe('npx poimen cutover clef --twin x');
  });

  it('can be pasted into a shell', () => {
    expect(again(['poimen', 'run', "it's.yaml", '--set', 'note=a b'])).toBe(`poimen run 'it'\\''s.yaml' --set 'note=a b'`);
  });
});
