import { timeoutSeconds, type Dial } from '../dial.ts';

/**
 * The command, ended from outside when the dial's time is up: for programs that have no deadline of their own for all that they do.
 * A second later, so that one that has is heard first: it says more. Exits with 137 then, by SIGKILL. Only in a container with a shell.
 *
 * Its `sleep` may outlive it, until the time is up.
 */
export const withDeadline = (dial: Dial, command: readonly string[]): readonly string[] => [
  'sh',
  '-c',
  `"$@" & p=$!; { sleep $(($0 + 1)); kill -9 $p; } >/dev/null 2>&1 & w=$!; wait $p; e=$?; kill $w 2>/dev/null; exit $e`,
  timeoutSeconds(dial),
  ...command,
];
