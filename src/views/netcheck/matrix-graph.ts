import { connectionsOf, type MatrixPeer } from '../../network/matrix/matrix.ts';
import type { MatrixResult } from '../../operations/netcheck-matrix.ts';
import { openPortsText } from './ports-text.ts';

/** Graphviz: a cluster a namespace, an arrow a connection. Source: Graphviz, "DOT Language". */
export function* renderDot(result: MatrixResult): Generator<string> {
  yield 'digraph netcheck {\n  rankdir=LR; node [shape=box];\n';
  for (const [index, [namespace, peers]] of namespaces(result.peers).entries()) {
    if (namespace !== '') yield `  subgraph "cluster_${index}" { label=${dotText(namespace)};\n`;
    for (const { id, kind, name } of peers) yield `    ${dotText(id)} [label=${dotText(namespace === '' ? name : `${name}\n${kind}`)}];\n`;
    if (namespace !== '') yield '  }\n';
  }
  for (const { from, to, ports } of connectionsOf(result))
    yield `  ${dotText(from)} -> ${dotText(to)} [label=${dotText(openPortsText(ports))}];\n`;
  yield '}\n';
}

const dotText = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`;

/** Source: Mermaid, "Flowcharts - Basic Syntax", "Entity codes to escape characters". */
export function* renderMermaid(result: MatrixResult): Generator<string> {
  const nodes = new Map(result.peers.map(({ id }, index) => [id, `n${index}`]));
  yield 'flowchart LR\n';
  for (const [index, [namespace, peers]] of namespaces(result.peers).entries()) {
    if (namespace !== '') yield `  subgraph s${index} ["${mermaidText(namespace)}"]\n`;
    for (const { id, name, kind } of peers)
      yield `    ${nodes.get(id) ?? ''}["${mermaidText(namespace === '' ? name : `${name} (${kind})`)}"]\n`;
    if (namespace !== '') yield '  end\n';
  }
  for (const { from, to, ports } of connectionsOf(result))
    yield `  ${nodes.get(from) ?? ''} -->|"${mermaidText(openPortsText(ports))}"| ${nodes.get(to) ?? ''}\n`;
}

const mermaidText = (text: string): string =>
  text.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;');

const namespaces = (peers: readonly MatrixPeer[]): readonly (readonly [string, readonly MatrixPeer[]])[] => [
  ...Map.groupBy(peers, ({ namespace }) => namespace),
];
