import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { netcheckBeforeApply } from '../../src/operations/netcheck-before-apply.ts';
import { netcheckDiff, outcomeOfDiff } from '../../src/operations/netcheck-diff.ts';
import { connectionsOf } from '../../src/network/matrix/matrix.ts';
import { netcheckMatrix } from '../../src/operations/netcheck-matrix.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { renderDiff } from '../../src/views/netcheck/diff.ts';
import { renderMatrix } from '../../src/views/netcheck/matrix.ts';
import { folderOf } from '../builders/folder.ts';
import { contextIn, repository } from './context.ts';

vi.setConfig({ testTimeout: 60_000 }); // the cores may be busy with other files

const example = join(repository, 'examples/llm-serving');

/** `old` and `new`, copies of the example; in `new` the rule for 8080 from namespace poimen is deleted, and nothing else. */
const incident = async (): Promise<string> => {
  const folder = await folderOf({});
  await cp(example, join(folder, 'old'), { recursive: true });
  await cp(example, join(folder, 'new'), { recursive: true });
  const file = join(folder, 'new/llm-serving-ingress.yaml');
  const text = await readFile(file, 'utf8');
  const rule = text.slice(text.indexOf('    # The clients in'), text.indexOf('    # The pods of this namespace among'));
  expect(rule).toContain('port: 8080');
  await writeFile(file, text.replace(rule, ''));
  return folder;
};

describe('the change that went unnoticed for 34 days: one ingress rule deleted', () => {
  it('is found by whom it hits, on which port, and by which rule', async () => {
    const result = await netcheckDiff({ before: 'old', after: 'new' }, contextIn(await incident()));
    expect(outcomeOfDiff(result)).toBe('no');
    expect(renderDiff(result, undefined, plainStyle)).toBe(`✖ 8 pairs with lost ports  old -> new

NetworkPolicy llm-serving/llm-serving-ingress: ingress rule 0 removed  old/llm-serving-ingress.yaml:16
  ✖ lost TCP 8080: poimen/poimen-graphql[Deployment], poimen/poimen-memory[Deployment]
      -> llm-serving/clef-candle[Deployment], llm-serving/clef-serve[Deployment], llm-serving/coder-predictor[Deployment], llm-serving/reasoning-predictor[Deployment]

caution: new/poimen-memory-llm-egress.yaml:15: poimen/poimen-memory-llm-egress: one half of a path: this lets out to llm-serving/clef-candle[Deployment] and 3 more, and llm-serving/llm-serving-ingress isolates the pod and has no rule for pod poimen/poimen-memory on TCP 8080 (both halves have to be open: netcheck FROM TO --fix prints the rule that is missing)
`);
  });

  it('is a row of a review comment', async () => {
    const result = await netcheckDiff({ before: 'old', after: 'new' }, contextIn(await incident()));
    const [headline, , , , row] = renderDiff(result, 'markdown', plainStyle).split('\n');
    expect(headline).toBe('**8 pairs with lost ports** (`old -> new`)');
    expect(row).toBe(
      String.raw`| ➖ lost | TCP 8080 | poimen/poimen-graphql\[Deployment\], poimen/poimen-memory\[Deployment\] | llm-serving/clef-candle\[Deployment\], llm-serving/clef-serve\[Deployment\], llm-serving/coder-predictor\[Deployment\], llm-serving/reasoning-predictor\[Deployment\] | NetworkPolicy llm-serving/llm-serving-ingress: ingress rule 0 removed (${'`old/llm-serving-ingress.yaml:16`'}) |`,
    );
  });

  it('is a gain the other way round, and a yes', async () => {
    const result = await netcheckDiff({ before: 'new', after: 'old' }, contextIn(await incident()));
    expect(result.added).toHaveLength(8);
    expect([result.removed, result.changed, outcomeOfDiff(result)]).toEqual([[], [], 'done']);
  });

  it('is seen before it is applied', async () => {
    const context = contextIn(await incident());
    const source = { kind: 'manifests' as const, path: 'old' };
    const result = await netcheckBeforeApply({ source, file: 'new/llm-serving-ingress.yaml' }, context);
    expect(result.removed).toHaveLength(8);
    expect(result.changes).toMatchObject([{ text: 'NetworkPolicy llm-serving/llm-serving-ingress: ingress rule 0 removed' }]);
    expect(outcomeOfDiff(result)).toBe('no');
  });
});

describe('who reaches whom in the example', () => {
  it('fits on a page', async () => {
    const result = await netcheckMatrix({ source: { kind: 'manifests', path: 'examples/llm-serving' } }, contextIn(repository));
    expect([...renderMatrix(result, undefined, plainStyle)].join('')).toBe(`who reaches whom, on the pods' ports
in the manifests of examples/llm-serving

llm-serving/*, poimen/poimen-graphql[Deployment]
  -> llm-serving/*                      TCP 8080
  -> poimen/*, all addresses outside    all ports

poimen/poimen-memory[Deployment]
  -> llm-serving/*                      TCP 8080
  -> poimen/poimen-graphql[Deployment]  TCP 8090

all addresses outside
  -> poimen/*                           all ports
`);
  });

  it('is narrowed to a port', async () => {
    const result = await netcheckMatrix({ source: { kind: 'manifests', path: 'examples/llm-serving' }, port: 8090 }, contextIn(repository));
    const connections = [...connectionsOf(result)];
    const toModels = connections.filter(({ to }) => to.startsWith('llm-serving/'));
    expect(toModels).toEqual([]);
    expect(connections).toContainEqual({
      from: 'poimen/poimen-memory[Deployment]',
      to: 'poimen/poimen-graphql[Deployment]',
      ports: [{ protocol: 'TCP', from: 8090, to: 8090, verdict: 'allowed' }],
    });
  });
});

describe('folders that are not as they should be', () => {
  const workload = `apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: x}
spec: {template: {metadata: {labels: {app: a}}, spec: {containers: []}}}
`;

  it('without policies: everything is open, and the answer says why', async () => {
    const folder = await folderOf({ 'a.yaml': workload });
    const result = await netcheckMatrix({ source: { kind: 'manifests', path: '.' } }, contextIn(folder));
    expect([...connectionsOf(result)]).toHaveLength(4);
    expect(result.notes).toMatchObject([{ code: 'NoPolicies' }]);
  });

  it('with a policy that an API server refuses: said, with its place, and the rest is answered', async () => {
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: p, namespace: x}
spec:
  ingress:
    - ports:
        - endPort: 80
`;
    const folder = await folderOf({ 'a.yaml': workload, 'p.yaml': policy });
    const result = await netcheckMatrix({ source: { kind: 'manifests', path: '.' } }, contextIn(folder));
    expect([...connectionsOf(result)]).toHaveLength(4);
    expect(result.notes.map(({ text }) => text)).toEqual([
      'there is no policy in .: every port is open',
      'p.yaml:7: NetworkPolicy p: endPort without a numeric port; left out (give the first port of the range as a number)',
    ]);
  });

  it('with nothing in them: a usage error', async () => {
    const folder = await folderOf({ 'README.md': '' });
    await expect(netcheckMatrix({ source: { kind: 'manifests', path: '.' } }, contextIn(folder))).rejects.toMatchObject({
      code: 'ManifestsUnusable',
      outcome: 'usage',
    });
  });
});
