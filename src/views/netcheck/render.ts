import type { NetcheckResult, OnlyFromResult } from '../../operations/netcheck.ts';
import { printable } from '../../terminal/printable.ts';
import type { Style } from '../../terminal/style.ts';
import { renderJson } from '../json.ts';
import { renderFixManifests } from './fix.ts';
import { renderNetcheckJunit } from './junit.ts';
import { renderOnlyFrom } from './only-from.ts';
import { renderQuery } from './query.ts';

/** The answer in the wanted format. `yaml`: what `--fix` found, to be applied. */
export const renderNetcheck = (
  result: NetcheckResult | OnlyFromResult,
  format: 'json' | 'yaml' | 'junit' | undefined,
  style: Style,
): string => {
  switch (format) {
    case 'json':
      return renderJson(result);
    case 'junit':
      return renderNetcheckJunit(result);
    case 'yaml':
      return result.kind === 'query' && result.fix !== undefined ? renderFixManifests(result.fix) : '';
    case undefined:
      return result.kind === 'query' ? renderQuery(result, style) : renderOnlyFrom(printable(result), style);
  }
};
