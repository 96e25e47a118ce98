import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifests } from '../../src/manifests/load-manifests.ts';
import { referenceText } from '../../src/manifests/object-identity.ts';
import { folderOf } from '../builders/folder.ts';

const configMap = (name: string, more = ''): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;

const load = async (files: Record<string, string>, path = '') => {
  const folder = await folderOf(files);
  const { objects, problems } = await loadManifests(join(folder, path));
  const inFolder = (file: string): string => file.replace(`${folder}/`, '');
  return {
    names: objects.map(({ object }) => referenceText(object)),
    places: objects.map(({ file, line }) => `${inFolder(file)}:${line}`),
    problems: problems.map(({ file, line, column, message }) => `${inFolder(file)}:${line}:${column} ${message}`),
    objects,
  };
};

describe('loadManifests', () => {
  it('reads every manifest of the folder in the order of names, and neither subfolders nor other files', async () => {
    const { names, problems } = await load({
      'b.yml': configMap('second'),
      'a.yaml': configMap('first'),
      'c.json': '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "third"}}',
      'README.md': '# no: [yaml',
      'overlays/x/a.yaml': configMap('hidden'),
    });
    expect(names).toEqual(['ConfigMap/first', 'ConfigMap/second', 'ConfigMap/third']);
    expect(problems).toEqual([]);
  });

  it('reads one file', async () => {
    expect((await load({ 'a.yaml': configMap('a'), 'b.yaml': configMap('b') }, 'b.yaml')).names).toEqual(['ConfigMap/b']);
  });

  it('knows where each object and each field stands', async () => {
    const { places, objects } = await load({ 'a.yaml': `# first\n${configMap('a', 'data: {x: "1"}\n')}---\n${configMap('b')}` });
    expect(places).toEqual(['a.yaml:2', 'a.yaml:8']);
    expect(objects[0]?.positionOf(['data', 'x'])).toMatchObject({ line: 6, column: 11 });
    expect(objects[1]?.positionOf(['metadata', 'name'])).toMatchObject({ line: 11, column: 9 });
  });

  it('flattens lists, also typed ones and lists in lists', async () => {
    const item = '{apiVersion: v1, kind: ConfigMap, metadata: {name: %}}';
    const text = `apiVersion: v1\nkind: List\nitems:\n  - ${item.replace('%', 'a')}\n  - {apiVersion: v1, kind: ConfigMapList, items: [${item.replace('%', 'b')}]}\n`;
    const { names, places, objects } = await load({ 'a.yaml': text });
    expect(names).toEqual(['ConfigMap/a', 'ConfigMap/b']);
    expect(places).toEqual(['a.yaml:4', 'a.yaml:5']);
    expect(objects[1]?.positionOf(['metadata', 'name'])).toMatchObject({ line: 5 });
  });

  it('says of each problem what it leaves out: nothing, an object of a kind, or nobody knows what', async () => {
    const folder = await folderOf({
      'a.yaml': `${configMap('x')}---\n${configMap('x')}`,
      'b.yaml': 'replicas: 2\n---\nkind: NetworkPolicy\n',
      'c.yaml': 'a: [',
    });
    const { problems } = await loadManifests(folder);
    expect(problems.map(({ file, leavesOut }) => [file.slice(-6), leavesOut])).toEqual([
      ['b.yaml', {}],
      ['b.yaml', {}],
      ['b.yaml', {}],
      ['b.yaml', { kind: 'NetworkPolicy' }],
      ['b.yaml', { kind: 'NetworkPolicy' }],
      ['c.yaml', undefined],
      ['a.yaml', {}],
    ]);
  });

  it('takes a kind that has items and is no list for what it is', async () => {
    expect(
      (await load({ 'a.yaml': 'apiVersion: example.com/v1\nkind: Menu\nmetadata: {name: m}\nitems: [{name: soup}]\n' })).names,
    ).toEqual(['Menu.example.com/m']);
  });

  it('reports everything that is no object, with its place, and keeps the others', async () => {
    const { names, problems } = await load({
      'a.yaml': configMap('good'),
      'b.yaml': 'just a text\n---\nkind: ConfigMap\nmetadata:\n  namespace: 1\n---\napiVersion: v1\nkind: 7\nmetadata: {name: ""}\n',
      'c.yaml': configMap('labelled', '  labels: {version: 1, on-call: "yes"}\n'),
      'd.yaml': 'a: [',
    });
    expect(names).toEqual(['ConfigMap/good']);
    expect(problems).toEqual([
      'b.yaml:1:1 not a Kubernetes object',
      'b.yaml:3:1 apiVersion is missing',
      'b.yaml:5:3 metadata.name is missing',
      'b.yaml:5:14 metadata.namespace has to be a text',
      'b.yaml:8:7 kind has to be a text',
      'b.yaml:9:18 metadata.name has to be a text',
      'c.yaml:5:21 labels are texts',
      expect.stringMatching(/^d\.yaml:1:\d not YAML/),
    ]);
  });

  it('reports an object that stands twice, and not the same name in another namespace, kind or group', async () => {
    const { names, problems } = await load({
      'a.yaml': [configMap('x'), configMap('x', '  namespace: other\n'), 'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n'].join(
        '---\n',
      ),
      'b.yaml': configMap('x'),
    });
    expect(names).toHaveLength(4);
    expect(problems).toEqual(['b.yaml:4:9 ConfigMap/x a second time']);
  });

  it('reads what kubectl would read, where YAML 1.2 says something else', async () => {
    const text = `${configMap('a', 'data: &data\n  mode: "0644"\n')}---\n${configMap('b', 'spec: {on: yes, mode: 0644}\n')}`;
    const { objects, problems } = await load({ 'a.yaml': text });
    expect(problems).toEqual([]);
    expect(objects[1]?.object['spec']).toEqual({ true: true, mode: 420 });
  });

  it('takes a name that kubectl reads as a boolean for the mistake that it is', async () => {
    expect((await load({ 'a.yaml': configMap('n') })).problems).toEqual(['a.yaml:4:9 metadata.name has to be a text']);
  });

  it('says of a Helm chart, and of templates, that they are not rendered', async () => {
    expect((await load({ 'Chart.yaml': 'apiVersion: v2\nname: x\n', 'values.yaml': 'a: 1' })).problems).toEqual([
      'Chart.yaml:1:1 a Helm chart, whose templates are not rendered here',
    ]);
    expect((await load({ 'a.yaml': configMap('{{ .Release.Name }}'), 'b.yaml': configMap('b') })).problems).toEqual([
      'a.yaml:4:9 a template, which is not rendered here',
    ]);
  });

  it('reads ten thousand files', async () => {
    const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}.yaml`, configMap(`c${index}`)]));
    const { names, problems } = await load(files);
    expect(names).toHaveLength(10_000);
    expect(problems).toEqual([]);
  }, 180_000);

  it('reads a file of 50 MB', async () => {
    const entry = configMap('c', `data:\n  text: |\n${'    some text that goes on\n'.repeat(40)}`);
    const text = Array.from({ length: 50_000 }, (_, index) => entry.replace('name: c', `name: c${index}`)).join('---\n');
    expect(text.length).toBeGreaterThan(50_000_000);
    const { names, problems } = await load({ 'a.yaml': text });
    expect([names.length, names.at(-1), problems]).toEqual([50_000, 'ConfigMap/c49999', []]);
  }, 180_000);

  it('says that there is nothing, or nothing to read', async () => {
    expect((await load({ 'README.md': '' })).problems).toEqual([expect.stringContaining('1:1 no manifests')]);
    expect((await load({}, 'missing')).problems).toEqual([expect.stringContaining('missing:1:1 cannot be read: ENOENT')]);
  });
});
