import type { Answer, HalfAnswer, Party, PathAnswer, PolicyAnswer } from '../../network/query/answer.ts';
import type { Verdict } from '../../network/policy/engine.ts';
import type { Style } from '../../terminal/style.ts';

const labelWidth = 'service'.length;
const down = '│';
const textColumn = 2 + labelWidth + 2;

/**
 * ```
 *   client   poimen/memory[Deployment]
 *      │
 *   egress   ✔ allowed  poimen/egress allows it (egress rule 0)
 *      │       egress.yaml:15
 *   ...
 *   server   llm-serving/clef-serve[Deployment]  TCP 8080
 * ```
 */
export const renderPath = (path: PathAnswer, { service }: Pick<Answer, 'service'>, style: Style): readonly string[] => {
  const translated =
    service === undefined
      ? []
      : [line('service', serviceText(service, path), style), ...cited(service.source, style), ...translationLines(path, style), gap(style)];
  return [
    line('client', partyText(path.client, style), style),
    gap(style),
    ...halfLines('egress', path.egress, style),
    gap(style),
    ...translated,
    ...halfLines('ingress', path.ingress, style),
    gap(style),
    line('server', `${partyText(path.server, style)}  ${path.protocol} ${path.port}`, style),
  ];
};

const line = (label: string, text: string, style: Style): string => `  ${style.strong(label.padEnd(labelWidth))}  ${text}`;

const gap = (style: Style): string => `     ${style.faint(down)}`;

/** Under a label, beside the line that runs down. */
const beside = (text: string, style: Style): string => `     ${style.faint(down)}${' '.repeat(textColumn - '     │'.length)}${text}`;

const cited = (source: string | undefined, style: Style): readonly string[] =>
  source === undefined ? [] : [beside(style.faint(source), style)];

const serviceText = ({ name, namespace, type, port, targetPort }: NonNullable<Answer['service']>, path: PathAnswer): string => {
  const named = typeof targetPort === 'string' ? `${targetPort} (${path.port})` : String(path.port);
  const ports = targetPort === undefined ? String(port) : `${port} -> ${named}`;
  return `${name}.${namespace}${type === 'ClusterIP' ? '' : ` (${type})`}  ${ports}`;
};

const translationLines = ({ translation }: PathAnswer, style: Style): readonly string[] =>
  translation === undefined ? [] : [beside(`${verdictText(translation.verdict, style)}  ${translation.reason}`, style)];

const partyText = ({ id, pods, templateOnly }: Party, style: Style): string => {
  if (templateOnly) return `${id}  ${style.faint('(template only)')}`;
  const [first, ...more] = pods;
  if (first === undefined || id === `${id.split('/')[0] ?? ''}/${first}[Pod]`) return id;
  return `${id}  ${style.faint(more.length === 0 ? first : `${pods.length} pods`)}`;
};

const halfLines = (label: string, half: HalfAnswer, style: Style): readonly string[] => [
  line(label, `${verdictText(half.verdict, style)}  ${half.reason}`, style),
  ...cited(half.source, style),
  ...half.policies.flatMap((policy) => policyLines(policy, half, style)),
];

/** The one that allows is told already. Of the others, why none of their rules lets this through. */
const policyLines = (policy: PolicyAnswer, half: HalfAnswer, style: Style): readonly string[] => {
  if (policy.policy === half.policy && half.verdict === 'allowed') return [];
  const source = policy.source === undefined || policy.source === half.source ? '' : `  ${policy.source}`;
  const head = `${policy.kind} ${policy.policy}: ${says[policy.says]}${style.faint(source)}`;
  if (half.verdict === 'allowed') return [beside(head, style)];
  return [
    beside(head, style),
    ...policy.rules.map(({ rule, matches, why, source: place }) =>
      beside(`  rule ${rule} ${words[matches]}: ${why}${place === undefined ? '' : `  ${style.faint(place)}`}`, style),
    ),
  ];
};

const says: Readonly<Record<PolicyAnswer['says'], string>> = {
  allows: 'allows it',
  denies: 'denies it',
  passes: 'leaves it to others',
  none: 'has no rule for it',
  depends: 'depends',
};

const words = { yes: 'matches', no: 'does not match', unknown: 'may match' } as const;

export const verdictText = (verdict: Verdict | 'mixed', style: Style): string => {
  if (verdict === 'allowed') return style.good('✔ allowed');
  if (verdict === 'denied') return style.bad('✖ denied');
  return style.caution(`? ${verdict}`);
};
