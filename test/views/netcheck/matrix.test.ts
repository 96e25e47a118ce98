import { describe, expect, it } from 'vitest';
import type { MatrixResult } from '../../../src/operations/netcheck-matrix.ts';
import type { OpenPorts } from '../../../src/network/matrix/open-ports.ts';
import { plainStyle } from '../../../src/terminal/style.ts';
import { netcheckDocument } from '../../../src/views/netcheck/json-schema.ts';
import { renderMatrix } from '../../../src/views/netcheck/matrix.ts';

const http: readonly OpenPorts[] = [{ protocol: 'TCP', from: 80, to: 80, verdict: 'allowed' }];
const mixed: readonly OpenPorts[] = [
  { protocol: 'TCP', from: 1, to: 65_535, verdict: 'mixed' },
  { protocol: 'UDP', from: 53, to: 54, verdict: 'depends' },
];

const result: MatrixResult = {
  kind: 'matrix',
  source: { kind: 'manifests', name: 'k8s' },
  peers: [
    { id: 'a/x[Deployment]', namespace: 'a', name: 'x', kind: 'Deployment', pods: 2, templateOnly: true },
    { id: 'a/y[Pod]', namespace: 'a', name: 'y', kind: 'Pod', pods: 1, templateOnly: false },
    { id: '10.0.0.0-10.0.0.255', namespace: '', name: '10.0.0.0-10.0.0.255', kind: 'Addresses', templateOnly: false },
  ],
  groups: [
    { from: ['a/x[Deployment]'], to: [{ peers: ['a/y[Pod]'], ports: http }] },
    { from: ['10.0.0.0-10.0.0.255'], to: [{ peers: ['a/x[Deployment]'], ports: mixed }] },
  ],
  dependsOn: ['CiliumNetworkPolicy a/c, not evaluated'],
  notes: [],
};

const rendered = (format: Parameters<typeof renderMatrix>[1]): string => [...renderMatrix(result, format, plainStyle)].join('');

describe('a matrix', () => {
  it('for people: who is silent, and what it depends on', () => {
    expect(rendered(undefined)).toBe(`who reaches whom, on the pods' ports
in the manifests of k8s

a/x[Deployment]
  -> a/y[Pod]         TCP 80

all addresses outside
  -> a/x[Deployment]  between some pods: TCP all; depends: UDP 53-54

reach nobody: a/y[Pod]

depends on CiliumNetworkPolicy a/c, not evaluated
`);
  });

  it('as JSON follows the published schema, without what is for people only', () => {
    const document: unknown = JSON.parse(rendered('json'));
    expect(netcheckDocument.parse(document)).toEqual(document);
    expect(document).not.toHaveProperty('groups');
  });

  it('for Graphviz', () => {
    expect(rendered('dot')).toBe(`digraph netcheck {
  rankdir=LR; node [shape=box];
  subgraph "cluster_0" { label="a";
    "a/x[Deployment]" [label="x\\nDeployment"];
    "a/y[Pod]" [label="y\\nPod"];
  }
    "10.0.0.0-10.0.0.255" [label="10.0.0.0-10.0.0.255"];
  "a/x[Deployment]" -> "a/y[Pod]" [label="TCP 80"];
  "10.0.0.0-10.0.0.255" -> "a/x[Deployment]" [label="between some pods: TCP all; depends: UDP 53-54"];
}
`);
  });

  it('for Mermaid', () => {
    expect(rendered('mermaid')).toBe(`flowchart LR
  subgraph s0 ["a"]
    n0["x (Deployment)"]
    n1["y (Pod)"]
  end
    n2["10.0.0.0-10.0.0.255"]
  n0 -->|"TCP 80"| n1
  n2 -->|"between some pods: TCP all; depends: UDP 53-54"| n0
`);
  });
});
