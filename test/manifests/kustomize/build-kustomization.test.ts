import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { valueAt } from '../../../src/kubernetes/json-pointer.ts';
import { loadManifests } from '../../../src/manifests/load-manifests.ts';
import { referenceText } from '../../../src/manifests/object-identity.ts';
import { folderOf } from '../../builders/folder.ts';

/** `test/contract/kustomize.test.ts` compares this folder, whole, with what kubectl builds of it. */
const fixture = join(import.meta.dirname, 'fixture');

const deployment = (name: string, namespace = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}${namespace === '' ? '' : `\n  namespace: ${namespace}`}
spec:
  replicas: 1
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
        - {name: server, image: 'registry.example/${name}:1', envFrom: [{configMapRef: {name: settings}}]}
`;

const load = async (files: Record<string, string | Uint8Array>, path = '') => {
  const folder = await folderOf(files);
  const { objects, problems } = await loadManifests(join(folder, path));
  const named = new Map(objects.map(({ object }) => [referenceText(object), object]));
  return {
    names: [...named.keys()],
    field: (name: string, ...at: (string | number)[]) => valueAt(named.get(name), at),
    problems: problems.map(({ file, line, column, message }) => `${file.replace(`${folder}/`, '')}:${line}:${column} ${message}`),
    objects,
  };
};

const image = ['spec', 'template', 'spec', 'containers', 0, 'image'] as const;

describe('a kustomization: which objects', () => {
  it('builds what it lists, in its order, folders with theirs, and nothing else', async () => {
    const { names, problems } = await load(
      {
        'k/kustomization.yaml': 'resources: [b.yaml, ../base, a.yaml]',
        'k/a.yaml': deployment('a'),
        'k/b.yaml': deployment('b'),
        'k/unlisted.yaml': deployment('c'),
        'base/kustomization.yml': 'resources: [d.yaml]',
        'base/d.yaml': deployment('d'),
      },
      'k',
    );
    expect(names).toEqual(['Deployment.apps/b', 'Deployment.apps/d', 'Deployment.apps/a']);
    expect(problems).toEqual([]);
  });

  it('keeps the position in the file that an object comes from', async () => {
    const { objects } = await load({ 'kustomization.yaml': 'resources: [a.yaml]\nnamespace: x', 'a.yaml': `# hello\n${deployment('a')}` });
    expect(objects[0]?.positionOf(['spec', 'replicas'])).toMatchObject({ file: objects[0]?.file, line: 7, column: 13 });
  });

  it.each([
    ['resources: [https://example.com/a.yaml]', 'is remote'],
    ['resources: ["github.com/org/repo//dir?ref=v1"]', 'is remote'],
    ['resources: [gone.yaml]', 'cannot be read: ENOENT'],
    ['resources: [../outside.yaml]', "is outside of the kustomization's folder"],
    ['resources: [.]', 'leads back here'],
    ['resources: [empty]', 'no kustomization.yaml in the folder'],
  ])('%s', async (text, message) => {
    const { problems } = await load({ 'k/kustomization.yaml': text, 'outside.yaml': deployment('a'), 'k/empty/readme': '' }, 'k');
    expect(problems).toEqual([expect.stringContaining(message)]);
  });

  it('finds a circle over several folders', async () => {
    const { problems } = await load({ 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' }, 'a');
    expect(problems).toEqual(['b/kustomization.yaml:1:13 ../a leads back here']);
  });
});

