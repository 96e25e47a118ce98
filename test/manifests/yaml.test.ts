import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseYaml, parseYamlStream } from '../../src/manifests/yaml.ts';

const complaints = (text: string): string[] =>
  parseYamlStream(text, 'f.yaml').problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
const values = (text: string): unknown[] => parseYamlStream(text, 'f.yaml').documents.map(({ value }) => value);

describe('parseYaml: what it says', () => {
  it('reads JSON values by the core schema', () => {
    expect(
      parseYaml('a: 1\nb: -1.5\nc: true\nd: null\ne:\nf: text\ng: "1"\nh: 0x1F\ni: [x, {z: 2}]\nj: |\n  two\n  lines\n', 'f').value,
    ).toEqual({
      a: 1,
      b: -1.5,
      c: true,
      d: null,
      e: null,
      f: 'text',
      g: '1',
      h: 31,
      i: ['x', { z: 2 }],
      j: 'two\nlines\n',
    });
  });

  it('takes keys for the texts that they are', () => {
    expect(values('8080: a\ntrue: b\n"x": c\n1.0: d')).toEqual([{ 8080: 'a', true: 'b', x: 'c', '1.0': 'd' }]);
  });

  it('keeps a key that JavaScript treats as special as an ordinary one', () => {
    const [value] = values('__proto__: {a: 1}\nconstructor: 2');
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
  });

  it('leaves empty documents out, wherever they stand', () => {
    expect(values('---\n---\na: 1\n---\n# nothing\n---\nb: 2\n')).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('reads a byte order mark and Windows line ends', () => {
    const { value, positionOf } = parseYaml('\ufeffa: 1\r\nb: 2\r\n', 'f');
    expect(value).toEqual({ a: 1, b: 2 });
    expect(positionOf(['b'])).toMatchObject({ line: 2, column: 4 });
  });

  it('reads back any JSON that a YAML writer wrote', () => {
    const name = fc.stringMatching(/^[a-z]{2}[a-zA-Z0-9 .:#-]{0,8}[a-z]{2}$/).filter((text) => !/^(yes|no|on|off)$/i.test(text));
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        name,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(name, json, { minKeys: 1, maxKeys: 4 }), (document) => {
        const parsed = parseYaml(stringify(document, { aliasDuplicateObjects: false }), 'f');
        expect(parsed.problems).toEqual([]);
        expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(document));
      }),
    );
  });
});

describe('parseYaml: where it says it', () => {
  const { positionOf } = parseYaml('kind: X\nspec:\n  steps:\n    - id: one\n      scale: {to: 0}\n', 'runbook.yaml');

  it('finds values, keys, elements and flow maps', () => {
    expect(positionOf(['kind'])).toEqual({ file: 'runbook.yaml', line: 1, column: 7, length: 1 });
    expect(positionOf(['spec', 'steps', 0, 'id'])).toMatchObject({ line: 4, column: 11, length: 3 });
    expect(positionOf(['spec', 'steps', 0, 'scale', 'to'])).toMatchObject({ line: 5, column: 19 });
    expect(positionOf(['spec', 'steps', 0, 'scale'], 'key')).toMatchObject({ line: 5, column: 7, length: 5 });
    expect(positionOf(['spec', 'steps', 0])).toMatchObject({ line: 4, column: 7 });
  });

  it('stays within one line, which is what a caret can underline', () => {
    expect(positionOf(['spec'])).toMatchObject({ line: 3, column: 3, length: 6 });
  });

  it('takes the nearest thing around what is not there', () => {
    expect(positionOf(['spec', 'steps', 0, 'deadline'])).toMatchObject({ line: 4, column: 7 });
    expect(positionOf(['spec', 'steps', 7, 'id'])).toMatchObject({ line: 4, column: 5 });
    expect(positionOf(['nothing', 'at', 'all'])).toMatchObject({ line: 1, column: 1 });
  });
});

describe('parseYaml: what readers disagree about', () => {
  it.each([
    ['a: yes', '1:4 plain yes is true to YAML 1.1 and a text to YAML 1.2'],
    ['a: NO', '1:4 plain NO is false to YAML 1.1 and a text to YAML 1.2'],
    ['a: [Off]', '1:5 plain Off is false to YAML 1.1 and a text to YAML 1.2'],
    ['on: push', '1:1 plain on is true to YAML 1.1 and a text to YAML 1.2'],
    ['a: y', '1:4 plain y is true to YAML 1.1 and a text to YAML 1.2'],
    ['mode: 0644', '1:7 0644 is 420 (octal) to YAML 1.1 and 644 to YAML 1.2'],
    ['mode: 0o644', '1:7 0o644 is a number to YAML 1.2 and a text to YAML 1.1'],
    ['zip: 08912', '1:6 08912 is a text to some readers and a number to others'],
    ['n1: 1_000', '1:5 1_000 is a number to YAML 1.1 and a text to YAML 1.2'],
    ['n1: 0b11', '1:5 0b11 is a number to YAML 1.1 and a text to YAML 1.2'],
    ['n1: 12345678901234567890', '1:5 12345678901234567890 is not a number that JSON can hold exactly'],
    ['n1: .nan', '1:5 .nan is not a number that JSON can hold exactly'],
    ['a: 1\nb: 2\na: 3', '3:1 duplicate key a'],
    ['a: {b: 1, "b": 2}', '1:11 duplicate key b'],
    ['<<: {a: 1}', '1:1 << is a merge key'],
    ['? [a]\n: 1', '1:3 a key that is not a text'],
    [': 1', '1:1 a key is missing'],
    ['a: !!str 1', '1:10 !!str is a tag'],
    ['%YAML 1.1\n---\na: 1', '1:1 a %YAML directive'],
  ])('%j', (text, expected) => {
    expect(complaints(text)).toEqual([expected]);
  });

  it('reports an anchor and each use of it', () => {
    expect(complaints('a: &x {b: 1}\nc: *x')).toEqual(['1:7 &x is an anchor', '2:4 *x is an alias']);
  });

  it.each([
    'a: "yes"',
    "a: 'no'",
    'a: yesterday',
    'a: nO',
    'a: 0',
    'a: 007',
    'a: 10',
    'a: 1e3',
    'a: 8080:80',
    'a: 2026-11-30',
    'a: |\n  yes',
    '"on": 1',
  ])('has nothing against %j', (text) => {
    expect(complaints(text)).toEqual([]);
  });

  it('says what to write instead', () => {
    const [problem] = parseYaml('a: no', 'f').problems;
    expect(problem?.hint).toBe("write 'no' for the text, or false");
    expect(parseYaml('a: 1\na: 2', 'f').problems[0]?.hint).toBe('it is already set in line 1: keep one');
  });

  it('reports everything at once, in the order of the text, and still has the value', () => {
    const { value, problems } = parseYaml('b: on\na: 0644\nb: off', 'f');
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3, 3]);
    expect(value).toEqual({ b: 'on', a: 644 });
  });
});

