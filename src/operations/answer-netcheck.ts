import type { Outcome } from '../errors/exit-codes.ts';
import type { Context } from './context.ts';
import type { NetcheckRequest, NetcheckResult, OnlyFromRequest, OnlyFromResult } from './netcheck.ts';
import type { BeforeApplyRequest, BeforeApplyResult } from './netcheck-before-apply.ts';
import type { DiffRequest, DiffResult } from './netcheck-diff.ts';
import type { MatrixRequest, MatrixResult } from './netcheck-matrix.ts';

/** What `poimen netcheck` can be asked. */
export type NetcheckQuestion =
  | { readonly kind: 'query'; readonly request: NetcheckRequest }
  | { readonly kind: 'onlyFrom'; readonly request: OnlyFromRequest }
  | { readonly kind: 'matrix'; readonly request: MatrixRequest }
  | { readonly kind: 'diff'; readonly request: DiffRequest }
  | { readonly kind: 'beforeApply'; readonly request: BeforeApplyRequest };

export type NetcheckDocument = NetcheckResult | OnlyFromResult | MatrixResult | DiffResult | BeforeApplyResult;

export interface Answered {
  readonly result: NetcheckDocument;
  readonly outcome: Outcome;
}

/** Each is loaded when it is asked. Throws what the operations throw. */
export const answerNetcheck = async (question: NetcheckQuestion, context: Context): Promise<Answered> => {
  switch (question.kind) {
    case 'query': {
      const { netcheck, outcomeOf } = await import('./netcheck.ts');
      const result = await netcheck(question.request, context);
      return { result, outcome: outcomeOf(result) };
    }
    case 'onlyFrom': {
      const { netcheckOnlyFrom, outcomeOf } = await import('./netcheck.ts');
      const result = await netcheckOnlyFrom(question.request, context);
      return { result, outcome: outcomeOf(result) };
    }
    case 'matrix': {
      const { netcheckMatrix, outcomeOfMatrix } = await import('./netcheck-matrix.ts');
      const result = await netcheckMatrix(question.request, context);
      return { result, outcome: outcomeOfMatrix(result) };
    }
    case 'diff': {
      const { netcheckDiff, outcomeOfDiff } = await import('./netcheck-diff.ts');
      const result = await netcheckDiff(question.request, context);
      return { result, outcome: outcomeOfDiff(result) };
    }
    case 'beforeApply': {
      const { netcheckBeforeApply } = await import('./netcheck-before-apply.ts');
      const { outcomeOfDiff } = await import('./netcheck-diff.ts');
      const result = await netcheckBeforeApply(question.request, context);
      return { result, outcome: outcomeOfDiff(result) };
    }
  }
};