describe('a kustomization: what is not supported is named, never ignored', () => {
  it.each([
    ['transformers: []', '1:1 transformers of kustomize is not supported here'],
    ['generators: []', '1:1 generators of kustomize is not supported here'],
    ['configurations: []', '1:1 configurations of kustomize is not supported here'],
    ['crds: []', '1:1 crds of kustomize is not supported here'],
    ['buildMetadata: []', '1:1 buildMetadata of kustomize is not supported here'],
    ['vars: []', '1:1 vars of kustomize is not supported here'],
    ['helmCharts: []', '1:1 helmCharts of kustomize is not supported here'],
    ['labels: [{pairs: {a: b}, fields: []}]', '1:26 labels.0.fields of kustomize is not supported here'],
    ['configMapGenerator: [{name: a, type: x}]', '1:32 configMapGenerator.0.type of kustomize is not supported here'],
    ['replacements: [{source: {kind: A}, targets: [], more: 1}]', '1:49 replacements.0.more of kustomize is not supported here'],
    ['patches: [{patch: "", options: {allowNameChange: true}}]', '1:23 patches.0.options of kustomize is not supported here'],
    ['resources: a.yaml', '1:12 resources: Invalid input: expected array, received string'],
    ['kind: Component', '1:7 the folder is expected to be a Kustomization'],
    ['kind: Deployment', '1:7 kind: Invalid option: expected one of "Kustomization"|"Component"'],
  ])('%s', async (text, message) => {
    expect((await load({ 'kustomization.yaml': text })).problems).toEqual([`kustomization.yaml:${message}`]);
  });

  it('reports all of them at once, with what else is wrong in the file', async () => {
    const { problems } = await load({ 'kustomization.yaml': 'crds: []\nvars: []\nnamespace: no\n' });
    expect(problems).toHaveLength(3);
  });
});

describe('a kustomization: namespace, labels, images, replicas', () => {
  it('moves namespaced objects, renames a Namespace and leaves cluster-scoped ones alone', async () => {
    const { names } = await load({
      'kustomization.yaml': 'namespace: llm\nresources: [a.yaml, b.yaml]',
      'a.yaml': deployment('a', 'elsewhere'),
      'b.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: x}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: m}\n',
    });
    expect(names).toEqual(['Deployment.apps/a.llm', 'Namespace/llm', 'Node/m']);
  });

  it('adds labels to objects, to templates, to selectors, as far as is asked for', async () => {
    const { field } = await load({
      'kustomization.yaml':
        'labels:\n  - pairs: {one: "1"}\n  - pairs: {two: "2"}\n    includeTemplates: true\n  - pairs: {three: "3"}\n    includeSelectors: true\nresources: [a.yaml]',
      'a.yaml': deployment('a'),
    });
    expect(field('Deployment.apps/a', 'metadata', 'labels')).toEqual({ one: '1', two: '2', three: '3' });
    expect(field('Deployment.apps/a', 'spec', 'template', 'metadata', 'labels')).toEqual({ app: 'a', two: '2', three: '3' });
    expect(field('Deployment.apps/a', 'spec', 'selector', 'matchLabels')).toEqual({ app: 'a', three: '3' });
  });

  it('adds to selectors that are there, and makes none where that would select less', async () => {
    const policy =
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p}\nspec: {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {app: a}}}]}]}\n';
    const { field } = await load({ 'kustomization.yaml': 'commonLabels: {env: prod}\nresources: [a.yaml]', 'a.yaml': policy });
    expect(field('NetworkPolicy.networking.k8s.io/p', 'spec')).toEqual({
      podSelector: {},
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'a', env: 'prod' } } }] }],
    });
  });

  it('adds annotations to objects and templates', async () => {
    const { field } = await load({ 'kustomization.yaml': 'commonAnnotations: {note: hi}\nresources: [a.yaml]', 'a.yaml': deployment('a') });
    expect(field('Deployment.apps/a', 'metadata', 'annotations')).toEqual({ note: 'hi' });
    expect(field('Deployment.apps/a', 'spec', 'template', 'metadata', 'annotations')).toEqual({ note: 'hi' });
  });

  it.each([
    ['{name: registry.example/a, newTag: "2"}', 'registry.example/a:2'],
    ['{name: registry.example/a, digest: "sha256:abc"}', 'registry.example/a@sha256:abc'],
    ['{name: registry.example/a, newName: other}', 'other:1'],
    ['{name: registry.example/a, newName: other, newTag: "2"}', 'other:2'],
    ['{name: registry.example, newTag: "2"}', 'registry.example/a:1'],
    ['{name: a, newTag: "2"}', 'registry.example/a:1'],
  ])('images: %s', async (entry, expected) => {
    const { field } = await load({ 'kustomization.yaml': `images: [${entry}]\nresources: [a.yaml]`, 'a.yaml': deployment('a') });
    expect(field('Deployment.apps/a', ...image)).toBe(expected);
  });

  it('sets replicas by name, and says when there is nothing of that name', async () => {
    const { field, problems } = await load({
      'kustomization.yaml': 'replicas: [{name: a, count: 0}, {name: b, count: 1}]\nresources: [a.yaml]',
      'a.yaml': deployment('a'),
    });
    expect(field('Deployment.apps/a', 'spec', 'replicas')).toBe(0);
    expect(problems).toEqual(['kustomization.yaml:1:33 replicas: nothing to scale is named b']);
  });
});

