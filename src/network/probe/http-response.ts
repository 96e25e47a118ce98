export interface HttpResponse {
  readonly status: number;
  /** As far as it came. */
  readonly body: string;
}

/**
 * Reads an HTTP/1 response, which may be cut off anywhere after its status line. `undefined`: it is none.
 *
 * `decoded`: the tool has taken the transfer coding off already, and left the header that tells of it.
 *
 * Source: RFC 9112, sections 2.1, 4 and 7.1; RFC 9110, section 15.2: interim responses come before the final one.
 */
export const readHttpResponse = (bytes: Buffer, decoded = false): HttpResponse | undefined => {
  let rest = bytes;
  for (;;) {
    const status = statusOf(rest);
    if (status === undefined) return undefined;
    const head = headEnd(rest);
    const body = rest.subarray(head);
    if (status >= 200 || body.length === 0) return { status, body: bodyText(rest.subarray(0, head).toString('latin1'), body, decoded) };
    rest = body;
  }
};

const statusOf = (bytes: Buffer): number | undefined => {
  const match = /^HTTP\/1\.[01] ([1-5]\d\d)(?: |\r|\n)/.exec(bytes.subarray(0, 64).toString('latin1'));
  return match === null ? undefined : Number(match[1]);
};

const headEnd = (bytes: Buffer): number => {
  const ends = [bytes.indexOf('\r\n\r\n') + 4, bytes.indexOf('\n\n') + 2].filter(
    (end) => end > 3 || bytes.subarray(0, 2).toString() === '\n\n',
  );
  return Math.min(bytes.length, ...ends);
};

const bodyText = (head: string, body: Buffer, decoded: boolean): string => {
  if (!decoded && /^transfer-encoding:.*\bchunked\b/im.test(head)) return dechunk(body).toString();
  const length = /^content-length:[ \t]*(\d+)/im.exec(head)?.[1];
  return (length === undefined ? body : body.subarray(0, Number(length))).toString();
};

const dechunk = (body: Buffer): Buffer => {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = body.indexOf('\n', at);
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(body.subarray(at, lineEnd).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(chunks); // the last chunk, one that is cut off, or none
    chunks.push(body.subarray(lineEnd + 1, lineEnd + 1 + size));
    at = lineEnd + 1 + size + 2;
  }
};
