import { expect, it } from 'vitest';
import { plainStyle } from '../../src/terminal/style.ts';
import { renderEvent } from '../../src/views/event-lines.ts';
import { events, resultOf } from './examples.ts';

it('a log has a line for each event, with the time of the run', () => {
  expect(events.map((event) => renderEvent(event, plainStyle)).join('')).toBe(`\
17:00:00 run clef-a1b2 of clef (simulated)
17:00:00 check the ground: ok
17:00:00 scale deployment/clef-serve to 0
17:00:00   wrote deployment/clef-serve.llm-serving: replicas 0
17:00:00   done in 40 ms, wants 0 pods
17:00:00 wait until its pods are gone
17:00:00   service/clef-serve.llm-serving: no ready backend
17:00:00   waiting: clef-serve-5c8f: terminating
17:00:01   reachability after gone: HTTP 200 (expected: window), not probed
17:00:02 warning: pod/batch-0 is Pending
17:00:12   done in 12 s, not probed
17:00:12 scale deployment/extra to 1: skipped
`);
});

it('a failed step says why; the end of the run has no line, its result is shown elsewhere', () => {
  const at = '2026-11-30T17:00:00.000Z';
  expect(
    renderEvent({ type: 'stepFailed', at, step: 'gone', reason: 'its deadline has passed', troubles: [], blockers: [] }, plainStyle),
  ).toBe('17:00:00   failed: its deadline has passed\n');
  expect(renderEvent({ type: 'runFinished', at, result: resultOf() }, plainStyle)).toBe('');
});
