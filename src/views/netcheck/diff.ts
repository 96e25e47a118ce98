import { lossOf } from '../../network/diff/reach-diff.ts';
import type { BeforeApplyResult } from '../../operations/netcheck-before-apply.ts';
import type { DiffResult } from '../../operations/netcheck-diff.ts';
import { printable } from '../../terminal/printable.ts';
import type { Style } from '../../terminal/style.ts';
import { renderJson } from '../json.ts';
import { count } from '../text.ts';
import { groupDiff, type DiffGroup, type Effect } from './diff-groups.ts';
import { renderOrigin } from './origin.ts';
import { nameList } from './peer-list.ts';
import { renderNote } from './query.ts';

export const diffFormats = ['json', 'markdown'] as const;

type AnyDiff = DiffResult | BeforeApplyResult;

export const renderDiff = (raw: AnyDiff, format: (typeof diffFormats)[number] | undefined, style: Style): string => {
  if (format === 'json') return renderJson(raw);
  const result = printable(raw);
  return format === 'markdown' ? renderMarkdown(result) : renderText(result, style);
};

const renderText = (result: AnyDiff, style: Style): string => {
  const sections = [
    [
      `${headline(result, style)}  ${style.strong(subject(result))}`,
      ...(result.kind === 'beforeApply' ? [renderOrigin(result.source)] : []),
    ],
    ...groupDiff(result).map((group) => groupLines(group, result, style)),
    withoutEffect(result),
    result.dependsOn.map((on) => `${style.caution('depends on')} ${on}`),
    result.notes.map((note) => renderNote(note, style)),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
};

const subject = (result: AnyDiff): string =>
  result.kind === 'diff' ? `${result.before.name} -> ${result.after.name}` : `if ${result.file} were applied`;

const headline = (result: AnyDiff, style: Style): string => {
  const text = headlineText(result);
  const loss = lossOf(result);
  if (loss === 'lost') return style.bad(`✖ ${text}`);
  return loss === 'unknown' || result.dependsOn.length > 0 ? style.caution(`? ${text}`) : style.good(`✔ ${text}`);
};

const headlineText = (result: AnyDiff): string => {
  const { removed, changed, added } = result;
  const gained = added.length > 0 || changed.length > 0;
  switch (lossOf(result)) {
    case 'lost':
      return `${count([...removed, ...changed].filter(({ endChanged }) => !endChanged).length, 'pair')} with lost ports`;
    case 'unknown':
      return 'some ports may be lost';
    case 'none':
      return gained
        ? 'nobody lost a port, some gained'
        : removed.length > 0
          ? 'nobody who stays lost a port'
          : 'nobody gained or lost a port';
  }
};

const groupLines = ({ because, effects }: DiffGroup, { changes }: AnyDiff, style: Style): readonly string[] => [
  ...because.flatMap((text) => {
    const change = changes.find((candidate) => candidate.text === text);
    const place = change?.source === undefined ? '' : `  ${style.faint(change.source)}`;
    return [
      `${style.strong(text)}${place}`,
      ...(change?.firstFor ?? []).map((who) => `  the first policy of ${who}: every port was open until now`),
    ];
  }),
  ...effects.flatMap((effect) => effectLines(effect, style)),
];

const effectLines = ({ lost, ports, from, to }: Effect, style: Style): readonly string[] => [
  `  ${lost ? style.bad('✖ lost') : style.caution('+ gained')} ${ports}: ${nameList(from)}`,
  `      -> ${nameList(to)}`,
];

const withoutEffect = ({ changes }: AnyDiff): readonly string[] => {
  const silent = changes.filter(({ hasEffect }) => !hasEffect).map(({ text }) => text);
  return silent.length === 0 ? [] : ['changes that nobody who is here notices', ...silent.map((text) => `  ${text}`)];
};

/** For a review comment. Source: GitHub Flavored Markdown. */
const renderMarkdown = (result: AnyDiff): string => {
  const groups = groupDiff(result);
  const lines = [
    `**${inline(headlineText(result))}** (${code(subject(result))})`,
    ...(groups.length === 0 ? [] : ['', '| | ports | from | to | because of |', '|---|---|---|---|---|']),
    ...groups.flatMap(({ because, effects }) =>
      effects.map(({ lost, ports, from, to }) =>
        row([lost ? '➖ lost' : '➕ gained', ports, names(from), names(to), because.map((text) => cause(text, result)).join('<br>')]),
      ),
    ),
    ...result.changes.flatMap(({ firstFor }) => firstFor.map((who) => `\nFirst policy of ${code(who)}: every port was open until now.`)),
    ...result.dependsOn.map((on) => `\nDepends on ${inline(on)}.`),
    ...result.notes.map(({ text }) => `\n${inline(text)}`),
  ];
  return `${lines.join('\n')}\n`;
};

const cause = (text: string, { changes }: AnyDiff): string => {
  const source = changes.find((change) => change.text === text)?.source;
  return `${inline(text)}${source === undefined ? '' : ` (${code(source)})`}`;
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const names = (ids: readonly string[]): string => {
  const shown = nameList(ids);
  return ids.length <= 1 ? code(shown) : inline(shown);
};

const code = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll('|', String.raw`\|`)}\``;

const inline = (text: string): string => text.replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`).replaceAll('\n', ' ');
