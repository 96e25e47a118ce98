import { isIP } from 'node:net';
import { httpRequest, timeoutSeconds, type Dial } from '../dial.ts';
import { readAnswer } from '../read-answer.ts';
import { isTcpOnly, type FoundProgram, type Tool, type ToolResult } from '../tool.ts';

type Variant = 'openbsd' | 'traditional' | 'busybox' | 'ncat';

const variants: readonly (readonly [Variant, RegExp, RegExp])[] = [
  ['openbsd', /OpenBSD netcat|usage: nc \[-46/i, /patchlevel (\S+?)\)/],
  ['traditional', /^\[v1\.10/m, /^\[v(\S+?)\]/m],
  ['busybox', /BusyBox/, /BusyBox v(\S+)/],
  ['ncat', /Ncat|nmap\.org\/ncat/i, /Ncat:? (?:Version )?(\d\S*)/i],
];

/** One of the four netcats; undefined for another one. */
export const nc = ({ name, about }: FoundProgram): Tool | undefined => {
  const found = variants.find(([, pattern]) => pattern.test(about));
  if (found === undefined) return undefined;
  const [variant, , version] = found;
  return {
    name: `${name} (${variant})`,
    version: version.exec(about)?.[1],
    can: { http: true, tcp: true },
    command: (dial) => (isTcpOnly(dial) ? connectOnly(name, variant, about, dial) : exchange(name, variant, dial)),
    read: (dial, result) => read(dial, result, variant !== 'busybox'),
  };
};

/** Builds of busybox without `-z` run a program on the connection instead: one that does nothing. */
const connectOnly = (name: string, variant: Variant, about: string, dial: Dial): readonly string[] => {
  const target = [dial.host, String(dial.port)];
  return variant === 'busybox' && !/\s-z\s/.test(about)
    ? [name, '-w', timeoutSeconds(dial), ...target, '-e', 'true']
    : [name, '-z', ...options(variant, dial), ...target];
};

/**
 * Sends a request. Some variants hang up when they have nothing more to send, and some servers then give no answer: for these the sending
 * side is kept open. The others go on for as long as they might have something to send, and are let go. The `sleep` that does so may outlive it, until the time is up.
 */
const exchange = (name: string, variant: Variant, dial: Dial): readonly string[] => [
  'sh',
  '-c',
  exchangeScript,
  timeoutSeconds(dial),
  httpRequest(dial),
  variant === 'busybox' || variant === 'ncat' ? 'hold' : 'let go',
  name,
  ...options(variant, dial),
  dial.host,
  String(dial.port),
];

/** Shells wait for all of a pipeline: the one that is done tells the outer shell, which then leaves. */
const exchangeScript = `t=$0; r=$1; h=$2; shift 2; trap 'exit 0' USR1
{ printf %s "$r"; [ "$h" = hold ] && exec sleep "$t"; } 2>/dev/null | {
  exec 3<&0; "$@" <&3 & n=$!
  { sleep $((t + 1)); kill -9 $n; } >/dev/null 2>&1 & w=$!
  wait $n; echo "poimen exit $?" >&2; kill $w; kill -USR1 $$
} & wait`;

const options = (variant: Variant, dial: Dial): readonly string[] => [
  ...(variant === 'busybox' ? [] : ['-v']),
  ...(variant === 'traditional' && isIP(dial.host) !== 0 ? ['-n'] : []), // it would ask for the name of the address
  '-w',
  timeoutSeconds(dial),
];

const read = (dial: Dial, { stdout, stderr, exitCode, tookMs }: ToolResult, tellsConnecting: boolean) =>
  readAnswer(dial, {
    connected:
      stdout.length > 0 ||
      (isTcpOnly(dial) && exitCode === 0) ||
      stderr.includes('poimen exit 0') ||
      /succeeded!| open$|Ncat: Connected to/m.test(stderr),
    tellsConnecting,
    response: stdout,
    words: stderr,
    // with its own idle timeout it ends well, too
    timedOut: exitCode === 137 || stderr.includes('poimen exit 137') || (stdout.length === 0 && tookMs >= dial.timeoutMs),
    latencyMs: tookMs,
  });
