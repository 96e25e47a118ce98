import { httpRequest, timeoutSeconds } from '../dial.ts';
import { isTcpOnly, type FoundProgram, type Tool } from '../tool.ts';
import { readReport } from './report.ts';

/**
 * bash opens connections itself: /dev/tcp/HOST/PORT. Builds without that look for a file of this name, which shows in what it says about
 * itself: it is made to try.
 *
 * Source: bash(1), "REDIRECTION".
 */
export const bash = ({ about }: FoundProgram): Tool | undefined =>
  /No such file or directory/.test(about)
    ? undefined
    : {
        name: 'bash (/dev/tcp)',
        version: /version (\d+\.\d+\.\d+)/.exec(about)?.[1],
        can: { http: true, tcp: true },
        command: (dial) => [
          'bash',
          '--norc',
          '--noprofile',
          '-c',
          script,
          'poimen',
          dial.host,
          String(dial.port),
          timeoutSeconds(dial),
          isTcpOnly(dial) ? '' : httpRequest(dial),
        ],
        read: readReport,
      };

/**
 * Nothing but bash itself is needed. A timer ends it while it connects, which cannot be given a time; waiting on a pipe that nobody
 * writes to is bash's way to sleep. One `read` takes the answer until its end: 64 KiB at the most, without NUL bytes.
 */
const script = `
LC_ALL=C; trap '' PIPE
since() { [ -n "$EPOCHREALTIME" ] && { local us=$(( \${EPOCHREALTIME/./} - start )); printf 'poimen %s %d.%03d\\n' "$1" $(( us / 1000 )) $(( us % 1000 )) >&2; } || echo "poimen $1" >&2; }
start=\${EPOCHREALTIME/./}
{ read -rt "$3" <> <(:); kill -9 $$; } >/dev/null 2>&1 & timer=$!
exec 3<>"/dev/tcp/$1/$2" || { kill $timer; exit 1; }
kill $timer
since connected
left() { echo $(( $3 > SECONDS ? $3 - SECONDS : 1 )); }
if [ -n "$4" ]; then
  printf %s "$4" >&3
  IFS= read -rt "$(left "$@")" -N 1 -u 3 first; code=$?
  if [ $code = 0 ]; then since first; IFS= read -rt "$(left "$@")" -N 65535 -u 3 rest; printf %s "$first$rest"
  elif [ $code -gt 128 ]; then echo 'poimen timeout' >&2; fi
fi
`;