describe('a kustomization: patches', () => {
  const patched = (patches: string, more: Record<string, string> = {}) =>
    load({
      'kustomization.yaml': `resources: [a.yaml, b.yaml]\npatches:\n${patches}`,
      'a.yaml': deployment('a'),
      'b.yaml': deployment('b', 'llm'),
      ...more,
    });

  it('merges strategically by the name that the patch has', async () => {
    const { field, problems } = await patched('  - path: p.yaml', {
      'p.yaml':
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: server, command: [run]}]}}}',
    });
    expect(problems).toEqual([]);
    expect(field('Deployment.apps/a', 'spec', 'template', 'spec', 'containers', 0)).toMatchObject({
      image: 'registry.example/a:1',
      command: ['run'],
    });
    expect(field('Deployment.apps/b.llm', 'spec', 'template', 'spec', 'containers', 0)).not.toHaveProperty('command');
  });

  it('needs the namespace that the object was written with', async () => {
    const patch = (namespace: string) =>
      `  - patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: b${namespace}}, spec: {replicas: 5}}'`;
    expect((await patched(patch(''))).problems).toEqual([expect.stringContaining('no object that it applies to')]);
    expect((await patched(patch(', namespace: llm'))).field('Deployment.apps/b.llm', 'spec', 'replicas')).toBe(5);
  });

  it('applies a JSON Patch to everything that its target selects, by whole-value expressions', async () => {
    const json = (target: string) => `  - patch: '[{op: replace, path: /spec/replicas, value: 7}]'\n    target: ${target}`;
    const replicas = async (target: string) => {
      const { field } = await patched(json(target));
      return [field('Deployment.apps/a', 'spec', 'replicas'), field('Deployment.apps/b.llm', 'spec', 'replicas')];
    };
    expect(await replicas('{kind: Deployment}')).toEqual([7, 7]);
    expect(await replicas('{name: "[ab]"}')).toEqual([7, 7]);
    expect(await replicas('{kind: Deploy, name: a}')).toEqual([1, 1]);
    expect(await replicas('{namespace: llm}')).toEqual([1, 7]);
    expect(await replicas('{group: apps, version: v1, name: a}')).toEqual([7, 1]);
  });

  it('takes an object out', async () => {
    const { names } = await patched("  - patch: '{$patch: delete, apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}'");
    expect(names).toEqual(['Deployment.apps/b.llm']);
  });

  it.each([
    ["  - patch: '[{op: test, path: /spec/replicas, value: 9}]'\n    target: {name: a}", 'patch: testing value /spec/replicas failed'],
    ["  - patch: '[{op: remove, path: /spec/replicas}]'", 'patch: a JSON Patch needs a target'],
    ["  - patch: '[{op: move, from: /a, path: /b}]'\n    target: {name: a}", 'patch: operation move of JSON Patch is not supported here'],
    ["  - patch: ''", 'patch: the patch is empty'],
    ['  - path: gone.yaml', 'patch: ENOENT'],
    ['  - path: ../p.yaml', 'outside of the kustomization'],
    ['  - target: {name: a}', 'patch: one of path and patch is expected'],
    ["  - patch: 'a: [' ", 'patch, its line 1: not YAML'],
    ["  - patch: '{metadata: null}'\n    target: {name: a}", 'patch: the patch leaves no object'],
    ["  - patch: '{a: 1}'\n    target: {name: '['}", 'patch: Invalid regular expression'],
  ])('%s', async (patches, message) => {
    const { problems } = await patched(patches);
    expect(problems).toEqual([expect.stringMatching(/^kustomization\.yaml:3:\d+ /)]);
    expect(problems[0]).toContain(message);
  });
});

