import { connect, createServer, type ClientHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { readChunks } from '../../../src/cluster/live/body.ts';

/** An HTTP/2 answer that the server has finished before anybody reads it. */
const finishedAnswer = async (body: string): Promise<ClientHttp2Stream> => {
  const server = createServer((_request, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  const stream = session.request({ ':path': '/' });
  while (!stream.closed) await new Promise(setImmediate);
  return stream;
};

it('reads an answer that was finished before', async () => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(await finishedAnswer('an answer'))) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('an answer');
});

it("is needed as long as Node's own way fails here", async () => {
  await expect(text(await finishedAnswer('an answer'))).rejects.toThrow('Premature close');
});
