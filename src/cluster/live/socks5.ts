import { isIP, type Socket } from 'node:net';
import { proxyAccount, proxyError } from './open-proxy.ts';

const version = 5;
const noAuthentication = 0;
const userAndPassword = 2;

/**
 * Asks a SOCKS5 proxy for a tunnel. Names are resolved by the proxy, as kubectl has it for `socks5` and `socks5h` alike.
 *
 * Source: RFC 1928; RFC 1929 (user and password); Go's net/http, which hands the name on.
 */
export const openSocks5 = async (socket: Socket, proxy: URL, host: string, port: number, timeoutMs: number): Promise<Socket> => {
  const reader = new ByteReader(socket, timeoutMs);
  try {
    const account = proxyAccount(proxy);
    const methods = account === undefined ? [noAuthentication] : [noAuthentication, userAndPassword];
    socket.write(Uint8Array.of(version, methods.length, ...methods));
    const [answeredVersion, method] = await reader.take(2);
    if (answeredVersion !== version) throw new Error('it does not speak SOCKS5');
    if (method === userAndPassword && account !== undefined) {
      socket.write(Buffer.concat([Uint8Array.of(1), counted(account.user), counted(account.password)]));
      const [, refused] = await reader.take(2);
      if (refused !== 0) throw new Error('it does not accept the user and password in its URL');
    } else if (method !== noAuthentication) {
      throw new Error('it wants a user and password: put them into its URL, socks5://USER:PASSWORD@HOST:PORT');
    }
    socket.write(Buffer.concat([Uint8Array.of(version, 1, 0), addressOf(host), Uint8Array.of(port >> 8, port & 0xff)]));
    const [, reply = 1, , type] = await reader.take(4);
    if (reply !== 0) throw new Error(`${refusals[reply] ?? `refused (${reply})`}: ${host}:${port}`);
    const [length = 0] = type === 3 ? await reader.take(1) : [type === 4 ? 16 : 4];
    await reader.take(length + 2);
    reader.release();
    return socket;
  } catch (cause) {
    socket.destroy();
    throw proxyError(proxy, cause instanceof Error ? cause.message : String(cause), cause instanceof Error ? cause : undefined);
  }
};

/** RFC 1928, section 6. */
const refusals: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'TTL expired',
  7: 'command not supported',
  8: 'address type not supported',
};

const counted = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('user, password or host name is longer than 255 bytes');
  return Buffer.concat([Uint8Array.of(bytes.length), bytes]);
};

const addressOf = (host: string): Buffer => {
  if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (isIP(host) === 6) return Buffer.concat([Uint8Array.of(4), ipv6Bytes(host)]);
  return Buffer.concat([Uint8Array.of(3), counted(host)]);
};

const ipv6Bytes = (host: string): Buffer => {
  const groupsOf = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : text.split(':'));
  const [before, after] = host.split('::');
  const [head, tail] = [groupsOf(before), groupsOf(after)];
  const zeros = Array.from({ length: after === undefined ? 0 : 8 - head.length - tail.length }, () => '0');
  return Buffer.from([...head, ...zeros, ...tail].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
};

/** Reads exactly as many bytes as asked for; what follows stays in the socket, for TLS. */
class ByteReader {
  private readonly socket: Socket;
  private wake = (): void => undefined;
  private failure: Error | undefined;

  constructor(socket: Socket, timeoutMs: number) {
    this.socket = socket;
    socket.on('readable', this.onReadable).on('error', this.onFailure).on('end', this.onEnd);
    socket.setTimeout(timeoutMs, () => this.onFailure(new Error(`no answer within ${timeoutMs / 1_000} s`)));
  }

  async take(count: number): Promise<readonly number[]> {
    for (;;) {
      const bytes: unknown = this.socket.read(count);
      if (bytes instanceof Uint8Array && bytes.length === count) return [...bytes];
      if (this.failure !== undefined) throw this.failure;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  release(): void {
    this.socket.setTimeout(0);
    this.socket.off('readable', this.onReadable).off('error', this.onFailure).off('end', this.onEnd);
  }

  private readonly onReadable = (): void => this.wake();

  private readonly onFailure = (error: Error): void => {
    this.failure = error;
    this.wake();
  };

  private readonly onEnd = (): void => this.onFailure(new Error('it closed the connection'));
}
