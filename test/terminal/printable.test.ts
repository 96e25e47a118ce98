import { describe, expect, it } from 'vitest';
import { printable, printableText } from '../../src/terminal/printable.ts';

describe('printableText', () => {
  it.each([
    ['colours', 'pod \u001b[31mred\u001b[0m', 'pod red'],
    ['a title of the window', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', '\u001b]8;;http://example.com\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['clearing the screen', '\u001b[2J\u001b[Hnothing to do', 'nothing to do'],
    ['C1 as one character', '\u009b31mred', 'red'],
    ['a bell, a backspace, a carriage return', 'fa\u0008il\u0007ed\rdone', 'faileddone'],
    ['text that is reordered', 'app\u202e=drowssap', 'app=drowssap'],
    ['a lone escape', 'a\u001bb', 'ab'],
  ])('takes out %s', (_, text, expected) => {
    expect(printableText(text)).toBe(expected);
  });

  it('keeps lines, tabs and every script', () => {
    expect(printableText('1\r\n2\n\t日本 é ✔')).toBe('1\n2\n\t日本 é ✔');
  });
});

describe('printable', () => {
  it('cleans every text of a document, keys too, and leaves the rest alone', () => {
    const document = { reason: '\u001b[1mbad', list: ['\u0007a', 1, null, true], nested: { 'k\u001b[0m': undefined } };
    expect(printable(document)).toEqual({ reason: 'bad', list: ['a', 1, null, true], nested: { k: undefined } });
  });

  it('makes one line of each text, so that a message cannot look like two', () => {
    expect(printable({ message: 'manifest unknown\n  ✔ done' })).toEqual({ message: 'manifest unknown ✔ done' });
  });
});
