import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeImage, judgeRequirement, type JudgedEvidence } from '../../src/image/judge-requirement.ts';
import { aggregate, grades, isAtLeast, type Grade, type Verdict } from '../../src/image/verdict.ts';

const options = { minGrade: 'E', notLooked: [], whereToLook: ['crane config IMAGE'] } as const;

const evidence = (grade: Grade, verdict: Verdict, commit?: string): JudgedEvidence => ({
  grade,
  verdict,
  ...(commit === undefined ? {} : { commit }),
  reason: `${verdict} by ${commit ?? 'bytes'}`,
  nextSteps: verdict === 'unknown' ? ['git fetch --unshallow'] : [],
  where: `evidence ${grade}`,
});

describe('judgeRequirement', () => {
  it('takes the grade of the best evidence that says so', () => {
    const answer = judgeRequirement([evidence('D', 'yes', 'a1'), evidence('C', 'yes', 'a1')], options);
    expect(answer).toMatchObject({ verdict: 'yes', grade: 'C', disagreeing: [] });
  });

  it('names evidence of another commit that says the same', () => {
    const answer = judgeRequirement([evidence('A', 'yes', 'a1'), evidence('D', 'yes', 'b2')], options);
    expect(answer).toMatchObject({ verdict: 'yes', grade: 'A', disagreeing: ['evidence D (D) says yes: yes by b2'] });
  });

  it.each<[Grade, Grade]>([
    ['A', 'D'],
    ['C', 'D'],
    ['D', 'A'],
  ])('is a conflict where %s says yes and %s says no; how to count one of them is said', (yes, no) => {
    const answer = judgeRequirement([evidence(yes, 'yes', 'a1'), evidence(no, 'no', 'b2')], options);
    expect(answer.verdict).toBe('conflict');
    expect(answer.reason).toContain(`evidence ${yes} says yes`);
    expect(answer.reason).toContain(`evidence ${no} says no`);
    expect(answer.nextSteps).toEqual(['--min-grade C: count what is better evidence than the weaker of the two']);
  });

  it('does not count what is weaker than asked for, and says what it was', () => {
    const answer = judgeRequirement([evidence('B', 'no', 'a1'), evidence('D', 'yes', 'b2')], { ...options, minGrade: 'B' });
    expect(answer).toMatchObject({ verdict: 'no', grade: 'B', notCounted: ['evidence D (D) says yes: yes by b2'] });
    const none = judgeRequirement([evidence('D', 'yes', 'b2')], { ...options, minGrade: 'B' });
    expect(none).toMatchObject({
      verdict: 'unknown',
      reason: 'there is no evidence of grade B or better',
      nextSteps: ['crane config IMAGE'],
    });
    expect(none).not.toHaveProperty('grade');
  });

  it('knows nothing without evidence, and says where nobody could look', () => {
    expect(judgeRequirement([], { ...options, notLooked: ['referrers of sha256:1: 503'] })).toMatchObject({
      verdict: 'unknown',
      reason: 'nothing says from which commit the image was built; not everything could be looked at: referrers of sha256:1: 503',
      nextSteps: ['crane config IMAGE'],
    });
  });

  it('does not say yes by an unsigned label while another commit is named of which nobody can tell', () => {
    const answer = judgeRequirement([evidence('C', 'unknown', 'b2'), evidence('D', 'yes', 'a1')], options);
    expect(answer).toMatchObject({ verdict: 'unknown', nextSteps: ['git fetch --unshallow'] });
    expect(judgeRequirement([evidence('C', 'yes', 'a1'), evidence('D', 'unknown', 'b2')], options).verdict).toBe('unknown');
    expect(judgeRequirement([evidence('C', 'no', 'a1'), evidence('D', 'unknown', 'b2')], options).verdict).toBe('unknown');
  });

  it('lets signed evidence stand against weaker evidence of which nobody can tell', () => {
    const answer = judgeRequirement([evidence('B', 'yes', 'a1'), evidence('D', 'unknown', 'b2')], options);
    expect(answer).toMatchObject({ verdict: 'yes', grade: 'B', disagreeing: ['evidence D (D) says unknown: unknown by b2'] });
  });

  it('lets bytes that tell nothing stand beside what tells', () => {
    expect(judgeRequirement([evidence('D', 'yes', 'a1'), evidence('E', 'unknown')], options).verdict).toBe('yes');
  });

  it('stays a conflict whatever else is said', () => {
    expect(judgeRequirement([evidence('A', 'yes', 'a1'), evidence('D', 'conflict', 'b2')], options).verdict).toBe('conflict');
  });

  it('never says yes where any counted evidence says no, and never no where any says yes', () => {
    const any = fc.record({
      grade: fc.constantFrom(...grades),
      verdict: fc.constantFrom<Verdict>('yes', 'no', 'unknown', 'conflict'),
      commit: fc.constantFrom('a1', 'b2', 'c3'),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), fc.constantFrom(...grades), (items, minGrade) => {
        const all = items.map(({ grade, verdict, commit }) => evidence(grade, verdict, commit));
        const counted = all.filter(({ grade }) => isAtLeast(grade, minGrade)).map(({ verdict }) => verdict);
        const { verdict, nextSteps } = judgeRequirement(all, { ...options, minGrade });
        if (verdict === 'yes') return counted.includes('yes') && !counted.includes('no') && !counted.includes('conflict');
        if (verdict === 'no') return counted.includes('no') && !counted.includes('yes') && !counted.includes('conflict');
        return verdict === 'conflict' || nextSteps.length > 0;
      }),
    );
  });
});

describe('an image with several requirements', () => {
  it('is as good as the weakest requirement where all hold', () => {
    expect(
      judgeImage([
        { verdict: 'yes', grade: 'A' },
        { verdict: 'yes', grade: 'D' },
      ]),
    ).toEqual({ verdict: 'yes', grade: 'D' });
  });

  it('is a no by the best evidence of a requirement that does not hold', () => {
    expect(
      judgeImage([
        { verdict: 'yes', grade: 'A' },
        { verdict: 'no', grade: 'D' },
        { verdict: 'no', grade: 'C' },
      ]),
    ).toEqual({ verdict: 'no', grade: 'C' });
  });

  it('is not known where nothing is required', () => {
    expect(judgeImage([])).toEqual({ verdict: 'unknown' });
  });
});

describe('aggregate', () => {
  it.each<[readonly Verdict[], Verdict]>([
    [['yes', 'no', 'conflict', 'unknown'], 'no'],
    [['yes', 'unknown', 'conflict'], 'conflict'],
    [['yes', 'unknown'], 'unknown'],
    [['yes', 'yes'], 'yes'],
    [[], 'unknown'],
  ])('%j is %s', (verdicts, expected) => {
    expect(aggregate(verdicts)).toBe(expected);
  });
});
