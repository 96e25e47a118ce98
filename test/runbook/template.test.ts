import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../src/runbook/template.ts';

describe('parseTemplate', () => {
  it('tells text from expressions and where these begin', () => {
    expect(parseTemplate('a${b}c${d.e}')).toEqual({
      kind: 'template',
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'expression', source: 'b', start: 3 },
        { kind: 'text', text: 'c' },
        { kind: 'expression', source: 'd.e', start: 8 },
      ],
    });
  });

  it('does not end an expression at a brace of its own', () => {
    const inner = `{'a': "}", "b": '\\'}'}`;
    expect(parseTemplate(`\${${inner}}`)).toEqual({ kind: 'template', parts: [{ kind: 'expression', source: inner, start: 2 }] });
  });

  it('takes $${ for the text ${, and a lone $ or } for itself', () => {
    expect(parseTemplate('$${a} $5 }')).toEqual({ kind: 'template', parts: [{ kind: 'text', text: '${a} $5 }' }] });
    expect(parseTemplate('')).toEqual({ kind: 'template', parts: [{ kind: 'text', text: '' }] });
  });

  it('says where the one begins that is never closed', () => {
    expect(parseTemplate('ab${c{d}')).toEqual({ kind: 'unclosed', start: 2 });
    expect(parseTemplate('${"}')).toEqual({ kind: 'unclosed', start: 0 });
  });
});
