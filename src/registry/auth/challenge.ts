/** How a server wants to be told who asks. */
export type Challenge =
  | { readonly scheme: 'basic' }
  | { readonly scheme: 'bearer'; readonly realm: string; readonly service: string | undefined };

/**
 * The challenge of an answer that can be met: Bearer before Basic, where both are offered. `undefined`: none.
 *
 * Source: RFC 9110, 11.6.1 (WWW-Authenticate); distribution, "Token Authentication Specification".
 */
export const readChallenge = (header: string | undefined): Challenge | undefined => {
  const challenges = parse(header ?? '');
  const bearer = challenges.find(({ scheme, parameters }) => scheme === 'bearer' && parameters.has('realm'));
  if (bearer !== undefined) {
    return { scheme: 'bearer', realm: bearer.parameters.get('realm') ?? '', service: bearer.parameters.get('service') };
  }
  return challenges.some(({ scheme }) => scheme === 'basic') ? { scheme: 'basic' } : undefined;
};

interface Parsed {
  readonly scheme: string;
  readonly parameters: Map<string, string>;
}

/** `Bearer realm="...",service="...", Basic realm="..."`: a name without "=" begins the next one. */
const parse = (header: string): readonly Parsed[] => {
  const found: Parsed[] = [];
  const pattern = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;
  for (const [, name = '', quoted, plain] of header.matchAll(pattern)) {
    if (quoted === undefined && plain === undefined) found.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else found.at(-1)?.parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return found;
};
