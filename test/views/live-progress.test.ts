import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import { createLiveProgress } from '../../src/views/live-progress.ts';
import { createRecordingTerminal } from '../terminal/recording-terminal.ts';
import { events, planOf } from './examples.ts';

const start = Date.parse('2026-11-30T17:00:00Z');

/** The list as it stays on the screen: what was drawn last. */
const lastFrame = (text: string): readonly string[] => {
  const plain = stripVTControlCharacters(text);
  return plain
    .slice(plain.lastIndexOf('↓ check the ground'))
    .split('\n')
    .filter((line) => line !== '');
};

it('the list ends with every step marked, how long it took, and the warnings', async () => {
  const terminal = createRecordingTerminal({ kind: 'terminal' });
  const progress = createLiveProgress(planOf(), new VirtualClock(start), terminal.stderr);
  for (const event of events) progress.show(event);
  await progress.end();
  expect(lastFrame(terminal.written.stderr)).toEqual([
    '↓ check the ground  ok',
    '✔ scale deployment/clef-serve to 0  40 ms',
    '✔ wait until its pods are gone  12 s, not probed',
    '↓ scale deployment/extra to 1  skipped',
    '17:00:02 warning: pod/batch-0 is Pending',
  ]);
  expect(terminal.written.stdout).toBe('');
});

it('a failed step shows why, those behind it stay unmarked, and the cursor comes back', async () => {
  const terminal = createRecordingTerminal({ kind: 'terminal' });
  const progress = createLiveProgress(planOf(), new VirtualClock(start), terminal.stderr);
  for (const event of events.slice(0, 3)) progress.show(event);
  progress.show({ type: 'stepFailed', at: '2026-11-30T17:00:01.000Z', step: 'stop', reason: 'quota exceeded', troubles: [], blockers: [] });
  await progress.end();
  expect(lastFrame(terminal.written.stderr)).toEqual([
    '↓ check the ground  ok',
    '✖ scale deployment/clef-serve to 0: quota exceeded',
    '◼ wait until its pods are gone',
    '◼ scale deployment/extra to 1',
  ]);
  expect(terminal.written.stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(terminal.written.stderr.lastIndexOf('\u001b[?25l'));
});
