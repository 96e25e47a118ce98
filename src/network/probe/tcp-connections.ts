import type { SocketAddress, TcpConnection } from '../../cluster/prober.ts';

const established = '01';

/**
 * The established ones in the text of /proc/net/tcp and /proc/net/tcp6, one after the other. What the kernel did not write is passed over.
 *
 * Source: Linux, Documentation/networking/proc_net_tcp.rst; include/net/tcp_states.h. Addresses are 32-bit numbers as the processor keeps
 * them: read for little-endian ones, which is all that poimen has been tried on.
 */
export const readTcpConnections = (text: string): readonly TcpConnection[] =>
  text.split('\n').flatMap((line) => {
    const [, local, remote, state] = /^ *\d+: ([0-9A-F]+:[0-9A-F]{4}) ([0-9A-F]+:[0-9A-F]{4}) ([0-9A-F]{2}) /.exec(line) ?? [];
    if (local === undefined || remote === undefined || state !== established) return [];
    const ends = [readAddress(local), readAddress(remote)] as const;
    return ends[0] === undefined || ends[1] === undefined ? [] : [{ local: ends[0], remote: ends[1] }];
  });

const readAddress = (text: string): SocketAddress | undefined => {
  const [hex = '', port = ''] = text.split(':');
  if (hex.length !== 8 && hex.length !== 32) return undefined;
  const bytes = Buffer.from(hex, 'hex').swap32();
  return { ip: bytes.length === 4 ? bytes.join('.') : ipv6Text(bytes), port: Number.parseInt(port, 16) };
};

/** Source: RFC 5952, by way of the URL standard's serializer; RFC 4291, section 2.5.5.2: IPv4 over a socket of both families. */
const ipv6Text = (bytes: Buffer): string => {
  const groups = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => bytes.readUInt16BE(at).toString(16));
  if (groups.slice(0, 6).join() === '0,0,0,0,0,ffff') return bytes.subarray(12).join('.');
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
};
