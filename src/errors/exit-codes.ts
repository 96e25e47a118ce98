/** How a command can end. The numbers are part of the interface that scripts rely on; one test pins them. */
export const exitCodes = {
  /** Done, or the answer is yes, or there was nothing to do. */
  done: 0,
  /** A bug in poimen. */
  unexpected: 1,
  /** Unusable flags, context, file or runbook. */
  usage: 2,
  /** Refused before the first write. */
  refused: 3,
  /** Failed, and rolled back. */
  rolledBack: 4,
  /** Failed and not rolled back, or waiting for a person. */
  halted: 5,
  /** Another run holds the objects or devices. */
  locked: 6,
  /** The answer is no. */
  no: 7,
  /** The answer is unknown, conflicting, depends or mixed. */
  unknown: 8,
  /** Interrupted, resumable. */
  interrupted: 130,
} as const;

export type Outcome = keyof typeof exitCodes;
