import { PoimenError, type PoimenErrorFields } from '../errors/poimen-error.ts';

/** Stable, for scripts and for the verdict that has to say why it is UNKNOWN. */
export type GitErrorCode =
  | 'GitMissing'
  | 'GitTooOld'
  | 'GitTimeout'
  | 'GitOutputTooLarge'
  | 'GitFailed'
  | 'GitObjectMissing'
  | 'SourceRefused'
  | 'SourceUnreachable'
  | 'SourceUnauthorized'
  | 'SourceCertificateNotTrusted'
  | 'SourceNotARepository'
  | 'SourceNotOwned'
  | 'BundleIncomplete'
  | 'CommitNotFound'
  | 'CommitAmbiguous'
  | 'CommitUnusable'
  | 'PatchInvalid'
  | 'ForgeFailed';

/** What the person typed is at fault, not what was asked. */
const usageCodes: ReadonlySet<GitErrorCode> = new Set<GitErrorCode>([
  'SourceRefused',
  'CommitNotFound',
  'CommitAmbiguous',
  'CommitUnusable',
  'PatchInvalid',
]);

/** While a repository was looked at. Never means that a fix is, or is not, in it. */
export class GitError extends PoimenError {
  declare readonly code: GitErrorCode;

  constructor(fields: Omit<PoimenErrorFields, 'outcome' | 'code'> & { readonly code: GitErrorCode }) {
    super({ outcome: usageCodes.has(fields.code) ? 'usage' : 'refused', ...fields });
  }
}

export const isGitError = (error: unknown, ...codes: readonly GitErrorCode[]): error is GitError =>
  error instanceof GitError && (codes.length === 0 || codes.includes(error.code));
