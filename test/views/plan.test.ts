import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { colouredStyle, plainStyle } from '../../src/terminal/style.ts';
import { renderPlan } from '../../src/views/plan.ts';
import { blockers, planOf, production } from './examples.ts';

describe('renderPlan', () => {
  it('shows each step with what it would write, waits for, or why it is passed over', () => {
    expect(renderPlan(planOf({ warnings: ['pod/batch-0 is Pending'] }), plainStyle)).toBe(`\
clef: hand service/clef-serve over
on the twin of examples/llm-serving (simulated)

  1  ok      check the ground
  2  change  scale deployment/clef-serve to 0
             deployment/clef-serve.llm-serving  replicas 1 -> 0
  3  check   wait until its pods are gone  (at most 5 min)
             until from.status.replicas == 0
  4  skip    scale deployment/extra to 1  (when inputs.extra)

4 steps, 1 write
warning: pod/batch-0 is Pending
`);
  });

  it('names the live cluster in full, says that nothing is probed, and lists every blocker with what to do', () => {
    const text = renderPlan(planOf({ cluster: production, probing: false, steps: [], blockers }), plainStyle);
    expect(text).toBe(`\
clef: hand service/clef-serve over
on context prod (https://10.0.0.1:6443) as jane


0 steps, 0 writes
not probed: reachability is judged by readiness, EndpointSlices and policies

blocked: 2 reasons not to start
  ✖ HorizontalPodAutoscaler clef scales deployment/clef-serve (ScaledByAutoscaler)
      next: kubectl delete hpa clef -n llm-serving
  ✖ app=clef is carried by two workloads (TwoWorkloads)
      next: give each a label of its own
      next: poimen plan clef
`);
  });

  it('says it when there is nothing to do', () => {
    expect(renderPlan(planOf({ steps: [], nothingToDo: true }), plainStyle)).toContain('\nnothing to do: everything is as wanted\n');
  });

  it('says the same words in colour', () => {
    const coloured = renderPlan(planOf({ blockers }), colouredStyle);
    expect(coloured).toContain('\u001b[33mchange \u001b[39m scale deployment/clef-serve to 0\n');
    expect(coloured).toContain('\u001b[1mreplicas 1 -> 0\u001b[22m\n');
    expect(stripVTControlCharacters(coloured)).toBe(renderPlan(planOf({ blockers }), plainStyle));
  });
});