describe('a kustomization: generated ConfigMaps', () => {
  it('names them by their content, as kustomize does, and their users with them', async () => {
    const { names, field } = await load({
      'kustomization.yaml': 'configMapGenerator: [{name: settings, literals: [A=1]}]\nresources: [a.yaml]',
      'a.yaml': deployment('a'),
    });
    expect(names).toEqual(['Deployment.apps/a', 'ConfigMap/settings-89g4tffbfk']);
    expect(field('Deployment.apps/a', 'spec', 'template', 'spec', 'containers', 0, 'envFrom', 0, 'configMapRef', 'name')).toBe(
      'settings-89g4tffbfk',
    );
  });

  it.each([
    ['A=x', 'settings-9267k7dk58'],
    ['A=ü', 'settings-k7mgmgc9tg'],
    ['A=<&>', 'settings-6m27dc8tmg'],
  ])('names %s as kubectl 1.34 does', async (literal, name) => {
    expect((await load({ 'kustomization.yaml': `configMapGenerator: [{name: settings, literals: ['${literal}']}]` })).names).toEqual([
      `ConfigMap/${name}`,
    ]);
  });

  it('leaves users in other namespaces alone', async () => {
    const { field } = await load({
      'kustomization.yaml': 'configMapGenerator: [{name: settings, literals: [A=1]}]\nresources: [a.yaml]',
      'a.yaml': deployment('a', 'other'),
    });
    expect(field('Deployment.apps/a.other', 'spec', 'template', 'spec', 'containers', 0, 'envFrom', 0, 'configMapRef', 'name')).toBe(
      'settings',
    );
  });

  it('reads literals and files, takes quotes off, and merges the options', async () => {
    const { field } = await load({
      'kustomization.yaml': [
        'configMapGenerator:',
        '  - name: settings',
        `    literals: ['Q="a=b"', "HALF='x"]`,
        '    files: [conf.txt, other=conf.txt]',
        '    options: {labels: {own: "1"}}',
        'generatorOptions: {disableNameSuffixHash: true, labels: {own: "0", common: "1"}, immutable: true}',
      ].join('\n'),
      'conf.txt': 'hello\n',
    });
    expect(field('ConfigMap/settings', 'data')).toEqual({ Q: 'a=b', HALF: "'x", 'conf.txt': 'hello\n', other: 'hello\n' });
    expect(field('ConfigMap/settings', 'metadata', 'labels')).toEqual({ own: '1', common: '1' });
    expect(field('ConfigMap/settings', 'immutable')).toBe(true);
  });

  it.each([
    ['literals: [A=1, novalue]', 'literal 1 is not KEY=VALUE'],
    ['literals: [A=1, A=2]', 'key A a second time'],
    ['files: [gone.txt]', 'ENOENT'],
    ['files: [../x]', "outside of the kustomization's folder"],
    ['envs: [binary]', 'binary is no text'],
    ['envs: [conf]', 'line 2 of conf begins with no name of a variable'],
    ['behavior: merge', 'there is no ConfigMap of that name to merge'],
    ['behavior: replace', 'there is no ConfigMap of that name to replace'],
  ])('%s', async (source, message) => {
    const { problems } = await load({
      'kustomization.yaml': `configMapGenerator: [{name: s, ${source}}]`,
      binary: new Uint8Array([0xff, 0xfe, 0x00]),
      conf: 'A=1\n=2\n',
    });
    expect(problems).toEqual([expect.stringContaining(message)]);
  });
});

