import { quotedText } from '../quoted-text.ts';
import { RegistryError } from '../registry-error.ts';
import { maxErrorBytes } from '../limits.ts';
import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import type { WireAnswer } from './exchange.ts';

/** The whole body. @throws RegistryError `ContentTooLarge`, before or at the byte that is one too many. */
export const readBody = async (answer: WireAnswer, maxBytes: number, what: string): Promise<Uint8Array> => {
  const stated = Number(answer.header('content-length') ?? Number.NaN);
  if (stated > maxBytes) {
    await readSome(answer, 0);
    throw tooLarge(answer, what, maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.chunks()) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(answer, what, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** As much of the body as fits, of an answer that is thrown away or quoted; whatever is wrong with the rest. */
export const readSome = async (answer: WireAnswer, maxBytes: number = maxErrorBytes): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of answer.chunks()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch {
    // what there is has to do: the status is the message
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
};

/**
 * What an answer that tells of an error says, for a message: the registry's own codes and words where it is JSON as specified.
 *
 * Source: OCI Distribution specification 1.1, "Error Codes".
 */
export const wordsOf = (body: Uint8Array): string => {
  const text = new TextDecoder().decode(body);
  const errors = errorsIn(text);
  return errors.length === 0
    ? quotedText(text)
    : quotedText(errors.map(({ code, message }) => [code, message].filter(Boolean).join(': ')).join('; '));
};

interface SpokenError {
  readonly code: string;
  readonly message: string;
}

const errorsIn = (text: string): readonly SpokenError[] => {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return [];
  }
  if (!isJsonObject(document)) return [];
  const errors = isJsonArray(document['errors'])
    ? document['errors']
    : [{ code: document['error'], message: document['error_description'] }];
  return errors.filter(isJsonObject).flatMap((error) => {
    const [code, message] = [error['code'], error['message']].map((each) => (typeof each === 'string' ? each : ''));
    return code === '' && message === '' ? [] : [{ code: code ?? '', message: message ?? '' }];
  });
};

const tooLarge = (answer: WireAnswer, what: string, maxBytes: number): RegistryError =>
  new RegistryError({
    code: 'ContentTooLarge',
    summary: `${what} is longer than ${maxBytes} bytes, and ${answer.url.host} was told to stop`,
    nextSteps: ['whatever that is, it is not what was asked for: look at the registry'],
  });
