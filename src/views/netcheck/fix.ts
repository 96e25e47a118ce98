import { stringify } from 'yaml';
import type { Answer } from '../../network/query/answer.ts';
import type { Fix, FixChange } from '../../network/query/fix.ts';
import { printable, printableText } from '../../terminal/printable.ts';
import type { Style } from '../../terminal/style.ts';

/** What to apply, and what it does besides. */
export const renderFix = (fix: Fix, verdict: Answer['verdict'], style: Style): readonly string[] => {
  if (verdict === 'allowed') return ['nothing to open: the path is allowed'];
  const outcome = fix.opens ? style.good('with this the path is allowed') : style.caution('this alone does not open the path');
  return [
    ...(fix.changes.length === 0 ? ['no rule opens this path'] : [`${style.strong('to open it')} (${outcome}):`]),
    ...printable(fix).changes.flatMap((change) => describe(change, style)),
    ...printable(fix).obstacles.map((obstacle) => `${style.caution('in the way:')} ${obstacle}`),
    ...(fix.changes.length === 0 ? [] : ['', printableText(renderFixManifests(fix)).trimEnd()]),
  ];
};

const describe = ({ half, kind, policy, index, source, cautions }: FixChange, style: Style): readonly string[] => [
  `  ${half}: ${words[kind](policy, index)}${source === undefined ? '' : `  ${style.faint(source)}`}`,
  ...cautions.map((caution) => `  ${style.caution('caution:')} ${caution}`),
];

const words: Readonly<Record<FixChange['kind'], (policy: string, rule: number) => string>> = {
  newRule: (policy, rule) => `a new rule ${rule} in ${policy}`,
  newPort: (policy, rule) => `one more port in rule ${rule} of ${policy}`,
  newPolicy: (policy) => `a new policy ${policy}`,
};

/** Each policy once, as YAML that can be applied. */
export const renderFixManifests = ({ changes }: Pick<Fix, 'changes'>): string =>
  [...new Map(changes.map(({ policy, manifest }) => [policy, manifest])).values()]
    .map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');
