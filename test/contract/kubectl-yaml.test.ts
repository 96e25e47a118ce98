import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readManifestYaml } from '../../src/manifests/manifest-yaml.ts';
import { isJsonObject } from '../../src/kubernetes/json.ts';
import { folderOf } from '../builders/folder.ts';
import { findBinaries } from '../cluster/binaries.ts';

const { found } = await findBinaries(['kubectl']);
const { kubectl = '' } = found;

const header = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

/** What kubectl makes of a file, without a server; `undefined` when it refuses. */
const readByKubectl = async (text: string): Promise<unknown[] | undefined> => {
  const folder = await folderOf({});
  const file = join(folder, 'f.yaml');
  await writeFile(file, text);
  try {
    const { stdout } = await promisify(execFile)(kubectl, ['label', '--local', '-f', file, 'read-by=kubectl', '-o', 'json']);
    return stdout
      .split(/^(?=\{)/m)
      .map((part): unknown => JSON.parse(part))
      .map(withoutLabel);
  } catch {
    return undefined;
  }
};

/** The label that makes kubectl print it. */
const withoutLabel = (object: unknown): unknown => {
  if (!isJsonObject(object) || !isJsonObject(object['metadata'])) return object;
  const { labels: _, ...metadata } = object['metadata'];
  return { ...object, metadata };
};

const scalars = [
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'yEs', 'on', 'On', 'oN', 'true', 'True', 'TRUE', 'tRue'],
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False'],
  ...['~', 'null', 'Null', 'NULL', 'nULL', '', '-', '"y"', "'0644'"],
  ...[
    '0',
    '7',
    '-7',
    '+7',
    '007',
    '0644',
    '08',
    '09.5',
    '0o17',
    '0O17',
    '0x1F',
    '0X1f',
    '-0x1F',
    '0b11',
    '0B11',
    '0x',
    '0o8',
    '0b2',
    '-0b11',
  ],
  ...['1_000', '1__0', '_1', '1_', '0x_1F', '0_7', '-_1', '1_0.5', '9223372036854775807', '9223372036854775808', '18446744073709551616'],
  ...['.5', '-.5', '+.5', '5.', '1.5', '1.5.2', '1e3', '1E-3', '1e400', '-1e400', '1.e2', '._5', '.e1', '.', '1e', '0e0'],
  ...[
    '2026-11-30',
    '2026-11-30T10:00:00Z',
    '2001-1-1',
    '12:30',
    '1:20:30',
    '10.0.0.0/8',
    '::1',
    '8080:80',
    '1,000',
    '1 000',
    '<<',
    '=',
    '!!str 12',
  ],
];

describe.skipIf(found.kubectl === undefined)('manifests: what we read against what kubectl reads', () => {
  it('agrees on every scalar, as a value', async () => {
    const text = `${header}spec:\n${scalars.map((scalar) => `  - ${scalar}`).join('\n')}\n`;
    const ours = readManifestYaml(text, 'f').documents.map(({ value }) => value);
    expect(ours).toEqual(await readByKubectl(text));
  });

  it('agrees on scalars as keys', async () => {
    const keys = ['8080', 'on', 'No', '0x10', '0644', '1_0', '"yes"', 'true', '1.5', '2026-11-30'];
    const text = `${header}spec:\n${keys.map((key, index) => `  ${key}: ${index}`).join('\n')}\n`;
    expect(readManifestYaml(text, 'f').documents.map(({ value }) => value)).toEqual(await readByKubectl(text));
  });

  it.each([
    ['equal keys', `${header}spec: {a: 1}\nspec: {a: 2}\n`],
    ['aliases and merge keys', `${header}base: &x {a: 1, b: [2]}\nspec:\n  <<: *x\n  c: *x\n  a: 3\n`],
    ['a list of merges', `${header}x: &x {a: 1}\ny: &y {a: 2, b: 2}\nspec:\n  <<: [*x, *y]\n`],
    ['several documents', `# first\n---\n# second\n---   # third\n${header}---\n${header}spec: 1\n---\n`],
    ['a block text with markers in it', `${header}spec: |\n  ---\n   --- x\n  ...\n`],
    [
      'folded and kept texts',
      `${header}spec:\n  - >-\n    a\n    b\n\n    c\n  - |+\n    a\n\n  - "a\\\n    b \\u00e9 \\x41"\n  - 'it''s'\n  - plain\n    goes on\n`,
    ],
    ['JSON', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"spec":[1,1.5,true,null,"yes",{"a":{}}]}'],
    ['JSON indented with tabs', '{\n\t"apiVersion":"v1",\n\t"kind":"ConfigMap",\n\t"metadata":{"name":"a"}\n}'],
    ['a flow map that begins like JSON', '{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, spec: yes}'],
    ['Windows line ends', header.replaceAll('\n', '\r\n')],
  ])('agrees on %s', async (_, text) => {
    const theirs = await readByKubectl(text);
    expect(theirs).toBeDefined();
    const { documents, problems } = readManifestYaml(text, 'f');
    expect(documents.map(({ value }) => value)).toEqual(theirs);
    expect(problems).toEqual([]);
  });

  it.each([
    ['an unclosed list', `${header}spec: [\n`],
    ['a tab as indentation', `${header}spec:\n\ta: 1\n`],
    ['an alias of nothing', `${header}spec: *x\n`],
    ['a value that contains itself', `${header}spec: &x [*x]\n`],
    ['a YAML directive', `%YAML 1.1\n---\n${header}`],
    ['not a number', `${header}spec: .nan\n`],
    ['infinity', `${header}spec: -.Inf\n`],
    ['a list as a key', `${header}spec: {[a]: 1}\n`],
    ['a template', `${header}spec: {{ .Values.x }}\n`],
    [
      'an alias bomb',
      `${header}a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`)
        .join('\n')}\n`,
    ],
  ])('refuses, as kubectl does, %s', async (_, text) => {
    expect(await readByKubectl(text)).toBeUndefined();
    expect(readManifestYaml(text, 'f').problems).toHaveLength(1);
  });
});
