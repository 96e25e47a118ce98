import type { OnlyFromResult } from '../../operations/netcheck.ts';
import type { OtherClient } from '../../network/query/only-from.ts';
import type { Style } from '../../terminal/style.ts';
import { renderOrigin } from './origin.ts';
import { verdictText } from './path.ts';
import { renderNote } from './query.ts';

/** Whether nobody else reaches the port; who does, and what no policy keeps out. */
export const renderOnlyFrom = (result: OnlyFromResult, style: Style): string => {
  const { only, to, port, protocol, meant, others, cannotExclude, notes } = result;
  const sections = [
    [`${answer(result, style)}  ${style.strong(`${to}, ${protocol} ${port}, from ${only.join(', ')} only`)}`, renderOrigin(result.source)],
    [
      'meant to reach it',
      ...meant.map(({ client, verdict, reason }) => `  ${verdictText(verdict, style)}  ${client}  ${style.faint(reason)}`),
    ],
    others.length === 0
      ? ['nobody else reaches it, present or hypothetical']
      : ['who else reaches it', ...others.map((other) => otherLine(other, style))],
    ['what no NetworkPolicy keeps out', ...cannotExclude.map((text) => `  ${text}`)],
    notes.map((note) => renderNote(note, style)),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
};

const answer = ({ verdict }: OnlyFromResult, style: Style): string => {
  if (verdict === 'yes') return style.good('✔ yes');
  return verdict === 'no' ? style.bad('✖ no') : style.caution('? depends');
};

const otherLine = ({ client, hypothetical, verdict, reason, source }: OtherClient, style: Style): string => {
  const mark = verdict === 'allowed' ? style.bad('✖') : style.caution('?');
  const place = source === undefined ? '' : `  ${source}`;
  return `  ${mark} ${client}${hypothetical ? '' : ' (present)'}: ${style.faint(`${reason}${place}`)}`;
};
