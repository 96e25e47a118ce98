import { hexOf } from './digest.ts';

/**
 * The tag under which a registry without the referrers API keeps the list of them.
 *
 * Source: OCI Distribution specification 1.1, "Referrers Tag Schema": the algorithm, a dash, and at most 64 digits.
 */
export const referrersTag = (digest: string): string => `${digest.slice(0, digest.indexOf(':'))}-${hexOf(digest).slice(0, 64)}`;