describe('parseYaml: what is no YAML', () => {
  it.each([
    ['a:\n\t- b', '2:1 not YAML: tabs are not allowed as indentation', 'indent with spaces'],
    ['a: b: c', '1:4 not YAML: nested mappings are not allowed in compact mappings', 'quote a value that has ": " in it'],
    ['a: @x', '1:4 not YAML: plain value cannot start with reserved character @', 'quote the value'],
  ])('%j', (text, message, hint) => {
    expect(complaints(text)).toEqual([message]);
    expect(parseYaml(text, 'f')).toMatchObject({ value: undefined, problems: [{ hint }] });
  });

  it('reads the other documents of the text all the same', () => {
    const { documents, problems } = parseYamlStream('a: 1\n---\nb: [\n', 'f');
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.line).toBeGreaterThanOrEqual(3);
  });

  it('wants exactly one document where one is expected', () => {
    expect(parseYaml('', 'f').problems).toMatchObject([{ line: 1, message: 'there is nothing in it' }]);
    expect(parseYaml('# only a comment\n', 'f').problems).toMatchObject([{ message: 'there is nothing in it' }]);
    expect(parseYaml('a: 1\n---\nb: 2\n', 'f').problems).toMatchObject([{ line: 3, message: 'a second document' }]);
  });
});
