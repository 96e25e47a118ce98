import { httpRequest } from '../dial.ts';
import { isTcpOnly, type FoundProgram, type Tool } from '../tool.ts';
import { readReport } from './report.ts';

/** `-I -S`: none of the image's own settings and packages. */
export const python = ({ name, about }: FoundProgram): Tool | undefined => {
  const version = /Python (3\.\S+)/.exec(about)?.[1];
  if (version === undefined) return undefined;
  return {
    name,
    version,
    can: { http: true, tcp: true },
    command: (dial) => [
      name,
      '-I',
      '-S',
      '-c',
      script,
      dial.host,
      String(dial.port),
      String(dial.timeoutMs / 1000),
      isTcpOnly(dial) ? '' : httpRequest(dial),
    ],
    read: readReport,
  };
};

/** The alarm is for name resolution, which cannot be given a time. */
const script = `
import signal, socket, sys, time
host, port, limit, request = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
start = time.monotonic()
signal.signal(signal.SIGALRM, signal.SIG_DFL)
signal.setitimer(signal.ITIMER_REAL, limit + 0.2)
def tell(what, rest): sys.stderr.write("poimen %s %s\\n" % (what, rest)); sys.stderr.flush()
def ms(): return "%.1f" % ((time.monotonic() - start) * 1000)
def left(): return max(0.001, start + limit - time.monotonic())
try:
    connection = socket.create_connection((host, port), left())
except socket.timeout:
    tell("timeout", ""); sys.exit(1)
except OSError as error:
    tell("failed", error.strerror or error); sys.exit(1)
tell("connected", ms())
if request:
    seen = 0
    try:
        connection.sendall(request.encode())
        while seen < 65536:
            connection.settimeout(left())
            data = connection.recv(65536)
            if not data: break
            if seen == 0: tell("first", ms())
            seen += len(data)
            sys.stdout.buffer.write(data)
    except socket.timeout:
        tell("timeout", "")
    except OSError as error:
        tell("failed", error.strerror or error)
`;
