import { describe, expect, it } from 'vitest';
import { netcheck, netcheckOnlyFrom } from '../../src/operations/netcheck.ts';
import { netcheckBeforeApply } from '../../src/operations/netcheck-before-apply.ts';
import { netcheckMatrix, outcomeOfMatrix } from '../../src/operations/netcheck-matrix.ts';
import { folderOf } from '../builders/folder.ts';
import { contextIn } from './context.ts';

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: main, image: x}]}
`;
const web = `${deployment('web')}---\n${deployment('till')}`;

const folder = async (files: Record<string, string>) => {
  const path = await folderOf({ 'web.yaml': web, ...files });
  return { context: contextIn(path), source: { kind: 'manifests', path: '.' } as const };
};
const ask = async (files: Record<string, string>) => {
  const { context, source } = await folder(files);
  return netcheck({ source, from: 'deploy/till.shop', to: 'deploy/web.shop', port: 80, fix: false }, context);
};

describe('netcheck of a folder in which something cannot be read', () => {
  it.each([
    ['what is no YAML', 'a: ['],
    ['a template', 'kind: {{ .Values.kind }}'],
    ['a policy without a name', 'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec: {}\n'],
  ])('depends on %s, which may be a policy', async (_what, text) => {
    const { verdict, ingress, notes } = await ask({ 'policy.yaml': text });
    expect({ verdict, dependsOn: ingress?.dependsOn }).toEqual({
      verdict: 'depends',
      dependsOn: [expect.stringMatching(/^policy\.yaml:\d+, which cannot be read$/)],
    });
    expect(notes.filter(({ code }) => code === 'NotRead')).toHaveLength(1);
    expect(notes.map(({ code }) => code)).not.toContain('NoPolicies');
  });

  it.each([
    ['no object at all', 'replicas: 2\n', 'allowed'],
    ['an object of another kind', 'apiVersion: v1\nkind: ConfigMap\n', 'allowed'],
    [
      'a policy that a server would refuse',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: p, namespace: shop}\nspec: {podSelector: []}\n',
      'allowed',
    ],
  ])('is told of %s, and judges the rest', async (_what, text, verdict) => {
    const answer = await ask({ 'other.yaml': text });
    expect(answer.verdict).toBe(verdict);
    expect(answer.notes.map((note) => `${note.code} ${note.text}`)).toContainEqual(expect.stringMatching(/^NotUsed other\.yaml:\d+: /));
  });

  it('leaves a matrix open, and what an apply would do', async () => {
    const { context, source } = await folder({ 'policy.yaml': 'a: [' });
    const matrix = await netcheckMatrix({ source }, context);
    expect([matrix.dependsOn, outcomeOfMatrix(matrix)]).toEqual([['policy.yaml:1, which cannot be read'], 'unknown']);
    const whole = await folder({ 'applied/a.yaml': `${deployment('new')}---\nb: [` });
    const { dependsOn } = await netcheckBeforeApply({ source: whole.source, file: 'applied' }, whole.context);
    expect(dependsOn).toEqual([expect.stringMatching(/^applied\/a\.yaml:\d+, which cannot be read$/)]);
  });
});

describe('netcheck --only-from', () => {
  it('warns of the policies that it went by, once', async () => {
    const { context, source } = await folder({
      'policy.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Ingress]
  ingress: [{from: [{podSelector: {matchLabels: {app: till}}}]}]
  egress: [{}]
`,
    });
    const { verdict, notes } = await netcheckOnlyFrom(
      { source, only: ['deploy/till.shop', 'app=till,ns=shop'], to: 'deploy/web.shop', port: 80 },
      context,
    );
    expect(verdict).toBe('yes');
    expect(notes.filter(({ code }) => code === 'RulesWithoutEffect').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^policy\.yaml:\d+: shop\/web: egress rules without effect/),
    ]);
  });
});
