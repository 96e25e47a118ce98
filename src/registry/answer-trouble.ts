import type { LockedOut } from './auth/session.ts';
import { readSome, wordsOf } from './http/body.ts';
import type { WireAnswer } from './http/exchange.ts';
import { quotedText } from './quoted-text.ts';
import { RegistryError } from './registry-error.ts';
import { remedies } from './remedies.ts';
import { urlWithoutSecrets } from './trace.ts';

/** An answer that is neither the thing nor "there is no such thing". */
export const unexpectedStatus = async (answer: WireAnswer, what: string): Promise<RegistryError> => {
  const { status, url } = answer;
  const words = wordsOf(await readSome(answer));
  const pause = answer.header('retry-after');
  const code = status === 429 ? 'RegistryRateLimited' : status >= 500 ? 'RegistryFailed' : 'RegistryAnswerInvalid';
  return new RegistryError({
    code,
    summary: `${url.host} answered ${status} when asked for ${what}`,
    detail: [urlWithoutSecrets(url), words, pause === undefined ? '' : `Retry-After: ${quotedText(pause)}`]
      .filter((line) => line !== '')
      .join('\n'),
    nextSteps: [code === 'RegistryAnswerInvalid' ? remedies.compare(urlWithoutSecrets(url)) : remedies.askAgain],
  });
};

/** 404 with a web page: some server answered, and no registry. It does not know what there is. */
export const notARegistry = async (answer: WireAnswer, what: string): Promise<RegistryError> =>
  new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary: `${answer.url.host} answers with a web page, not as a registry, when asked for ${what}`,
    detail: [urlWithoutSecrets(answer.url), `${answer.status} ${wordsOf(await readSome(answer))}`.trim()].join('\n'),
    nextSteps: ['is the name of the registry right, and does the proxy in front of it pass /v2/ on?'],
  });

export const isWebPage = (answer: WireAnswer): boolean => /^\s*(text\/html|application\/xhtml)/i.test(answer.header('content-type') ?? '');

export const lockedOut = ({ status, url, words, isElsewhere, refusals, looked }: LockedOut, host: string, what: string): RegistryError => {
  const said = `${status}${words === '' ? '' : ` ${words}`}`;
  const tried = refusals.map((refusal) => `${refusal.as}: ${refusal.words}`);
  const hadCredentials = refusals.some(({ as }) => as !== 'as nobody');
  if (isElsewhere) {
    return new RegistryError({
      code: 'RegistryForbidden',
      summary: `${url.host}, where ${host} sends to, refuses ${what}`,
      detail: [urlWithoutSecrets(url), said].join('\n'),
      nextSteps: ['its storage, or the clock of whoever signs its addresses, is not in order', remedies.askAgain],
    });
  }
  return new RegistryError({
    code: status === 401 ? 'RegistryUnauthorized' : 'RegistryForbidden',
    summary: hadCredentials
      ? `${host} takes none of the credentials that there are for ${what}`
      : `${host} gives ${what} to those only whom it knows, and there are no credentials for it`,
    detail: [urlWithoutSecrets(url), said, ...tried, ...looked].join('\n'),
    nextSteps: [remedies.logIn(host), 'is the name right? some registries say so of what does not exist, too', remedies.mayStillPull],
  });
};

/** Nothing is ever unpacked on the way in: a small answer cannot become a large one. */
export const refuseCompressed = (answer: WireAnswer, what: string): void => {
  const encoding = answer.header('content-encoding');
  if (encoding === undefined || encoding === '' || encoding === 'identity') return;
  throw new RegistryError({
    code: 'RegistryAnswerInvalid',
    summary: `${answer.url.host} sends ${what} compressed (${quotedText(encoding)}), although it was asked not to`,
    nextSteps: ['correct the registry, or the proxy in front of it'],
  });
};
