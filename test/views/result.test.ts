import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RunResult } from '../../src/engine/event.ts';
import { colouredStyle, plainStyle } from '../../src/terminal/style.ts';
import { renderResult } from '../../src/views/result.ts';
import { blockers, resultOf } from './examples.ts';

const withoutOutage = ({ outage: _outage, ...rest }: RunResult): RunResult => rest;

describe('renderResult', () => {
  it('tells what changed, how long each step took, how long the Service had no backend, and how to go back', () => {
    expect(renderResult(resultOf(), plainStyle)).toBe(`\
✔ clef: done in 12 s of simulated time
on the twin of examples/llm-serving (simulated), run clef-a1b2

  ✔    ok  check the ground
  ✔ 40 ms  scale deployment/clef-serve to 0
  ✔  12 s  wait until its pods are gone (not probed)

changed
  deployment/clef-serve.llm-serving  replicas 1 -> 0
  service/clef-serve.llm-serving  selector app=clef-serve -> app=clef-candle

the Service had no ready backend for 4 min 6 s (17:00:02 to 17:04:08)

to go back: poimen cutover clef --reverse
`);
  });

  it('of a halted run tells why, what is half done, and that the Service has no backend now', () => {
    const halted = resultOf({
      outcome: 'halted',
      simulated: false,
      probed: false,
      steps: [
        { id: 'stop', title: 'scale deployment/clef-serve to 0', state: 'done', tookMs: 40 },
        { id: 'ready', title: 'wait until its pods are ready', state: 'failed' },
        { id: 'switch', title: 'switch service/clef-serve', state: 'notReached' },
      ],
      changes: [{ object: 'deployment/clef-serve.llm-serving', path: '/spec/replicas', before: 1, after: 0 }],
      outage: { totalMs: 1000, windows: [{ from: '2026-11-30T17:00:02.000Z', to: undefined }] },
      failure: {
        step: 'ready',
        reason: 'its deadline of 5 min has passed',
        troubles: [{ code: 'ImagePullBackOff', object: 'pod/clef-candle-7d9f', message: 'manifest unknown', graceMs: 0 }],
        blockers: [],
      },
      nextSteps: ['to go on: poimen cutover clef'],
    });
    expect(renderResult(halted, plainStyle)).toBe(`\
✖ clef: halted after 12 s
on the twin of examples/llm-serving (simulated), run clef-a1b2

  ✔       40 ms  scale deployment/clef-serve to 0
  ✖      failed  wait until its pods are ready
  · not reached  switch service/clef-serve

why at ready: its deadline of 5 min has passed
  pod/clef-candle-7d9f: ImagePullBackOff: manifest unknown

changed so far
  deployment/clef-serve.llm-serving  replicas 1 -> 0

the Service had no ready backend for 1 s (17:00:02 to now)
not probed: reachability is judged by readiness, EndpointSlices and policies

to go on: poimen cutover clef
`);
  });

  it('of a refused run shows no steps, and every blocker', () => {
    const refused = withoutOutage(
      resultOf({
        outcome: 'refused',
        run: undefined,
        steps: [],
        changes: [],
        failure: { reason: '2 reasons', troubles: [], blockers },
        nextSteps: [],
      }),
    );
    expect(renderResult(refused, plainStyle)).toBe(`\
✖ clef: refused; nothing was changed
on the twin of examples/llm-serving (simulated)

why: 2 reasons
  ✖ HorizontalPodAutoscaler clef scales deployment/clef-serve (ScaledByAutoscaler)
      next: kubectl delete hpa clef -n llm-serving
  ✖ app=clef is carried by two workloads (TwoWorkloads)
      next: give each a label of its own
      next: poimen plan clef
`);
  });

  it('says so when there was nothing to do', () => {
    const nothing = withoutOutage(resultOf({ outcome: 'nothingToDo', run: undefined, changes: [], nextSteps: [] }));
    expect(renderResult(nothing, plainStyle)).toBe(`\
✔ clef: nothing to do, everything is as wanted; nothing was changed
on the twin of examples/llm-serving (simulated)
`);
  });

  it('leaves the steps out when the reader has just watched them', () => {
    expect(renderResult(resultOf(), plainStyle, true)).not.toContain('scale deployment/clef-serve to 0');
  });

  it.each([
    [[], 'the Service had a ready backend all the time'],
    [
      [
        { from: '2026-11-30T17:00:02.000Z', to: '2026-11-30T17:00:03.000Z' },
        { from: '2026-11-30T17:00:04.000Z', to: '2026-11-30T17:00:05.000Z' },
      ],
      'the Service had no ready backend for 2 s, in 2 windows (17:00:02 to 17:00:03, 17:00:04 to 17:00:05)',
    ],
  ])('counts the windows: %#', (windows, expected) => {
    expect(renderResult(resultOf({ outage: { totalMs: 2000, windows } }), plainStyle)).toContain(`\n${expected}\n`);
  });

  it('says the same words in colour', () => {
    const coloured = renderResult(resultOf(), colouredStyle);
    expect(coloured).toContain('\u001b[32m✔\u001b[39m \u001b[1mclef: done\u001b[22m in 12 s');
    expect(stripVTControlCharacters(coloured)).toBe(renderResult(resultOf(), plainStyle));
  });
});
