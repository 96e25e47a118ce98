import { describe, expect, it } from 'vitest';
import { lint } from '../../src/operations/lint.ts';
import { folderOf } from '../builders/folder.ts';
import { contextIn, repository } from './context.ts';

const linesOf = async (files: Readonly<Record<string, string>>, ...paths: readonly string[]): Promise<readonly string[]> => {
  const { diagnostics } = await lint(paths, contextIn(await folderOf(files)));
  return diagnostics.map(
    ({ file, line, column, severity, code, excerpt }) => `${file}:${line}:${column} ${severity} ${code}: ${excerpt.trim()}`,
  );
};

const policy = (name: string, rest: string): string =>
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: ${name}\n  namespace: shop\nspec:\n${rest}`;

const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n';

describe('lint', () => {
  it('has nothing against what is shipped', async () => {
    const { diagnostics, files } = await lint(['runbooks', 'examples/llm-serving'], contextIn(repository));
    expect(diagnostics).toEqual([]);
    expect(files).toContain('examples/llm-serving/llm-serving-ingress.yaml');
  });

  it('tells in manifests what a server refuses, what it drops, what readers of YAML disagree about, and what policies do not mean', async () => {
    const found = await linesOf(
      {
        'k8s/a.yaml': policy('refused', '  ingress:\n    - ports: [{port: 70000}]\n'),
        'k8s/b.yaml': policy('odd', '  podselector: {}\n  policyTypes: [Ingress]\n  egress: [{}]\n'),
        'k8s/c.yaml': `${namespace}data:\n  on: 0644\n`,
        'k8s/d.yaml': 'a: [',
        'k8s/e.yaml': namespace,
      },
      'k8s',
    );
    expect(found).toEqual([
      'k8s/a.yaml:8:22 error PolicyRefused: - ports: [{port: 70000}]',
      'k8s/b.yaml:7:16 warning UnknownField: podselector: {}',
      'k8s/b.yaml:9:11 warning RulesWithoutEffect: egress: [{}]',
      'k8s/c.yaml:6:3 warning AmbiguousYaml: on: 0644',
      'k8s/c.yaml:6:7 warning AmbiguousYaml: on: 0644',
      expect.stringContaining('k8s/d.yaml:1:'),
      expect.stringContaining('k8s/e.yaml:4:9 error ManifestUnusable'),
    ]);
  });

  it('reads one manifest, and a kustomization with what it names', async () => {
    const files = {
      'k8s/kustomization.yaml': 'resources: [base/a.yaml]\n',
      'k8s/base/a.yaml': policy('p', '  policyTypes: [Egress]\n  ingress: [{}]\n'),
    };
    expect(await linesOf(files, 'k8s')).toEqual(['k8s/base/a.yaml:8:12 warning RulesWithoutEffect: ingress: [{}]']);
    expect(await linesOf(files, 'k8s/base/a.yaml')).toEqual(['k8s/base/a.yaml:8:12 warning RulesWithoutEffect: ingress: [{}]']);
  });

  it('takes what does not say what it is for a runbook, as before', async () => {
    const { diagnostics } = await lint(['x.yaml'], contextIn(await folderOf({ 'x.yaml': 'steps: []\n' })));
    expect(diagnostics.map(({ severity }) => severity)).toContain('error');
    expect(diagnostics.some(({ code }) => code === 'ManifestUnusable')).toBe(false);
  });

  it('says of a path that is not there that it cannot be read', async () => {
    await expect(lint(['nowhere'], contextIn(await folderOf({})))).rejects.toMatchObject({ code: 'PathUnreadable' });
  });
});
