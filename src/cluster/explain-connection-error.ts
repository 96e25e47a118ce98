import { PoimenError } from '../errors/poimen-error.ts';
import type { ConnectionError } from './api-error.ts';
import type { ClusterIdentity } from './cluster.ts';

/** No usable answer: which of the usual causes it is, by Node's and OpenSSL's code, and what to do about that one. */
export const explainConnectionError = (error: ConnectionError, { name, server }: ClusterIdentity): PoimenError => {
  const code = codeOf(error.cause);
  const proxy = /proxy (\S+): /.exec(error.message)?.[1];
  const place = proxy === undefined ? server : `the proxy ${proxy} of ${server}`;
  const known = causes.find(({ codes }) => code !== undefined && codes.test(code));
  return new PoimenError({
    outcome: 'refused',
    code: known?.code ?? 'ServerUnreachable',
    summary: known === undefined ? `no answer from ${server} (context "${name}")` : `${known.words(place)} (context "${name}")`,
    detail: `${error.message}${code === undefined || error.message.includes(code) ? '' : ` (${code})`}`,
    nextSteps: [...(known?.nextSteps ?? []), `check with: kubectl --context ${name} version`],
    cause: error,
  });
};

interface Cause {
  readonly codes: RegExp;
  readonly code: string;
  readonly words: (server: string) => string;
  readonly nextSteps: readonly string[];
}

const causes: readonly Cause[] = [
  {
    codes: /^ECONNREFUSED$/,
    code: 'ServerUnreachable',
    words: (server) => `nothing listens at ${server}`,
    nextSteps: ['is the cluster running, and the address in the kubeconfig the right one?'],
  },
  {
    codes: /^(ENOTFOUND|EAI_)/,
    code: 'ServerNameUnknown',
    words: (server) => `the name in ${server} cannot be resolved`,
    nextSteps: ['is the address in the kubeconfig the right one, and the VPN up?'],
  },
  {
    codes: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/,
    code: 'ServerUnreachable',
    words: (server) => `no way to ${server}`,
    nextSteps: ['is the network or VPN up?'],
  },
  {
    codes: /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/,
    code: 'CertificateNotTrusted',
    words: (server) => `the certificate of ${server} is not to be trusted`,
    nextSteps: ["is it the right server, and the kubeconfig's certificate-authority that server's?"],
  },
  {
    codes: /^(ERR_SSL|EPROTO)/,
    code: 'TlsFailed',
    words: (server) => `no TLS connection to ${server}`,
    nextSteps: ['does the server speak TLS, and does it accept the client certificate?'],
  },
];

const codeOf = (cause: unknown): string | undefined => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : undefined;
};
