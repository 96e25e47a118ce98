import { hash } from 'node:crypto';

const digits = 16;

/** Digits for the end of a commit's message with which its id begins as wanted. Seven digits take minutes. */
export const findDigits = (commitText: string, present: string, wanted: string): string => {
  const text = Buffer.from(commitText);
  const object = Buffer.concat([Buffer.from(`commit ${text.length}\0`), text]);
  const at = object.lastIndexOf(present);
  if (at < 0 || present.length !== digits) throw new Error(`the message does not end with ${digits} digits`);
  for (let count = 0n; ; count++) {
    const candidate = BigInt.asUintN(64, count * 0x9e3779b97f4a7c15n)
      .toString(16)
      .padStart(digits, '0');
    object.write(candidate, at, 'latin1');
    if (hash('sha1', object).startsWith(wanted)) return candidate;
  }
};
