import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../../src/cluster/api-error.ts';
import { explainApiError } from '../../../src/cluster/explain-api-error.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import { resources } from '../../../src/kubernetes/resource.ts';
import { pod } from '../objects.ts';
import { createCertificate } from './certificate.ts';
import { connectTo, writeKubeconfig } from './connect.ts';
import { json, reset, startFaultyServer, type FaultyServer } from './faulty-server.ts';

const reference = { resource: resources.pods, namespace: 'llm-serving', name: 'a' };
const found = json(200, pod('a', '7'));

/** What a person is told when the first request is sent. */
const failureOf = async (server: Pick<FaultyServer, 'url' | 'certificateAuthority'>, insecureSkipTlsVerify = false): Promise<unknown> => {
  const kubeconfig = await writeKubeconfig(server);
  const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000, insecureSkipTlsVerify });
  onTestFinished(() => cluster.close());
  const error = await cluster.get(reference).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConnectionError ? explainApiError(error, cluster.identity) : error;
};

describe('reaching the server', () => {
  it('fails at once where nothing listens', async () => {
    const url = 'https://127.0.0.1:9'; // discard, RFC 863: closed everywhere
    expect(await failureOf({ url, certificateAuthority: createCertificate().certificate })).toMatchObject({
      code: 'ServerUnreachable',
      exitCode: 3,
      message: 'nothing listens at https://127.0.0.1:9 (context "test")',
      detail: 'get pods: connect ECONNREFUSED 127.0.0.1:9',
    });
  });

  it('fails at a name that does not exist', async () => {
    const url = 'https://poimen.invalid'; // RFC 2606: never exists
    expect(await failureOf({ url, certificateAuthority: createCertificate().certificate })).toMatchObject({
      code: 'ServerNameUnknown',
      exitCode: 3,
    });
  });

  it.each(['HTTP/2', 'HTTP/1.1'] as const)('does not trust a certificate of another authority, unless told to (%s)', async (protocol) => {
    const server = await startFaultyServer(protocol);
    const stranger = { url: server.url, certificateAuthority: createCertificate().certificate };
    expect(await failureOf(stranger)).toMatchObject({
      code: 'CertificateNotTrusted',
      exitCode: 3,
      message: `the certificate of ${server.url} is not to be trusted (context "test")`,
    });
    expect(server.seen).toEqual([]);
    server.foresee(found);
    expect(await failureOf(stranger, true)).toBeUndefined();
  });

  it('fails at a server that does not speak TLS', async () => {
    const server = await startFaultyServer('plain HTTP');
    expect(await failureOf({ url: server.url.replace('http', 'https'), certificateAuthority: server.certificateAuthority })).toMatchObject({
      code: 'TlsFailed',
      exitCode: 3,
    });
  });

  it.each(['HTTP/2', 'HTTP/1.1', 'plain HTTP'] as const)('has an IPv6 address (%s)', async (protocol) => {
    const server = await startFaultyServer(protocol, '::1');
    server.foresee(found);
    const { cluster } = await connectTo(server);
    expect(await cluster.get(reference)).toEqual(pod('a', '7'));
    expect(cluster.identity.server).toMatch(/^https?:\/\/\[::1\]:\d+$/);
  });

  it('has a certificate for the name in tls-server-name alone', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found);
    const named = async (tlsServerName: string): Promise<unknown> => {
      const kubeconfig = await writeKubeconfig(server, { token: 't' }, { 'tls-server-name': tlsServerName });
      const { cluster } = await connectLive({ kubeconfig, env: {}, requestTimeoutMs: 5_000 });
      onTestFinished(() => cluster.close());
      return await cluster.get(reference).catch((error: unknown) => (error instanceof ConnectionError ? error.cause : error));
    };
    expect(await named('prod.example')).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(await named('127.0.0.1')).toEqual(pod('a', '7'));
  });

  it('goes on over a new connection when the old one broke', async () => {
    const server = await startFaultyServer('HTTP/2');
    server.foresee(found, reset, found);
    const { cluster } = await connectTo(server);
    await cluster.get(reference);
    await expect(cluster.patch(reference, { type: 'merge', body: {} }, { fieldManager: 'poimen' })).rejects.toBeInstanceOf(ConnectionError);
    expect(await cluster.get(reference)).toBeDefined();
  });
});
