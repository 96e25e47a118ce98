import type { Protocol } from '../../kubernetes/pod.ts';
import type { Verdict } from '../policy/engine.ts';

/** `mixed`: some pairs of pods get through, others do not. */
export type AnswerVerdict = Verdict | 'mixed';

/** Whether A reaches B, and who decides it. */
export interface Answer {
  readonly verdict: AnswerVerdict;
  readonly from: string;
  readonly to: string;
  /** As the client dials it. */
  readonly port: number;
  readonly protocol: Protocol;
  readonly service?: ServiceAnswer;
  /** The halves of the path that decides: the first of the worst. */
  readonly egress?: HalfAnswer;
  readonly ingress?: HalfAnswer;
  /** One for each pair of pods that policies tell apart. Empty: there is nobody to judge. */
  readonly paths: readonly PathAnswer[];
  readonly notes: readonly Note[];
}

export interface ServiceAnswer {
  readonly name: string;
  readonly namespace: string;
  readonly type: string;
  readonly clusterIP?: string;
  readonly port: number;
  /** As the Service says it; absent where nothing is translated. */
  readonly targetPort?: number | string;
  readonly source?: string;
}

export interface PathAnswer {
  readonly verdict: Verdict;
  readonly client: Party;
  readonly server: Party;
  /** On the server's pod: after the Service's translation. */
  readonly port: number;
  readonly protocol: Protocol;
  readonly egress: HalfAnswer;
  /** What the Service itself decides, where it does. */
  readonly translation?: { readonly verdict: Verdict; readonly reason: string };
  readonly ingress: HalfAnswer;
}

/** Pods of one workload that no policy tells apart, or addresses. */
export interface Party {
  /** `llm-serving/clef-serve[Deployment]`, or an address. */
  readonly id: string;
  readonly pods: readonly string[];
  /** It is judged by what its template says, since no pod of it is there. */
  readonly templateOnly: boolean;
}

export interface HalfAnswer {
  readonly verdict: Verdict;
  /** `namespace/name` of the policy that decided, where one alone did. */
  readonly policy?: string;
  readonly rule?: number;
  /** `llm-serving-ingress.yaml:19` */
  readonly source?: string;
  readonly reason: string;
  /** What the verdict would have to be read with: policies that are not evaluated, or could not be read. */
  readonly dependsOn: readonly string[];
  /** Every policy that selects the pod and speaks of the direction. */
  readonly policies: readonly PolicyAnswer[];
}

export interface PolicyAnswer {
  readonly kind: string;
  readonly policy: string;
  readonly says: 'allows' | 'denies' | 'passes' | 'none' | 'depends';
  readonly source?: string;
  readonly rules: readonly {
    readonly rule: number;
    readonly matches: 'yes' | 'no' | 'unknown';
    readonly why: string;
    readonly source?: string;
  }[];
}

/** Something the reader has to know besides the verdict. `caution`: it may make the connection fail all the same. */
export interface Note {
  readonly code: string;
  readonly severity: 'caution' | 'information';
  readonly text: string;
}

/** One `denied` and one `allowed` are `mixed`; then one `depends` leaves it open. Nobody to judge: `depends`. */
export const aggregate = (verdicts: readonly Verdict[]): AnswerVerdict => {
  if (verdicts.length === 0) return 'depends';
  if (verdicts.includes('allowed') && verdicts.includes('denied')) return 'mixed';
  if (verdicts.includes('depends')) return 'depends';
  return verdicts.includes('denied') ? 'denied' : 'allowed';
};

/** Of stages that all have to be passed. */
export const worstOf = (verdicts: readonly Verdict[]): Verdict => {
  if (verdicts.includes('denied')) return 'denied';
  return verdicts.includes('depends') ? 'depends' : 'allowed';
};
