import { isIP } from 'node:net';
import { parseLabelSelector, SelectorSyntaxError, type Requirements } from '../../kubernetes/label-selector.ts';

/** One end of a question, as a person types it. */
export type EndText =
  /** `deploy/clef-serve.llm-serving`, `ns/poimen`. */
  | { readonly kind: 'reference'; readonly kindText: string; readonly name: string; readonly namespace?: string }
  /** `clef-serve`, `clef-serve.llm-serving`: of whichever kind there is one. */
  | { readonly kind: 'name'; readonly name: string; readonly namespace?: string }
  /** `app=clef-serve,ns=llm-serving` */
  | { readonly kind: 'selector'; readonly requirements: Requirements; readonly namespace?: string }
  /** `as:app=x,ns=y`: a pod that does not exist. */
  | { readonly kind: 'description'; readonly labels: Readonly<Record<string, string>>; readonly namespace?: string }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'range'; readonly cidr: string };

export type ParsedEnd = { readonly kind: 'end'; readonly end: EndText } | { readonly kind: 'error'; readonly message: string };

/**
 * Reads FROM or TO. The last dot splits name and namespace, as everywhere; `ns=NAME` among labels is the namespace (a label of that
 * name is written `ns==VALUE`).
 */
export const parseEnd = (text: string): ParsedEnd => {
  const found = (end: EndText): ParsedEnd => ({ kind: 'end', end });
  const fail = (problem: string): ParsedEnd => ({ kind: 'error', message: `"${text}": ${problem}` });
  if (text.trim() === '') return fail('an object, labels, or an address is expected');
  if (isIP(text) !== 0) return found({ kind: 'address', address: text });
  if (/^[\da-f.:]+\/\d+$/i.test(text)) return isCidr(text) ? found({ kind: 'range', cidr: text }) : fail('this is no address range');
  if (text.startsWith('as:')) return parseDescription(text.slice('as:'.length), text);
  if (/[=!()<>]/.test(text)) return parseSelector(text);

  const [kindText, nameText, ...rest] = text.includes('/') ? text.split('/') : [undefined, text];
  if (rest.length > 0 || kindText === '' || nameText === undefined || nameText === '') {
    return fail('KIND/NAME, KIND/NAME.NAMESPACE, labels (app=x,ns=y) or an address is expected');
  }
  const dot = nameText.lastIndexOf('.');
  const [name, namespace] = dot < 0 ? [nameText, undefined] : [nameText.slice(0, dot), nameText.slice(dot + 1)];
  if (name === '' || namespace === '') return fail('the last dot splits name and namespace, and one of them is empty');
  const named = { name, ...(namespace === undefined ? {} : { namespace }) };
  return found(kindText === undefined ? { kind: 'name', ...named } : { kind: 'reference', kindText: kindText.toLowerCase(), ...named });
};

const parseSelector = (text: string): ParsedEnd => {
  try {
    const { namespace, rest } = splitNamespace(text);
    return { kind: 'end', end: { kind: 'selector', requirements: parseLabelSelector(rest), ...namespace } };
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return { kind: 'error', message: error.message };
    throw error;
  }
};

const parseDescription = (description: string, text: string): ParsedEnd => {
  const parsed = parseSelector(description);
  if (parsed.kind === 'error' || parsed.end.kind !== 'selector') return parsed;
  const { requirements, namespace } = parsed.end;
  const labels = requirements.map(({ key, operator, values }) =>
    operator === 'In' && values.length === 1 ? [key, values[0] ?? ''] : undefined,
  );
  if (labels.includes(undefined)) return { kind: 'error', message: `"${text}": a pod has labels: KEY=VALUE,KEY=VALUE,ns=NAMESPACE` };
  const known = Object.fromEntries(labels.filter((entry) => entry !== undefined)) as Readonly<Record<string, string>>;
  return { kind: 'end', end: { kind: 'description', labels: known, ...(namespace === undefined ? {} : { namespace }) } };
};

const splitNamespace = (text: string): { readonly namespace: { readonly namespace?: string }; readonly rest: string } => {
  const parts = text.split(/,(?![^(]*\))/);
  const own = parts.filter((part) => /^\s*ns=(?!=)/.test(part));
  const name = own.at(-1)?.trim().slice('ns='.length);
  return {
    namespace: name === undefined || name === '' ? {} : { namespace: name },
    rest: parts.filter((part) => !own.includes(part)).join(','),
  };
};

const isCidr = (text: string): boolean => {
  const [address = '', prefix = ''] = text.split('/');
  const family = isIP(address);
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128);
};
