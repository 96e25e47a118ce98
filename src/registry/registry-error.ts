import { PoimenError, type PoimenErrorFields } from '../errors/poimen-error.ts';

/** Stable, for scripts and for the verdict that has to say why it is UNKNOWN. */
export type RegistryErrorCode =
  | 'RegistryUnreachable'
  | 'RegistryCertificateNotTrusted'
  | 'RegistryTlsFailed'
  | 'RegistryTimeout'
  | 'RegistryUnauthorized'
  | 'RegistryForbidden'
  | 'RegistryRateLimited'
  | 'RegistryFailed'
  | 'RegistryAnswerInvalid'
  | 'DigestMismatch'
  | 'ContentTooLarge'
  | 'RedirectRefused'
  | 'TokenRealmRefused'
  | 'LayoutInvalid';

/** While an image was looked up. Never means that the image, or anything about it, is not there. */
export class RegistryError extends PoimenError {
  declare readonly code: RegistryErrorCode;

  constructor(fields: Omit<PoimenErrorFields, 'outcome' | 'code'> & { readonly code: RegistryErrorCode }) {
    super({ outcome: 'refused', ...fields });
  }
}

export const isRegistryError = (error: unknown, ...codes: readonly RegistryErrorCode[]): error is RegistryError =>
  error instanceof RegistryError && (codes.length === 0 || codes.includes(error.code));
