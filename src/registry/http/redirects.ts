import { maxRedirects } from '../limits.ts';
import { RegistryError } from '../registry-error.ts';
import { remedies } from '../remedies.ts';
import { urlWithoutSecrets } from '../trace.ts';
import { readSome } from './body.ts';
import type { Exchange } from './exchange.ts';

/**
 * Follows redirects. What proves who asks goes only to the origin it was meant for: object stores refuse a request that has both a signed
 * address and an Authorization header. From TLS to plain HTTP is no way.
 *
 * @throws RegistryError `RedirectRefused`.
 *
 * Source: RFC 9110, 15.4; Fetch standard, "HTTP-redirect fetch".
 */
export const withRedirects =
  (exchange: Exchange): Exchange =>
  async (request) => {
    let { url, headers } = request;
    const seen = [urlWithoutSecrets(url)];
    for (;;) {
      const answer = await exchange({ ...request, url, headers });
      if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
      await readSome(answer);
      const refuse = (why: string): RegistryError => refused(request.url, request.what, why, seen);
      const location = answer.header('location');
      const next = location === undefined ? null : URL.parse(location, url.href);
      if (next === null) throw refuse('it is sent on, but the answer does not say where');
      seen.push(urlWithoutSecrets(next));
      if (!/^https?:$/.test(next.protocol)) throw refuse(`it is sent on to ${next.protocol}`);
      if (url.protocol === 'https:' && next.protocol === 'http:') throw refuse('it is sent on from TLS to plain HTTP');
      if (seen.length > maxRedirects + 1) throw refuse(`it is sent on more than ${maxRedirects} times`);
      if (next.origin !== url.origin) headers = withoutAuthorization(headers);
      url = next;
    }
  };

const withoutAuthorization = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'));

const refused = (url: URL, what: string, why: string, seen: readonly string[]): RegistryError =>
  new RegistryError({
    code: 'RedirectRefused',
    summary: `${what} was asked of ${url.host}, and ${why}`,
    detail: seen.join('\n-> '),
    nextSteps: [remedies.compare(urlWithoutSecrets(url)), 'correct the registry, or the proxy in front of it'],
  });
