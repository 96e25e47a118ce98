import { afterAll, beforeAll, describe, test } from 'vitest';
import { excusedDifferences } from './excused.ts';
import { subjectSources, type Subject, type SubjectSource } from './subjects.ts';

/** States one behaviour, as a sentence about Kubernetes, and checks it on a subject. */
export type Behaviour = (sentence: string, check: (subject: Subject) => Promise<void>) => void;

/**
 * One topic of the contract. Each behaviour is checked on the twin and on a real control plane; on the twin, embedded and served, an excused one has to
 * fail, so that an excuse that is no longer needed is noticed.
 */
export const contract = (topic: string, state: (behaviour: Behaviour) => void): void => {
  for (const source of subjectSources()) {
    const leftOut = source.missing === undefined ? '' : ` (left out: ${source.missing} missing)`;
    describe.skipIf(source.missing !== undefined)(`${topic}, on ${source.name}${leftOut}`, () => {
      stateAll(source, state);
    });
  }
};

const stateAll = (source: SubjectSource, state: (behaviour: Behaviour) => void): void => {
  let opened: Subject | undefined;
  beforeAll(async () => {
    opened = await source.open();
  });
  afterAll(() => opened?.close());
  state((sentence, check) => {
    const isExcused = source.name !== 'a real control plane' && excusedDifferences.some(({ behaviour }) => behaviour === sentence);
    const run = isExcused ? test.fails : test;
    run(sentence, async () => {
      if (opened === undefined) throw new Error(`${source.name} did not open`);
      await check(opened);
    });
  });
};
