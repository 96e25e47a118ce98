import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHttpResponse } from '../../../src/network/probe/http-response.ts';

const read = (text: string, decoded?: boolean) => readHttpResponse(Buffer.from(text), decoded);
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n';

describe('an HTTP response', () => {
  it('has a status and a body', () => {
    expect(read('HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nhello')).toEqual({ status: 404, body: 'hello' });
    expect(read('HTTP/1.0 204\r\n\r\n')).toEqual({ status: 204, body: '' });
    expect(read('HTTP/1.1 200 OK\n\nhello')).toEqual({ status: 200, body: 'hello' });
  });

  it('ends where its length says', () => {
    expect(read('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhello')?.body).toBe('he');
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhello')?.body).toBe('hello');
  });

  it('is put together from its chunks, as far as they came', () => {
    expect(read(`${chunked}5;x=y\r\nhello\r\n6\r\n world\r\n0\r\n\r\n`)?.body).toBe('hello world');
    expect(read(`${chunked}5\r\nhello\r\n6\r\n wo`)?.body).toBe('hello wo');
    expect(read(`${chunked}zz\r\nhello`)?.body).toBe('');
    expect(read(`${chunked}hello`, true)?.body).toBe('hello');
  });

  it('is the final one, after interim ones', () => {
    expect(read('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 201 Created\r\n\r\nx')).toEqual({
      status: 201,
      body: 'x',
    });
    expect(read('HTTP/1.1 100 Continue\r\n\r\n')).toEqual({ status: 100, body: '' });
  });

  it('is nothing else', () => {
    for (const text of ['', 'HTTP/2 200\r\n\r\n', 'HTTP/1.1 20', 'HTTP/1.1 999 x\r\n\r\n', 'SSH-2.0-x\r\n', ' HTTP/1.1 200 OK\r\n\r\n'])
      expect(read(text)).toBeUndefined();
  });

  it('can be anything without harm', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('', 'HTTP/1.1 200 OK\r\n', chunked, 'HTTP/1.1 100 x\r\n\r\n'),
        (bytes, start) => {
          const response = readHttpResponse(Buffer.concat([Buffer.from(start), bytes]));
          expect(response === undefined || (response.status >= 100 && response.status < 600)).toBe(true);
        },
      ),
    );
  });
});