describe('a kustomization: prefixes, suffixes and who names whom', () => {
  it('renames through all layers, and what names the renamed follows', async () => {
    const { names, field, problems } = await load(
      {
        'base/kustomization.yaml': 'namePrefix: b-\nconfigMapGenerator: [{name: settings, literals: [A=1]}]\nresources: [a.yaml]',
        'base/a.yaml': deployment('a'),
        'over/kustomization.yaml': 'nameSuffix: -v2\nnamePrefix: o-\nresources: [../base]',
      },
      'over',
    );
    expect(problems).toEqual([]);
    expect(names).toEqual(['Deployment.apps/o-b-a-v2', 'ConfigMap/o-b-settings-v2-89g4tffbfk']);
    expect(field('Deployment.apps/o-b-a-v2', 'spec', 'template', 'spec', 'containers', 0, 'envFrom', 0, 'configMapRef', 'name')).toBe(
      'o-b-settings-v2-89g4tffbfk',
    );
  });

  it('takes patches and replicas by the old name and by the present one', async () => {
    const patch = (name: string, field: string) =>
      `{patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}}, spec: {${field}: 1}}'}`;
    const { field, problems } = await load(
      {
        'base/kustomization.yaml': 'namePrefix: b-\nresources: [a.yaml]',
        'base/a.yaml': deployment('a'),
        'over/kustomization.yaml': `resources: [../base]\npatches: [${patch('a', 'one')}, ${patch('b-a', 'two')}]\nreplicas: [{name: a, count: 7}]`,
      },
      'over',
    );
    expect(problems).toEqual([]);
    expect(field('Deployment.apps/b-a', 'spec')).toMatchObject({ one: 1, two: 1, replicas: 7 });
  });

  it('says that a reference could mean two, and leaves it alone', async () => {
    const settings = (prefix: string) => ({
      [`${prefix}/kustomization.yaml`]: `namePrefix: ${prefix}-\nconfigMapGenerator: [{name: settings, literals: [A=1]}]`,
    });
    const { field, problems } = await load({
      'kustomization.yaml': 'namePrefix: o-\nresources: [one, two, a.yaml]',
      'a.yaml': deployment('a'),
      ...settings('one'),
      ...settings('two'),
    });
    expect(problems).toEqual(['a.yaml:1:1 Deployment o-a names ConfigMap settings, which may be several']);
    expect(field('Deployment.apps/o-a', 'spec', 'template', 'spec', 'containers', 0, 'envFrom', 0, 'configMapRef', 'name')).toBe(
      'settings',
    );
  });

  it('moves the account that a RoleBinding names with it', async () => {
    const binding = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b}\n';
    const { field, problems } = await load({
      'kustomization.yaml': 'namespace: x\nresources: [a.yaml]',
      'a.yaml': `${binding}subjects: [{kind: ServiceAccount, name: s}, {kind: User, name: u}]\n---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s}\n`,
    });
    expect(problems).toEqual([]);
    expect(field('RoleBinding.rbac.authorization.k8s.io/b.x', 'subjects')).toEqual([
      { kind: 'ServiceAccount', name: 's', namespace: 'x' },
      { kind: 'User', name: 'u' },
    ]);
  });

  it('leaves out what is for this machine alone', async () => {
    const local = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l, annotations: {config.kubernetes.io/local-config: "true"}}\n';
    expect((await load({ 'kustomization.yaml': 'resources: [l.yaml]', 'l.yaml': local })).names).toEqual([]);
  });
});

describe('a kustomization: components', () => {
  const component = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n';

  it('change what is there, and what they add is changed with it', async () => {
    const { names, field, problems } = await load(
      {
        'k/kustomization.yaml': 'resources: [a.yaml]\ncomponents: [../c]\nnamePrefix: p-',
        'k/a.yaml': deployment('a'),
        'c/kustomization.yaml': `${component}resources: [b.yaml]\nreplicas: [{name: a, count: 5}]`,
        'c/b.yaml': deployment('b'),
      },
      'k',
    );
    expect(problems).toEqual([]);
    expect(names).toEqual(['Deployment.apps/p-a', 'Deployment.apps/p-b']);
    expect(field('Deployment.apps/p-a', 'spec', 'replicas')).toBe(5);
  });

  it.each([
    ['components: [../gone]', 'kustomization.yaml:1:14 cannot be read: ENOENT'],
    ['components: [https://example.com/c]', 'kustomization.yaml:1:14 https://example.com/c is remote'],
    ['components: [.]', 'kustomization.yaml:1:14 . leads back here'],
    ['components: [../plain]', 'plain/kustomization.yaml:1:1 the folder is expected to be a Component'],
  ])('%s', async (text, message) => {
    const { problems } = await load({ 'k/kustomization.yaml': text, 'plain/kustomization.yaml': 'resources: []' }, 'k');
    expect(problems).toEqual([expect.stringContaining(message)]);
  });
});

