import type { MatrixPeer } from '../../network/matrix/matrix.ts';
import type { MatrixResult } from '../../operations/netcheck-matrix.ts';
import { openPortsText } from './ports-text.ts';

/** Graphviz: a cluster a namespace, an arrow a connection. Source: Graphviz, "DOT Language". */
export const renderDot = (result: MatrixResult): string => {
  const lines = [
    'digraph netcheck {',
    '  rankdir=LR; node [shape=box];',
    ...namespaces(result.peers).flatMap(([namespace, peers], index) => [
      ...(namespace === '' ? [] : [`  subgraph "cluster_${index}" { label=${dotText(namespace)};`]),
      ...peers.map(({ id, kind, name }) => `    ${dotText(id)} [label=${dotText(namespace === '' ? name : `${name}\n${kind}`)}];`),
      ...(namespace === '' ? [] : ['  }']),
    ]),
    ...result.connections.map(({ from, to, ports }) => `  ${dotText(from)} -> ${dotText(to)} [label=${dotText(openPortsText(ports))}];`),
    '}',
  ];
  return `${lines.join('\n')}\n`;
};

const dotText = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)}"`;

/** Source: Mermaid, "Flowcharts - Basic Syntax", "Entity codes to escape characters". */
export const renderMermaid = (result: MatrixResult): string => {
  const nodes = new Map(result.peers.map(({ id }, index) => [id, `n${index}`]));
  const lines = [
    'flowchart LR',
    ...namespaces(result.peers).flatMap(([namespace, peers], index) => [
      ...(namespace === '' ? [] : [`  subgraph s${index} ["${mermaidText(namespace)}"]`]),
      ...peers.map(({ id, name, kind }) => `    ${nodes.get(id) ?? ''}["${mermaidText(namespace === '' ? name : `${name} (${kind})`)}"]`),
      ...(namespace === '' ? [] : ['  end']),
    ]),
    ...result.connections.map(
      ({ from, to, ports }) => `  ${nodes.get(from) ?? ''} -->|"${mermaidText(openPortsText(ports))}"| ${nodes.get(to) ?? ''}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
};

const mermaidText = (text: string): string =>
  text.replaceAll('#', '#35;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;');

const namespaces = (peers: readonly MatrixPeer[]): readonly (readonly [string, readonly MatrixPeer[]])[] => [
  ...Map.groupBy(peers, ({ namespace }) => namespace),
];
