import { request, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Access {
  readonly certificateAuthority: string;
  readonly token: string;
  /** For a server that this process's network does not reach. */
  readonly connect?: (host: string, port: number) => Socket;
}

/** Sends one request to an API server or a component. A PATCH is a merge patch. */
export function send(
  method: string,
  url: URL,
  access: Access,
  body: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const outgoing = request(
      url,
      {
        method,
        ca: access.certificateAuthority,
        ...connection(access, url),
        headers: { authorization: `Bearer ${access.token}`, accept: 'application/json', 'content-type': contentType },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
          resolve({ status: response.statusCode ?? 0, body: isJson ? (JSON.parse(text) as unknown) : text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Either way nothing stays open that would delay the server's end. An agent would ignore `createConnection`. */
function connection(
  { certificateAuthority, connect }: Access,
  { hostname, port }: URL,
): Pick<RequestOptions, 'agent' | 'createConnection'> {
  if (connect === undefined) return { agent: false };
  return { createConnection: () => connectTls({ ca: certificateAuthority, host: hostname, socket: connect(hostname, Number(port)) }) };
}
