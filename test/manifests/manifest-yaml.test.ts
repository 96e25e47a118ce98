import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readManifestYaml } from '../../src/manifests/manifest-yaml.ts';
import { parseYamlStream } from '../../src/manifests/yaml.ts';

const values = (text: string): unknown[] => readManifestYaml(text, 'f.yaml').documents.map(({ value }) => value);
const complaints = (text: string): string[] =>
  readManifestYaml(text, 'f.yaml').problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

describe('readManifestYaml: what it says', () => {
  it.each([
    ['a: yes', true],
    ['a: Off', false],
    ['a: nO', 'nO'],
    ['a: "yes"', 'yes'],
    ['a: 0644', 420],
    ['a: 0o17', 15],
    ['a: 08', 8],
    ['a: -0x1F', -31],
    ['a: 0b11', 3],
    ['a: 1_000', 1000],
    ['a: +12', 12],
    ['a: .5', 0.5],
    ['a: -.5e1', -5],
    ['a: 1e400', '1e400'],
    ['a: ._5', '._5'],
    ['a: 0x', '0x'],
    ['a: 1.2.3', '1.2.3'],
    ['a: 2026-11-30', '2026-11-30'],
    ['a: 12:30:45', '12:30:45'],
    ['a: ~', null],
    ['a:', null],
    ['a: !!str 1', '1'],
    ['a: <<', '<<'],
  ])('%j', (text, expected) => {
    expect(values(text)).toEqual([{ a: expected }]);
  });

  it('takes keys as kubectl does', () => {
    expect(values('8080: a\non: b\n0x10: c\n')).toEqual([{ 8080: 'a', true: 'b', 16: 'c' }]);
  });

  it('follows aliases and merge keys, and lets the last of equal keys count', () => {
    expect(values('a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\ne: 1\ne: 2\n')).toEqual([{ a: { b: 1, c: 2 }, d: { b: 1, c: 3 }, e: 2 }]);
  });

  it('leaves empty documents out, and goes on behind a broken one', () => {
    const text = '# nothing\n---\n---   # first\na: 1\n---\nb: [\n---\nc: |\n  ---\n   --- \n--- {d: 4}\n---';
    expect(values(text)).toEqual([{ a: 1 }, { c: '---\n --- \n' }, { d: 4 }]);
    expect(complaints(text)).toEqual([expect.stringMatching(/^[67]:\d+ not YAML/)]);
  });

  it('reads JSON, also indented with tabs, and flow maps that only look like it', () => {
    expect(values('\n{\n\t"a": [1, "yes"]\n}\n')).toEqual([{ a: [1, 'yes'] }]);
    expect(values('{a: yes}\n---\n{b: 1}')).toEqual([{ a: true }, { b: 1 }]);
  });

  it('keeps a key that JavaScript treats as special as an ordinary one', () => {
    const [value] = values('__proto__: {a: 1}\nconstructor: 2');
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('reads whatever a YAML writer wrote, and knows each place as the strict reader does', () => {
    const name = fc.stringMatching(/^[a-z]{3}[a-zA-Z0-9 .:#-]{0,8}[a-z]{3}$/).filter((text) => !/^(yes|off)$/i.test(text));
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        name,
        fc.integer(),
        fc.boolean(),
        fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
        fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(name, json, { minKeys: 1, maxKeys: 3 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (documents, flow) => {
          const text = documents
            .map((document) => stringify(document, { aliasDuplicateObjects: false, collectionStyle: flow ? 'flow' : 'any' }))
            .join('---\n');
          const fast = readManifestYaml(text, 'f');
          const strict = parseYamlStream(text, 'f');
          expect(fast.problems).toEqual([]);
          expect(fast.documents.map(({ value }) => value)).toEqual(strict.documents.map(({ value }) => value));
          for (const [index, { value, positionOf, line }] of strict.documents.entries()) {
            expect(fast.documents[index]?.line).toBe(line);
            for (const path of pathsOf(value)) {
              for (const part of ['value', 'key'] as const) {
                const { line: inLine, column } = positionOf(path, part);
                expect({ path, ...fast.documents[index]?.positionOf(path, part) }).toMatchObject({ path, line: inLine, column });
              }
            }
          }
        },
      ),
    );
  });
});

describe('readManifestYaml: whichever of its ways it takes', () => {
  const scalars = [
    'yes',
    'n',
    'nO',
    'off',
    'true',
    '0644',
    '08',
    '1_000',
    '-0x1F',
    '.5',
    '1e3',
    '+12',
    '-x',
    '1.2.3',
    '2026-11-30',
    '1e400',
  ];
  const others = [
    '~',
    'null',
    'Null',
    '',
    "''",
    '"a\\tb\\u00e9"',
    "'it''s'",
    'a b # c',
    '<',
    'x<<',
    '{a: yes, 8: 0o17}',
    '[n, [~], {}]',
    '|\n  two\n  lines\n',
    '>-\n  one\n  line',
  ];
  const entry = fc.tuple(fc.constantFrom(...scalars, ...others.slice(4, 7), 'key'), fc.constantFrom(...scalars, ...others));
  const document = fc
    .array(entry, { minLength: 1, maxLength: 6 })
    .map((entries) => entries.map(([key, value], index) => `${key}: ${value}\nlist${index}:\n- ${value}\n`).join(''));

  it('reads the same: a tag in one document of a file has each read alone, by the parser itself', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) => {
        const text = documents.join('---\n');
        const together = readManifestYaml(text, 'f');
        const alone = readManifestYaml(`${text}---\na: !!str x\n`, 'f');
        expect(together.problems).toEqual([]);
        expect(together.documents.map(({ value, line }) => [value, line])).toEqual(
          alone.documents.slice(0, -1).map(({ value, line }) => [value, line]),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a number that JSON does not have in both', () => {
    for (const tag of ['', '---\na: !!str x']) expect(complaints(`a: .inf\n${tag}`)).toEqual([expect.stringContaining('.inf')]);
  });
});

const pathsOf = (value: unknown): (string | number)[][] => [
  [],
  ...(Array.isArray(value)
    ? value.flatMap((item, index) => pathsOf(item).map((path) => [index, ...path]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, item]) => pathsOf(item).map((path) => [key, ...path]))
      : []),
];

describe('readManifestYaml: where it says it', () => {
  it('takes the nearest thing around what is not there', () => {
    const [, second] = readManifestYaml('a: 1\n---\n# why\nspec:\n  rules:\n    - port: 1\n  empty:\n', 'f.yaml').documents;
    expect(second?.line).toBe(4);
    expect(second?.positionOf(['spec', 'rules', 0, 'port'])).toEqual({ file: 'f.yaml', line: 6, column: 13, length: 1 });
    expect(second?.positionOf(['spec', 'rules', 0, 'from'])).toMatchObject({ line: 6, column: 7 });
    expect(second?.positionOf(['spec', 'rules', 3])).toMatchObject({ line: 6, column: 5 });
    expect(second?.positionOf(['spec', 'empty'])).toMatchObject({ line: 7, column: 3, length: 5 });
    expect(second?.positionOf(['nothing'])).toMatchObject({ line: 4, column: 1 });
  });

  it('counts lines behind Windows line ends and a byte order mark', () => {
    expect(readManifestYaml('\ufeff# why\na: 1\n', 'f').documents[0]?.line).toBe(2);
    const [first, second] = readManifestYaml('\ufeffa: 1\r\n---\r\nb: "x"\r\n', 'f').documents;
    expect(first?.positionOf(['a'])).toMatchObject({ line: 1 });
    expect(second?.positionOf(['b'])).toMatchObject({ line: 3, column: 4, length: 3 });
  });

  it('knows places in JSON', () => {
    const [json] = readManifestYaml('{\n  "a": {"b": [1,\n   2]}\n}', 'f').documents;
    expect(json?.positionOf(['a', 'b', 1])).toMatchObject({ line: 3, column: 4 });
  });
});

describe('readManifestYaml: what cannot be read', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`),
  ];

  it.each([
    [bomb.join('\n'), '1:1 its aliases stand for more values than can be read'],
    ['x: 1\n---\na: &a [*a]', '3:1 its aliases stand for more values than can be read'],
    ['a: *x', '1:5 not YAML: unidentified alias "x"'],
    ['a: 1\n---\nb: {{ .Values.b }}\n', '3:4 a template, which is not rendered here'],
    ['{{- if .x }}\na: 1\n{{- end }}\n', '1:1 a template, which is not rendered here'],
    ['a: !foo 1', '1:4 not YAML: unknown scalar tag !<!foo>'],
    ['a: 1\n...\nb: 1', '1:1 not YAML: expected a single document in the stream, but found more'],
    [`a: ${'['.repeat(600)}${']'.repeat(600)}`, '1:503 not YAML: nesting exceeded maxDepth (500)'],
    ['%YAML 1.1\n---\na: 1', '2:1 not YAML: directives end mark is expected'],
  ])('%.40j', (text, expected) => {
    expect(complaints(text)).toEqual([expected]);
  });

  it('finds an asterisk harmless', () => {
    expect(values('a: "*"\nb: [1]')).toEqual([{ a: '*', b: [1] }]);
  });
});
