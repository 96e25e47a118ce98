import { expect, it } from 'vitest';
import { delay } from '../../src/clock/clock.ts';
import { VirtualClock } from '../../src/clock/virtual-clock.ts';
import { whileWaiting } from '../../src/views/while-waiting.ts';
import { createRecordingTerminal } from '../terminal/recording-terminal.ts';

const lookFor = async (workMs: number, kind: 'terminal' | 'pipe'): Promise<string> => {
  const terminal = createRecordingTerminal({ kind });
  const clock = new VirtualClock(0);
  await whileWaiting(delay(clock, workMs), 'looking ...', terminal.stderr, clock);
  return terminal.written.stderr;
};

it('says what it waits for after a second, and takes it away again', async () => {
  expect(await lookFor(1001, 'terminal')).toBe('\u001b[2mlooking ...\u001b[22m\r\u001b[2K');
});

it('says nothing about what is quick, and nothing in a pipe', async () => {
  expect(await lookFor(999, 'terminal')).toBe('');
  expect(await lookFor(60_000, 'pipe')).toBe('');
});

it('takes it away before an error is shown', async () => {
  const terminal = createRecordingTerminal({ kind: 'terminal' });
  const clock = new VirtualClock(0);
  const failing = delay(clock, 2000).then(() => Promise.reject(new Error('unreachable')));
  await expect(whileWaiting(failing, 'looking ...', terminal.stderr, clock)).rejects.toThrow('unreachable');
  expect(terminal.written.stderr.endsWith('\r\u001b[2K')).toBe(true);
});
