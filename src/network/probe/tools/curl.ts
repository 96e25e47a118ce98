import { authority, urlOf, type Dial } from '../dial.ts';
import { readAnswer } from '../read-answer.ts';
import { isTcpOnly, type FoundProgram, type Tool, type ToolResult } from '../tool.ts';

/** Source: curl(1), "EXIT CODES". */
const operationTimedOut = 28;

/** Without it a bare connection cannot be made. */
const speaksTelnet = /^Protocols:.*\btelnet\b/m;

export const curl = ({ about }: FoundProgram): Tool => ({
  name: 'curl',
  version: /^curl (\S+)/.exec(about)?.[1],
  can: { http: true, tcp: speaksTelnet.test(about) },
  command: (dial) => ['curl', ...common(dial), isTcpOnly(dial) ? `telnet://${authority(dial)}` : urlOf(dial)],
  read,
});

/** `-q` first: no .curlrc. `-v` because newer versions say only there why a connection failed. `-g`: brackets mean nothing. */
const common = (dial: Dial): readonly string[] => [
  '-q',
  '-sSvig',
  '--noproxy',
  '*',
  '--max-time',
  String(dial.timeoutMs / 1000),
  '-A',
  'poimen',
  '-H',
  'Connection: close',
  '-w',
  '\n<poimen %{time_connect} %{time_starttransfer}>',
];

const read = (dial: Dial, { stdout, stderr, exitCode, tookMs }: ToolResult) => {
  const end = stdout.lastIndexOf('\n<poimen ');
  const [connectSeconds = 0, firstByteSeconds = 0] =
    end === -1
      ? []
      : stdout
          .subarray(end)
          .toString()
          .replaceAll(',', '.') // in some locales
          .matchAll(/\d+\.\d+/g)
          .map(([text]) => Number(text));
  const seconds = isTcpOnly(dial) ? connectSeconds : firstByteSeconds;
  return readAnswer(dial, {
    connected: /^\* (?:Connected to|Established connection to) /m.test(stderr),
    response: end === -1 ? stdout : stdout.subarray(0, end),
    decoded: true,
    words: stderr
      .split('\n')
      .filter((line) => /^curl: |failed|refused|unreachable|route|timed out/i.test(line))
      .join('\n'),
    timedOut: exitCode === operationTimedOut,
    latencyMs: seconds > 0 ? round(seconds * 1000) : tookMs,
  });
};

const round = (ms: number): number => Math.round(ms * 10) / 10;
