import { PoimenError } from '../../errors/poimen-error.ts';
import type { ChosenContext } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import { stringIn } from './json.ts';
import type { Environment } from './kubeconfig-files.ts';
import { newClusters } from './client.ts';
import { readPem } from './pem.ts';
import { isProxyProtocol, proxyFromEnvironment } from './proxy.ts';
import { isLoopback } from './loopback.ts';

/** The server of a context. @throws PoimenError for one without a usable address. */
export const readEndpoint = (context: ChosenContext, insecureSkipTlsVerify: boolean, env: Environment): Endpoint => {
  const { clusterName, cluster } = context;
  const server = URL.parse(stringIn(cluster.fields, 'server') ?? '');
  if (server === null || !['https:', 'http:'].includes(server.protocol)) {
    throw unusable(
      `cluster "${clusterName}" has no usable server address: ${stringIn(cluster.fields, 'server') ?? 'none'}`,
      'write it like https://HOST:PORT',
    );
  }
  const [entry] = newClusters([{ name: clusterName, cluster: cluster.fields }]);
  const proxy = entry?.proxyUrl ? URL.parse(entry.proxyUrl) : proxyFromEnvironment(server, env);
  if (proxy === null || (proxy !== undefined && !isProxyProtocol(proxy.protocol))) {
    throw unusable(
      `cluster "${clusterName}" is behind a proxy that poimen cannot use: ${proxy?.protocol ?? entry?.proxyUrl}`,
      'use one of: http://HOST:PORT, https://HOST:PORT, socks5://HOST:PORT',
    );
  }
  const isInsecure = insecureSkipTlsVerify || entry?.skipTLSVerify === true;
  const certificateAuthority = isInsecure ? undefined : readPem(cluster, 'certificate-authority', `cluster "${clusterName}"`);
  return {
    server,
    insecureSkipTlsVerify: isInsecure,
    acceptsGzip: cluster.fields['disable-compression'] !== true && !isLoopback(server.hostname),
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(entry?.tlsServerName ? { tlsServerName: entry.tlsServerName } : {}),
    ...(proxy === undefined || server.protocol === 'http:' ? {} : { proxy }),
  };
};

const unusable = (summary: string, nextStep: string): PoimenError =>
  new PoimenError({ outcome: 'usage', code: 'ContextIncomplete', summary, nextSteps: [nextStep] });
