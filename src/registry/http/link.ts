/** The target of `rel="next"` in a Link header, as it stands there. Source: RFC 8288, 3. */
export const nextLink = (header: string | undefined): string | undefined => {
  for (const [, target, parameters = ''] of (header ?? '').matchAll(/<([^>]*)>((?:\s*;[^,;]*)*)/g)) {
    if (/;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i.test(parameters)) return target;
  }
  return undefined;
};