describe('a kustomization: generated Secrets', () => {
  it('are named as kustomize names them', async () => {
    const { names, field } = await load({ 'kustomization.yaml': 'secretGenerator: [{name: s, literals: [A=1]}]' });
    expect(names).toEqual(['Secret/s-526mcbf5c2']);
    expect(field('Secret/s-526mcbf5c2', 'data')).toEqual({ A: 'MQ==' });
    expect(field('Secret/s-526mcbf5c2', 'type')).toBe('Opaque');
  });

  it.each(['literals: [topsecret]', 'literals: [A=topsecret, A=topsecret]', 'envs: [bad]', 'literals: [A=topsecret], behavior: merge'])(
    'never stand in a complaint: %s',
    async (source) => {
      const { problems, objects } = await load({
        'kustomization.yaml': `secretGenerator: [{name: s, ${source}}]`,
        bad: 'OK=1\n?topsecret\n',
      });
      expect(objects).toEqual([]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).not.toContain('topsecret');
    },
  );
});

describe('a kustomization: replacements', () => {
  const replaced = (entry: string, more: Record<string, string> = {}) =>
    load({
      'kustomization.yaml': `resources: [a.yaml, b.yaml]\nreplacements:\n  - ${entry}`,
      'a.yaml': deployment('a'),
      'b.yaml': deployment('b', 'llm'),
      ...more,
    });
  const source = 'source: {kind: Deployment, name: a, fieldPath: spec.replicas}';

  it('copies a value, to lists and to parts of texts, and keeps the type of what was there', async () => {
    const { field, problems } = await replaced(
      `{${source}, targets: [{select: {name: b}, fieldPaths: ["spec.template.spec.containers.[name=server].image"], options: {delimiter: ":", index: 1}}, {select: {name: b}, fieldPaths: [spec.paused], options: {create: true}}]}`,
    );
    expect(problems).toEqual([]);
    expect(field('Deployment.apps/b.llm', ...image)).toBe('registry.example/b:1');
    expect(field('Deployment.apps/b.llm', 'spec', 'paused')).toBe(1);
    expect(field('Deployment.apps/a', 'spec', 'paused')).toBeUndefined();
  });

  it.each([
    [`{${source}, targets: [{select: {name: b}, fieldPaths: [spec.gone]}]}`, 'Deployment b has no spec.gone (options.create makes one)'],
    ['{source: {kind: Service}, targets: []}', 'no object is the source'],
    ['{source: {kind: Deployment}, targets: []}', '2 objects may be the source'],
    ['{source: {name: a, fieldPath: spec.x}, targets: []}', 'the source has no spec.x'],
    ['{targets: []}', 'one of source and sourceValue is expected'],
    ['{path: gone.yaml}', 'ENOENT'],
    ['{path: wrong.yaml}', 'wrong.yaml is neither a replacement nor a list of them'],
  ])('%s', async (entry, message) => {
    const { problems } = await replaced(entry, { 'wrong.yaml': 'a: 1' });
    expect(problems).toEqual([`kustomization.yaml:3:5 replacement: ${message}`].map((text) => expect.stringContaining(text)));
  });
});

describe('the fixture that is compared with kubectl', () => {
  it.each(['base', 'overlay', 'named', 'variant'])('builds without problems: %s', async (name) => {
    const { objects, problems } = await loadManifests(join(fixture, name));
    expect(problems).toEqual([]);
    expect(objects.length).toBeGreaterThan(10);
  });
});
