import type { ServerResponse } from 'node:http';

/** Source: OCI Distribution specification 1.1, "Error Codes". */
export const answerError = (response: ServerResponse, status: number, code: string, message: string): void =>
  answerJson(response, status, { errors: [{ code, message }] });

export const answerJson = (response: ServerResponse, status: number, document: unknown, headers: Record<string, string> = {}): void =>
  answerBytes(response, status, Buffer.from(JSON.stringify(document)), { 'content-type': 'application/json', ...headers });

export const answerBytes = (response: ServerResponse, status: number, bytes: Buffer, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-length': bytes.length, ...headers });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
};

export const answerNothing = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-length': 0, ...headers });
  response.end();
};
