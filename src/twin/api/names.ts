import { explainLabelValue } from '../../kubernetes/label-syntax.ts';
import { invalid, type Cause } from './refusals.ts';

/** What names are allowed, in the API server's words. Source: apimachinery `util/validation`; Kubernetes concepts, "Object Names and IDs". */

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const serviceLabel = '[a-z]([-a-z0-9]*[a-z0-9])?';

const explain = (pattern: string, longest: number, rule: string, example: string): ((name: string) => string | undefined) => {
  const expression = new RegExp(`^${pattern}$`);
  const sentence = `${rule} (e.g. ${example}, regex used for validation is '${pattern}')`;
  return (name) => {
    if (name.length > longest) return `must be no more than ${longest} characters`;
    return expression.test(name) ? undefined : sentence;
  };
};

/** Most objects. */
export const explainSubdomainName = explain(
  subdomain,
  253,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  "'example.com'",
);

/** Namespaces and ports. */
export const explainLabelName = explain(
  label,
  63,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  "'my-name',  or '123-abc'",
);

/** Services, whose names become DNS labels of the older RFC. */
export const explainServiceName = explain(
  serviceLabel,
  63,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "'my-name',  or 'abc-123'",
);

export const validateLabelValues = (labels: Readonly<Record<string, unknown>>, field: string): readonly Cause[] =>
  Object.values(labels).flatMap((value) => {
    const fault = explainLabelValue(String(value));
    return fault === undefined ? [] : [invalid(field, value, fault)];
  });
