import { connectionsOf } from '../../network/matrix/matrix.ts';
import type { MatrixResult } from '../../operations/netcheck-matrix.ts';
import { printable } from '../../terminal/printable.ts';
import type { Style } from '../../terminal/style.ts';
import { renderJson } from '../json.ts';
import { renderOrigin } from './origin.ts';
import { renderDot, renderMermaid } from './matrix-graph.ts';
import { createPeerList, nameList } from './peer-list.ts';
import { openPortsText } from './ports-text.ts';
import { renderNote } from './query.ts';

export const matrixFormats = ['json', 'dot', 'mermaid'] as const;

/** In parts, which together are the text: a thousand workloads may have a million connections, more than one string can hold. */
export const renderMatrix = (result: MatrixResult, format: (typeof matrixFormats)[number] | undefined, style: Style): Iterable<string> => {
  switch (format) {
    case 'json':
      return renderMatrixJson(result);
    case 'dot':
      return renderDot(printable(result));
    case 'mermaid':
      return renderMermaid(printable(result));
    case undefined:
      return [renderTable(printable(result), style)];
  }
};

function* renderMatrixJson({ kind, source, port, peers, groups, dependsOn, notes }: MatrixResult): Generator<string> {
  const mark = '"connections": []';
  const frame = renderJson({ kind, source, ...(port === undefined ? {} : { port }), peers, connections: [], dependsOn, notes });
  const [head = '', ...rest] = frame.split(mark);
  yield `${head}"connections": [`;
  let separator = '\n';
  for (const connection of connectionsOf({ peers, groups })) {
    yield separator + renderJson(connection).trimEnd().replaceAll(/^/gm, '    ');
    separator = ',\n';
  }
  yield `${separator === '\n' ? '' : '\n  '}]${rest.join(mark)}`;
}

/**
 * ```
 * poimen/poimen-memory[Deployment]
 *   -> llm-serving/*                       TCP 8080
 * ```
 */
const renderTable = (result: MatrixResult, style: Style): string => {
  const { peers, groups, port, source, dependsOn, notes } = result;
  const list = createPeerList(peers);
  const rows = groups.map(({ from, to }) => ({
    from: list(from),
    to: to.map((row) => ({ peers: list(row.peers), ports: openPortsText(row.ports) })),
  }));
  const width = Math.min(60, Math.max(0, ...rows.flatMap(({ to }) => to.map((row) => row.peers.length))));
  const sections = [
    [
      style.strong(`who reaches whom${port === undefined ? '' : ` on ${port.protocol} ${port.port}`}, on the pods' ports`),
      renderOrigin(source),
    ],
    ...rows.map(({ from, to }) => [style.strong(from), ...to.map((row) => `  -> ${row.peers.padEnd(width)}  ${row.ports}`)]),
    silent(result),
    dependsOn.map((on) => `${style.caution('depends on')} ${on}`),
    notes.map((note) => renderNote(note, style)),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
};

/** Who stands in no row. */
const silent = ({ peers, groups }: MatrixResult): readonly string[] => {
  const clients = new Set(groups.flatMap(({ from }) => from));
  const mute = peers.filter(({ id, kind }) => kind !== 'Addresses' && !clients.has(id)).map(({ id }) => id);
  return mute.length === 0 ? [] : [`reach nobody: ${nameList(mute)}`];
};
