/** Text with `${...}` in it, taken apart. `$${` stands for a `${` that is meant as text. */
export type Template =
  | { readonly kind: 'template'; readonly parts: readonly TemplatePart[] }
  | { readonly kind: 'unclosed'; readonly start: number };

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** `start`: where `source` begins in the whole text. */
  | { readonly kind: 'expression'; readonly source: string; readonly start: number };

export const parseTemplate = (text: string): Template => {
  const parts: TemplatePart[] = [];
  let literal = '';
  let position = 0;
  while (position < text.length) {
    if (text.startsWith('$${', position)) {
      literal += '${';
      position += 3;
    } else if (text.startsWith('${', position)) {
      const end = closingBrace(text, position + 2);
      if (end === undefined) return { kind: 'unclosed', start: position };
      if (literal !== '') parts.push({ kind: 'text', text: literal });
      literal = '';
      parts.push({ kind: 'expression', source: text.slice(position + 2, end), start: position + 2 });
      position = end + 1;
    } else {
      literal += text.charAt(position);
      position++;
    }
  }
  if (literal !== '' || parts.length === 0) parts.push({ kind: 'text', text: literal });
  return { kind: 'template', parts };
};

/** The brace that ends the expression: not one inside a string or a map of it. */
const closingBrace = (text: string, from: number): number | undefined => {
  let depth = 0;
  let quote: string | undefined;
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (quote !== undefined) {
      if (character === '\\') index++;
      else if (character === quote) quote = undefined;
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) return index;
  }
  return undefined;
};
