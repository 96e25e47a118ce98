/** One connection to make from a client's pod. */
export interface Dial {
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** HTTP GET of this path where given, else a bare TCP connect. */
  readonly path?: string;
  readonly timeoutMs: number;
}

/** `10.0.0.1:8080`, `[fd00::1]:8080`. */
export const authority = ({ host, port }: Dial): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** What may stand in a request line and in an argument, whatever a runbook has written. Source: RFC 3986, section 2.1. */
export const requestTarget = ({ path = '/' }: Dial): string =>
  path.replaceAll(/[^\u0021-\u007e]+/gu, (text) => encodeURIComponent(text)).replaceAll('#', '%23');

export const urlOf = (dial: Dial): string => `http://${authority(dial)}${requestTarget(dial)}`;

/** For tools that know nothing of HTTP. The server is asked to hang up: its end is the end of the answer. Source: RFC 9112, section 9.6. */
export const httpRequest = (dial: Dial): string =>
  [
    `GET ${requestTarget(dial)} HTTP/1.1`,
    `Host: ${authority(dial)}`,
    'User-Agent: poimen',
    'Accept: */*',
    'Connection: close',
    '',
    '',
  ].join('\r\n');

/** Whole seconds, for tools that know no shorter ones. */
export const timeoutSeconds = ({ timeoutMs }: Dial): string => String(Math.max(1, Math.ceil(timeoutMs / 1000)));
