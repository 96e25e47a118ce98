import { describe, expect, it } from 'vitest';
import type { PairChange } from '../../../src/network/diff/reach-diff.ts';
import type { DiffResult } from '../../../src/operations/netcheck-diff.ts';
import type { ChangedPorts } from '../../../src/network/matrix/open-ports.ts';
import { plainStyle } from '../../../src/terminal/style.ts';
import { renderDiff } from '../../../src/views/netcheck/diff.ts';
import { netcheckDocument } from '../../../src/views/netcheck/json-schema.ts';

const tcp = (from: number, before: ChangedPorts['before'], after: ChangedPorts['after']): ChangedPorts => ({
  protocol: 'TCP',
  from,
  to: from,
  before,
  after,
});
const pair = (from: string, to: string, ...ports: readonly ChangedPorts[]): PairChange => ({
  from,
  to,
  ports,
  because: ['NetworkPolicy a/p: ingress rule 0 edited'],
  endChanged: false,
});

const empty: DiffResult = {
  kind: 'diff',
  before: { kind: 'manifests', name: 'old' },
  after: { kind: 'manifests', name: 'new' },
  added: [],
  removed: [],
  changed: [],
  changes: [],
  dependsOn: [],
  notes: [],
};

const changes = [
  { text: 'NetworkPolicy a/p: ingress rule 0 edited', source: 'new/p.yaml:7', hasEffect: true, firstFor: [] },
  { text: 'NetworkPolicy a/q added', source: 'new/q.yaml:1', hasEffect: false, firstFor: ['a/z[Pod] for egress'] },
];

describe('a diff', () => {
  it('puts what one change did together: losses first, pairs with the same ports once', () => {
    const changed = ['a/x[Pod]', 'a/y[Pod]'].flatMap((from) =>
      ['b/s[Pod]', 'b/t[Pod]'].map((to) => pair(from, to, tcp(80, 'allowed', 'denied'), tcp(81, 'denied', 'allowed'))),
    );
    expect(renderDiff({ ...empty, changed, changes }, undefined, plainStyle)).toBe(`✖ 4 pairs with lost ports  old -> new

NetworkPolicy a/p: ingress rule 0 edited  new/p.yaml:7
  ✖ lost TCP 80: a/x[Pod], a/y[Pod]
      -> b/s[Pod], b/t[Pod]
  + gained TCP 81: a/x[Pod], a/y[Pod]
      -> b/s[Pod], b/t[Pod]

changes that nobody who is here notices
  NetworkPolicy a/q added
`);
  });

  it('says when a port is not simply open or shut', () => {
    const changed = [pair('a/x[Pod]', 'b/s[Pod]', tcp(80, 'allowed', 'depends'))];
    expect(renderDiff({ ...empty, changed }, undefined, plainStyle)).toBe(`? some ports may be lost  old -> new

NetworkPolicy a/p: ingress rule 0 edited
  ✖ lost TCP 80 (open before, depends now): a/x[Pod]
      -> b/s[Pod]
`);
  });

  it('says that nothing changed', () => {
    expect(renderDiff(empty, undefined, plainStyle)).toBe('✔ nobody gained or lost a port  old -> new\n');
  });

  it('names the first few of many', () => {
    const removed = Array.from({ length: 9 }, (_, index) => pair(`a/x${index}[Pod]`, 'b/s[Pod]', tcp(80, 'allowed', 'denied')));
    expect(renderDiff({ ...empty, removed }, undefined, plainStyle)).toContain(
      'lost TCP 80: a/x0[Pod], a/x1[Pod], a/x2[Pod], a/x3[Pod], a/x4[Pod] and 4 more\n',
    );
  });

  it('as JSON follows the published schema', () => {
    const document: unknown = JSON.parse(
      renderDiff({ ...empty, removed: [pair('a/x[Pod]', 'b/s[Pod]', tcp(80, 'allowed', 'denied'))], changes }, 'json', plainStyle),
    );
    expect(netcheckDocument.parse(document)).toEqual(document);
  });

  it('as Markdown cannot be broken by names', () => {
    const removed = [{ ...pair('a/x|<b>[Pod]', 'b/s[Pod]', tcp(80, 'allowed', 'denied')), because: ['`x` | *y*'] }];
    const lines = renderDiff({ ...empty, removed }, 'markdown', plainStyle).split('\n');
    expect(lines[4]).toBe(String.raw`| ➖ lost | TCP 80 | ${'`'}a/x\|<b>[Pod]${'`'} | ${'`'}b/s[Pod]${'`'} | \`x\` \| \*y\* |`);
  });
});
