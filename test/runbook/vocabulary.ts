import { cutover } from '../../src/steps/cutover.ts';
import { scale } from '../../src/steps/scale.ts';
import { waitGone } from '../../src/steps/wait-gone.ts';
import type { Vocabulary } from '../../src/runbook/step-shapes.ts';

/** Three keys, so that messages which list them stay as they are when a kind is added. */
export const vocabulary: Vocabulary = { stepKinds: [scale, waitGone], expansions: [cutover] };

/** A runbook around the parts that a test is about. */
export const runbookText = (parts: {
  readonly inputs?: string;
  readonly objects?: string;
  readonly steps?: string;
  readonly more?: string;
}): string =>
  [
    'apiVersion: poimen.dev/v1alpha1',
    'kind: Runbook',
    'metadata: {name: test, summary: A test.}',
    ...(parts.more === undefined ? [] : [parts.more]),
    ...(parts.inputs === undefined ? [] : ['inputs:', parts.inputs]),
    'objects:',
    parts.objects ??
      ['  service: svc/clef-serve.llm-serving', '  from: deploy/clef-serve.llm-serving', '  to: deploy/clef-candle.llm-serving'].join('\n'),
    'steps:',
    parts.steps ?? '  - {id: stop, scale: {object: from, replicas: 0}}',
  ].join('\n');
