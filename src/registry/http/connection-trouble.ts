import { quotedText } from '../quoted-text.ts';
import { RegistryError, type RegistryErrorCode } from '../registry-error.ts';
import { remedies } from '../remedies.ts';
import { urlWithoutSecrets } from '../trace.ts';

/** No answer, or none that is HTTP: which of the usual causes it is, by Node's, OpenSSL's and undici's code, and what to do about that one. */
export const connectionTrouble = (cause: unknown, url: URL, what: string): RegistryError => {
  const code = codeOf(cause);
  const known = causes.find(({ codes }) => codes.test(code)) ?? unknownCause;
  const proxy = cause instanceof Error ? /^proxy (\S+): /.exec(cause.message)?.[1] : undefined;
  const place = proxy === undefined ? url.host : `the proxy ${proxy} of ${url.host}`;
  const message = cause instanceof Error ? quotedText(deepest(cause).message) : '';
  const said = message === '' || message.includes(code) ? message || code : `${message} (${code})`;
  return new RegistryError({
    code: known.code,
    summary: `${known.words(place)}: ${what} was not answered`,
    detail: [urlWithoutSecrets(url), said].join('\n'),
    nextSteps: known.nextSteps(url.host),
    cause,
  });
};

/** The connection broke although the server was reached: asking again may do. */
export const isBrokenConnection = (cause: unknown): boolean => /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(cause));

interface Cause {
  readonly codes: RegExp;
  readonly code: RegistryErrorCode;
  readonly words: (host: string) => string;
  readonly nextSteps: (host: string) => readonly string[];
}

const causes: readonly Cause[] = [
  {
    codes: /^ECONNREFUSED$/,
    code: 'RegistryUnreachable',
    words: (host) => `nothing listens at ${host}`,
    nextSteps: () => ['is the registry running, and its name and port right?'],
  },
  {
    codes: /^(ENOTFOUND|EAI_)/,
    code: 'RegistryUnreachable',
    words: (host) => `the name ${host} cannot be resolved`,
    nextSteps: () => ['is the name right, and the network or VPN up?'],
  },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|UND_ERR_CONNECT_TIMEOUT)$/,
    code: 'RegistryUnreachable',
    words: (host) => `no way to ${host}`,
    nextSteps: () => ['is the network or VPN up, and does a proxy stand between (HTTPS_PROXY)?'],
  },
  {
    codes: /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/,
    code: 'RegistryCertificateNotTrusted',
    words: (host) => `the certificate of ${host} is not to be trusted`,
    nextSteps: (host) => [remedies.ca(host)],
  },
  {
    codes: /^(ERR_SSL|EPROTO)/,
    code: 'RegistryTlsFailed',
    words: (host) => `no TLS connection to ${host}`,
    nextSteps: (host) => [remedies.plainHttp(host)],
  },
  {
    codes: /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/,
    code: 'RegistryAnswerInvalid',
    words: (host) => `${host} does not speak HTTP as it should`,
    nextSteps: (host) => [`is ${host} a registry, and plain HTTP right for it?`],
  },
];

const unknownCause: Omit<Cause, 'codes'> = {
  code: 'RegistryUnreachable',
  words: (host) => `the connection to ${host} broke`,
  nextSteps: () => [remedies.askAgain],
};

const codeOf = (cause: unknown): string => {
  const error = cause instanceof Error ? deepest(cause) : undefined;
  return error !== undefined && 'code' in error && typeof error.code === 'string' ? error.code : (error?.name ?? 'Error');
};

/** Behind wrappers: the address that was tried last, or the reason for an aborted request. */
const deepest = (error: Error): Error => {
  if (error instanceof AggregateError) {
    const last: unknown = error.errors.at(-1);
    return last instanceof Error ? deepest(last) : error;
  }
  const hasCode = 'code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR_ABORTED';
  return !hasCode && error.cause instanceof Error ? deepest(error.cause) : error;
};
