import { aggregate, grades, isAtLeast, weaker, type Grade, type Verdict } from './verdict.ts';

/** One piece of evidence, judged: who says what, how far that can be believed, and what follows from it for the requirement. */
export interface JudgedEvidence {
  readonly grade: Grade;
  /** `yes`, `no`, ... by this evidence alone. */
  readonly verdict: Verdict;
  /** The commit that it names. Absent: it is about bytes. */
  readonly commit?: string;
  /** How the verdict follows: the chain, and for `unknown` the reason. */
  readonly reason: string;
  /** What to run next, where it ends in `unknown` or `conflict`. */
  readonly nextSteps: readonly string[];
  /** Where it was found: `label org.opencontainers.image.revision of sha256:…`. */
  readonly where: string;
}

export interface RequirementAnswer {
  readonly verdict: Verdict;
  /** Of the best evidence that says so. Absent: there is none that counts. */
  readonly grade?: Grade;
  readonly reason: string;
  readonly nextSteps: readonly string[];
  /** Evidence that says something else than the answer. */
  readonly disagreeing: readonly string[];
  /** Evidence that is weaker than what was asked for, and was not counted. */
  readonly notCounted: readonly string[];
}

export interface JudgeOptions {
  /** Weaker evidence does not count. */
  readonly minGrade: Grade;
  /** Where somebody looked in vain: the registry did not answer. Whatever is there may be better evidence, or contradict. */
  readonly notLooked: readonly string[];
  /** For an `unknown` that has no evidence: what to run next. */
  readonly whereToLook: readonly string[];
}

/** Signed by somebody who was asked for: of this alone a contradiction by weaker evidence does not take the answer away. */
const signed: Grade = 'B';

/**
 * What all evidence together says of one requirement.
 *
 * Evidence that contradicts itself is a conflict, whatever its grades: whoever trusts one kind more says so with `minGrade`. Where one cannot
 * tell, and names another commit than the one that can, only signed evidence stands by itself.
 */
export const judgeRequirement = (evidence: readonly JudgedEvidence[], options: JudgeOptions): RequirementAnswer => {
  const counted = evidence.filter(({ grade }) => isAtLeast(grade, options.minGrade)).toSorted(byGrade);
  const notCounted = evidence.filter((item) => !counted.includes(item)).map(sentence);
  const [best] = counted;
  if (best === undefined) return { ...nothing(options, evidence.length > 0), notCounted, disagreeing: [] };
  const answer = verdictOf(counted, best);
  const first = counted.find(({ verdict }) => verdict === answer.verdict);
  return {
    verdict: answer.verdict,
    ...(first === undefined ? {} : { grade: first.grade }),
    reason: answer.reason,
    nextSteps:
      answer.verdict === 'yes' || answer.verdict === 'no'
        ? []
        : unique([...counted.flatMap(({ nextSteps }) => nextSteps), ...answer.nextSteps]),
    disagreeing: counted
      .filter(({ verdict, commit }) => verdict !== answer.verdict || commit !== best.commit)
      .filter((item) => item !== first)
      .map(sentence),
    notCounted,
  };
};

const verdictOf = (
  counted: readonly JudgedEvidence[],
  best: JudgedEvidence,
): Pick<RequirementAnswer, 'verdict' | 'reason' | 'nextSteps'> => {
  const says = (wanted: Verdict): JudgedEvidence | undefined => counted.find(({ verdict }) => verdict === wanted);
  const [yes, no, conflict, unknown] = [says('yes'), says('no'), says('conflict'), says('unknown')];
  if (conflict !== undefined) return { verdict: 'conflict', reason: conflict.reason, nextSteps: [] };
  if (yes !== undefined && no !== undefined) {
    const weakest = [yes.grade, no.grade].reduce(weaker);
    const better = grades[grades.indexOf(weakest) - 1];
    return {
      verdict: 'conflict',
      reason: `${yes.where} says yes (${yes.reason}), ${no.where} says no (${no.reason})`,
      nextSteps:
        yes.grade === no.grade || better === undefined
          ? []
          : [`--min-grade ${better}: count what is better evidence than the weaker of the two`],
    };
  }
  const told = yes ?? no;
  if (told === undefined) return { verdict: 'unknown', reason: best.reason, nextSteps: [] };
  if (unknown === undefined || unknown.commit === undefined || unknown.commit === told.commit || standsAlone(told, unknown))
    return { verdict: told.verdict, reason: told.reason, nextSteps: [] };
  return {
    verdict: 'unknown',
    reason: `${told.where} says ${told.verdict} (${told.reason}), but ${unknown.where} names another commit, ${unknown.commit}, of which nobody can tell: ${unknown.reason}`,
    nextSteps: [],
  };
};

const standsAlone = (told: JudgedEvidence, unknown: JudgedEvidence): boolean => isAtLeast(told.grade, signed) && told.grade < unknown.grade;

const nothing = (
  { notLooked, minGrade, whereToLook }: JudgeOptions,
  hasWeaker: boolean,
): Omit<RequirementAnswer, 'notCounted' | 'disagreeing'> => {
  const reasons = [
    hasWeaker ? `there is no evidence of grade ${minGrade} or better` : 'nothing says from which commit the image was built',
    ...(notLooked.length === 0 ? [] : [`not everything could be looked at: ${notLooked.join('; ')}`]),
  ];
  return { verdict: 'unknown', reason: reasons.join('; '), nextSteps: whereToLook };
};

const byGrade = (left: JudgedEvidence, right: JudgedEvidence): number => grades.indexOf(left.grade) - grades.indexOf(right.grade);

const sentence = ({ grade, where, verdict, reason }: JudgedEvidence): string => `${where} (${grade}) says ${verdict}: ${reason}`;

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

/** All requirements have to hold; the answer is as good as the weakest of those that decide it. */
export const judgeImage = (
  answers: readonly Pick<RequirementAnswer, 'verdict' | 'grade'>[],
): { readonly verdict: Verdict; readonly grade?: Grade } => {
  const verdict = aggregate(answers.map((answer) => answer.verdict));
  const deciding = answers.filter((answer) => answer.verdict === verdict).flatMap(({ grade }) => (grade === undefined ? [] : [grade]));
  const grade = deciding.length === 0 ? undefined : deciding.reduce(verdict === 'yes' ? weaker : stronger);
  return { verdict, ...(grade === undefined ? {} : { grade }) };
};

const stronger = (left: Grade, right: Grade): Grade => (left < right ? left : right);
