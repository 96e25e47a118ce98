import type { NetcheckDocument } from '../../operations/answer-netcheck.ts';
import type { NetcheckResult, OnlyFromResult } from '../../operations/netcheck.ts';
import { printable } from '../../terminal/printable.ts';
import type { Style } from '../../terminal/style.ts';
import { renderJson } from '../json.ts';
import { diffFormats, renderDiff } from './diff.ts';
import { renderFixManifests } from './fix.ts';
import { renderNetcheckJunit } from './junit.ts';
import { matrixFormats, renderMatrix } from './matrix.ts';
import { renderOnlyFrom } from './only-from.ts';
import { renderQuery } from './query.ts';

export type NetcheckFormat = 'json' | 'yaml' | 'junit' | 'dot' | 'mermaid' | 'markdown';

/** The answer in the wanted format; without one, for people. In parts, which together are the text. */
export const renderNetcheck = (result: NetcheckDocument, format: NetcheckFormat | undefined, style: Style): Iterable<string> => {
  switch (result.kind) {
    case 'query':
    case 'onlyFrom':
      return [renderAnswer(result, format, style)];
    case 'matrix':
      return renderMatrix(
        result,
        matrixFormats.find((known) => known === format),
        style,
      );
    case 'diff':
    case 'beforeApply':
      return [
        renderDiff(
          result,
          diffFormats.find((known) => known === format),
          style,
        ),
      ];
  }
};

/** `yaml`: what `--fix` found, to be applied. */
const renderAnswer = (result: NetcheckResult | OnlyFromResult, format: NetcheckFormat | undefined, style: Style): string => {
  if (format === 'json') return renderJson(result);
  if (format === 'junit') return renderNetcheckJunit(result);
  if (format === 'yaml') return result.kind === 'query' && result.fix !== undefined ? renderFixManifests(result.fix) : '';
  return result.kind === 'query' ? renderQuery(result, style) : renderOnlyFrom(printable(result), style);
};
