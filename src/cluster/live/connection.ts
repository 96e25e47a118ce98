import type { TLSSocket } from 'node:tls';
import { abortable } from './abortable.ts';
import { dial } from './dial.ts';
import type { ClientCertificate, Endpoint } from './endpoint.ts';
import { openHttp2 } from './http2-transport.ts';
import { TransportError, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/** The way to one server: opened with the first request, and again when it has broken down or the client's certificate is another one. */
export class Connection {
  private readonly endpoint: Endpoint;
  private readonly pingIntervalMs: number;
  private open: OpenTransport | undefined;
  private closed = false;

  constructor(endpoint: Endpoint, pingIntervalMs = 10_000) {
    this.endpoint = endpoint;
    this.pingIntervalMs = pingIntervalMs;
  }

  async send(request: TransportRequest, client: ClientCertificate | undefined): Promise<TransportResponse> {
    // a request that was on its way here when everything was closed would open a connection that nobody closes
    if (this.closed) throw new TransportError('the connection was closed here', true);
    const transport = await abortable(this.transportFor(client), request.signal);
    return await transport.send({ ...request, path: this.endpoint.server.pathname.replace(/\/$/, '') + request.path });
  }

  close(): void {
    this.closed = true;
    this.drop();
  }

  private drop(): void {
    this.open?.transport.then(
      (transport) => transport.close(),
      () => undefined,
    );
    this.open = undefined;
  }

  private transportFor(client: ClientCertificate | undefined): Promise<Transport> {
    if (this.open !== undefined && this.open.client?.certificate !== client?.certificate) this.drop();
    if (this.open !== undefined) return this.open.transport;
    const forget = (): void => {
      if (this.open === opened) this.open = undefined;
    };
    const opened: OpenTransport = { transport: this.establish(client, forget), client };
    this.open = opened;
    opened.transport.catch(forget);
    return opened.transport;
  }

  private async establish(client: ClientCertificate | undefined, ended: () => void): Promise<Transport> {
    const { server } = this.endpoint;
    const connectTls = (): Promise<TLSSocket> => dial(this.endpoint, client);
    if (server.protocol === 'http:') return await openHttp1(server, connectTls);
    const socket = await connectTls();
    if (socket.alpnProtocol === 'h2') return openHttp2(server, socket, this.pingIntervalMs, ended);
    socket.destroy(); // HTTP/1.1 opens its own, one for each request under way
    return await openHttp1(server, connectTls);
  }
}

interface OpenTransport {
  readonly transport: Promise<Transport>;
  readonly client: ClientCertificate | undefined;
}

/** Loaded when there is a server that needs it: importing node:http loads all of Node's own HTTP client with it, 17 ms. */
const openHttp1 = async (server: URL, connectTls: () => Promise<TLSSocket>): Promise<Transport> =>
  (await import('./http1-transport.ts')).openHttp1(server, connectTls);
