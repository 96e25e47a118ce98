import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createCertificate, type Certificate } from '../cluster-client/live/certificate.ts';
import type { BlobDescriptor, Descriptor } from '../../src/registry/image-source.ts';
import { RegistryApi } from './api.ts';
import { RegistryContent, sha256 } from './content.ts';
import { Guard, type RegistryAuth } from './guard.ts';

export interface RegistryOptions {
  /** With a certificate for 127.0.0.1, or with this one. */
  readonly tls?: boolean | Certificate;
  readonly auth?: RegistryAuth;
  /** The referrers API. There unless this says no. */
  readonly hasReferrers?: boolean;
  readonly referrersPerPage?: number;
}

/** A request as it arrived, and what went back. */
export interface LoggedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<IncomingMessage['headers']>;
  readonly status: number;
  /** Of the answer: what the socket carried, its header included (and what TLS adds). */
  readonly wireBytes: number;
}

/** Answers in place of the registry. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestRegistry {
  /** `127.0.0.1:PORT`. `localhost:PORT` is the same server under another name. */
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** PEM, with TLS. */
  readonly ca: string | undefined;
  /** In the order in which they arrived. */
  readonly requests: readonly LoggedRequest[];
  readonly content: RegistryContent;
  pushBlob(bytes: Uint8Array | string): BlobDescriptor;
  /** An object is written as JSON; the media type is its own, or the one that is given. */
  pushManifest(repository: string, document: object | Buffer, options?: PushOptions): Descriptor;
  /** From now on, for paths (with the query) that match, and so often. */
  fault(path: RegExp, fault: Fault, times?: number): void;
  revokeTokens(): void;
  stop(): Promise<void>;
}

export interface PushOptions {
  readonly tag?: string;
  readonly mediaType?: string;
}

/** A registry on loopback, in this process, with native referrers. */
export const startRegistry = async (options: RegistryOptions = {}): Promise<TestRegistry> => {
  const content = new RegistryContent();
  const guard = new Guard(options.auth);
  const api = new RegistryApi({ content, guard, hasReferrers: options.hasReferrers ?? true, referrersPerPage: options.referrersPerPage });
  const requests: LoggedRequest[] = [];
  const faults: { readonly path: RegExp; readonly fault: Fault; times: number }[] = [];

  const listener: RequestListener = (request, response) => {
    requests.push(logged(request, response));
    const { url: path = '' } = request;
    const fault = faults.find((each) => each.times > 0 && each.path.test(path));
    if (fault === undefined) {
      api.answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
      return;
    }
    fault.times--;
    fault.fault(request, response);
  };
  const tls = options.tls === true ? createCertificate() : options.tls === false ? undefined : options.tls;
  const server = tls === undefined ? createServer(listener) : createTlsServer({ cert: tls.certificate, key: tls.key }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;

  return {
    host,
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host}`,
    ca: tls?.certificate,
    requests,
    content,
    pushBlob(bytes) {
      const buffer = Buffer.from(bytes);
      return { digest: content.putBlob(buffer), size: buffer.length };
    },
    pushManifest(repository, document, { tag, mediaType } = {}) {
      const bytes = Buffer.isBuffer(document) ? document : Buffer.from(JSON.stringify(document));
      const own = 'mediaType' in document && typeof document.mediaType === 'string' ? document.mediaType : undefined;
      const type = mediaType ?? own ?? 'application/vnd.oci.image.manifest.v1+json';
      content.putManifest(repository, tag, { bytes, mediaType: type });
      return { mediaType: type, digest: sha256(bytes), size: bytes.length };
    },
    fault(path, fault, times = Infinity) {
      faults.unshift({ path, fault, times });
    },
    revokeTokens: () => guard.revokeAll(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Status and bytes are those of the moment in which they are read, until the answer has ended. */
const logged = (request: IncomingMessage, response: ServerResponse): LoggedRequest => {
  const { method = '', url: path = '', headers, socket } = request;
  const before = socket.bytesWritten;
  let after: number | undefined;
  response.once('finish', () => (after = socket.bytesWritten));
  return {
    method,
    path,
    headers,
    get status() {
      return response.statusCode;
    },
    get wireBytes() {
      return (after ?? socket.bytesWritten) - before;
    },
  };
};
