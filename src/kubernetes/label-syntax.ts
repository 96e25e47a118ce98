/** What label keys and values are allowed, in the API server's words. Source: Kubernetes, "Labels and Selectors", "Syntax and character set". */

const word = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const characters = "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const names = "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is";

const isAll = (pattern: string, text: string): boolean => new RegExp(`^${pattern}$`).test(text);

/** `undefined` for a good one. */
export const explainLabelKey = (text: string): string | undefined => {
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0) {
    return `a qualified name must ${characters} ${names} '${word}') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  }
  const prefixFault = second === undefined ? undefined : explainPrefix(first);
  if (prefixFault !== undefined) return `prefix part ${prefixFault}`;
  const name = second ?? first;
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return 'name part must be no more than 63 characters';
  return isAll(word, name) ? undefined : `name part must ${characters} ${names} '${word}')`;
};

const explainPrefix = (prefix: string): string | undefined => {
  if (prefix === '') return 'must be non-empty';
  if (prefix.length > 253) return 'must be no more than 253 characters';
  if (isAll(subdomain, prefix)) return undefined;
  const allowed = "lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return `a lowercase RFC 1123 subdomain must consist of ${allowed} (e.g. 'example.com', regex used for validation is '${subdomain}')`;
};

/** `undefined` for a good one. */
export const explainLabelValue = (text: string): string | undefined => {
  if (text.length > 63) return 'must be no more than 63 characters';
  if (isAll(`(${word})?`, text)) return undefined;
  const examples = "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is";
  return `a valid label must be an empty string or ${characters} ${examples} '(${word})?')`;
};

export const isLabelKey = (text: string): boolean => explainLabelKey(text) === undefined;

export const isLabelValue = (text: string): boolean => explainLabelValue(text) === undefined;
