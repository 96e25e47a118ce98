const alphabet = 'bcdfghjklmnpqrstvwxz2456789'; // no vowels, nothing that is mistaken for something else: Kubernetes' own choice
const nameLimit = 30;

/**
 * A name for a run, a valid label value and part of object names: `clef-20261130-221504-x7k2` (UTC).
 *
 * `random` gives the last four characters, one byte each.
 */
export const runName = (runbook: string, nowMs: number, random: Uint8Array): string => {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const suffix = Array.from(random.slice(0, 4), (byte) => alphabet[byte % alphabet.length]).join('');
  return `${runbook.slice(0, nameLimit)}-${stamp}-${suffix}`;
};
