import { describe, expect, it } from 'vitest';
import { PoimenError } from '../../src/errors/poimen-error.ts';
import { colouredStyle, plainStyle } from '../../src/terminal/style.ts';
import { renderBug, renderError } from '../../src/views/error.ts';
import { errorDocument } from '../../src/views/error-document.ts';

const error = new PoimenError({
  outcome: 'refused',
  code: 'Forbidden',
  summary: 'not allowed: list \u001b[31mpods',
  detail: 'Error from server (Forbidden): pods is forbidden\nsecond line',
  nextSteps: ['kubectl auth can-i list pods'],
});

describe('renderError', () => {
  it('says what happened, why, and what to do', () => {
    expect(renderError(error, plainStyle)).toBe(`\
error: not allowed: list pods
  Error from server (Forbidden): pods is forbidden
  second line
  next: kubectl auth can-i list pods
`);
  });

  it('is red where there is colour', () => {
    expect(renderError(error, colouredStyle).startsWith('\u001b[31merror:\u001b[39m not allowed: list pods\n')).toBe(true);
  });
});

describe('renderBug', () => {
  it('asks for a report, and shows the stack to whoever wants it', () => {
    const bug = new TypeError('x is not a function');
    expect(renderBug(bug, plainStyle, false)).toBe(
      'error: this is a bug in poimen: x is not a function\n  next: run it again with POIMEN_DEBUG=1 and report what it prints\n',
    );
    expect(renderBug(bug, plainStyle, true)).toMatch(
      /^error: this is a bug in poimen: x is not a function\n {2}TypeError: x is not a function\n {6}at /,
    );
  });
});

describe('errorDocument', () => {
  it('has the keys that scripts rely on', () => {
    expect(errorDocument(error, 3)).toEqual({
      error: { code: 'Forbidden', summary: error.message, detail: error.detail, nextSteps: ['kubectl auth can-i list pods'], exitCode: 3 },
    });
    expect(errorDocument(new Error('x'), 1)).toEqual({ error: { code: 'Bug', summary: 'Error: x', nextSteps: [], exitCode: 1 } });
  });
});
