import type { NetcheckResult } from '../../operations/netcheck.ts';
import type { Note, PathAnswer } from '../../network/query/answer.ts';
import { printable } from '../../terminal/printable.ts';
import type { Style } from '../../terminal/style.ts';
import { count } from '../text.ts';
import { renderFix } from './fix.ts';
import { renderOrigin } from './origin.ts';
import { renderPath, verdictText } from './path.ts';

/** More than so many are a table, with a picture of the one that decides. */
const mostPictures = 3;

/** The path as a picture, and what else has to be known. */
export const renderQuery = (raw: NetcheckResult, style: Style): string => {
  const result = printable(raw);
  const sections = [
    [headline(result, style), renderOrigin(result.source)],
    ...pathSections(result, style),
    result.notes.map((note) => renderNote(note, style)),
    raw.fix === undefined ? [] : renderFix(raw.fix, raw.verdict, style),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
};

const headline = ({ verdict, from, to, port, protocol, expectation }: NetcheckResult, style: Style): string => {
  const question = `${verdictText(verdict, style)}  ${style.strong(`${from} -> ${to}, ${protocol} ${port}`)}`;
  if (expectation === undefined) return question;
  return `${question}  ${expectation.met ? style.good('as expected') : style.bad(`expected: ${expectation.expected}`)}`;
};

const pathSections = (result: NetcheckResult, style: Style): readonly (readonly string[])[] => {
  const { paths } = result;
  if (paths.length <= mostPictures) return paths.map((path) => renderPath(path, result, style));
  const deciding = paths.find(({ verdict }) => verdict === 'denied') ?? paths.find(({ verdict }) => verdict === 'depends') ?? paths[0];
  return [
    [`${count(paths.length, 'path')}:`, ...paths.map((path) => pathLine(path, style))],
    ...(deciding === undefined ? [] : [['the one that decides:', ...renderPath(deciding, result, style)]]),
  ];
};

const pathLine = ({ verdict, client, server, port, egress, translation, ingress }: PathAnswer, style: Style): string => {
  const stages = [
    ['egress', egress],
    ['service', translation],
    ['ingress', ingress],
  ] as const;
  const reasons = stages
    .filter(([, stage]) => verdict !== 'allowed' && stage?.verdict === verdict)
    .map(([label, stage]) => `${label}: ${stage?.reason ?? ''}`);
  return `  ${verdictText(verdict, style)}  ${client.id} -> ${server.id} ${port}${reasons.length === 0 ? '' : `  ${style.faint(reasons.join('; '))}`}`;
};

export const renderNote = ({ severity, text }: Note, style: Style): string =>
  severity === 'caution' ? `${style.caution('caution:')} ${text}` : `note: ${text}`;
