import type { WatchEvent } from '../cluster.ts';
import { ApiError, ConnectionError, type ApiRequest } from '../api-error.ts';
import { isJsonObject, stringIn } from './json.ts';
import { isKubernetesObject, parseJson, statusOf } from './responses.ts';

/**
 * The events in the body of a watch: one JSON document a line, in chunks that may cut lines and characters anywhere.
 *
 * @throws ApiError for an ERROR event; ConnectionError when the body breaks off or is no watch's.
 *
 * Source: Kubernetes API concepts, "Efficient detection of changes"; API reference, WatchEvent v1 meta.
 */
export async function* readWatchEvents(request: ApiRequest, body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent, void> {
  const decoder = new TextDecoder();
  let unfinished = '';
  for await (const chunk of body) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const text = unfinished + line;
      unfinished = '';
      if (text.trim() !== '') yield readEvent(request, text);
    }
    unfinished += last;
  }
  if (unfinished.trim() !== '') throw new ConnectionError(request, 'the watch broke off in the middle of an event');
}

const readEvent = (request: ApiRequest, text: string): WatchEvent => {
  const event = parseJson(text);
  if (!isJsonObject(event) || !isJsonObject(event['object'])) throw new ConnectionError(request, `no watch event: ${text.slice(0, 200)}`);
  const { type, object } = event;
  if (type === 'ERROR') throw new ApiError(request, statusOf(object, 500));
  if (type === 'BOOKMARK') {
    const metadata = object['metadata'];
    return { type, resourceVersion: isJsonObject(metadata) ? (stringIn(metadata, 'resourceVersion') ?? '') : '' };
  }
  if ((type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') && isKubernetesObject(object)) return { type, object };
  throw new ConnectionError(request, `an unknown watch event: ${text.slice(0, 200)}`);
};
