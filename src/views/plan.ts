import type { Plan, PlannedProbePodNotice, PlannedProbes, PlannedStep } from '../engine/plan.ts';
import { formatDuration } from '../kubernetes/duration.ts';
import type { Style } from '../terminal/style.ts';
import { renderBlockers } from './blockers.ts';
import { renderChange } from './change.ts';
import { renderCluster } from './cluster.ts';
import { count } from './text.ts';

export const notProbedNote = 'not probed: reachability is judged by readiness, EndpointSlices and policies';

/** The whole plan: what would be written, what is waited for, and everything that stands in the way. */
export const renderPlan = (plan: Plan, style: Style): string => {
  const lines = [style.strong(`${plan.runbook}: ${plan.summary}`), `on ${renderCluster(plan.cluster)}`, ''];
  const width = String(plan.steps.length).length;
  plan.steps.forEach((step, index) => lines.push(...renderStep(step, String(index + 1).padStart(width), style)));
  lines.push('', totals(plan));
  for (const probes of plan.probes ?? []) lines.push(...renderProbes(probes, style));
  for (const probePod of plan.probePods ?? []) lines.push(...renderProbePod(probePod, style));
  if (!plan.probing) lines.push(style.caution(notProbedNote));
  for (const warning of plan.warnings) lines.push(`${style.caution('warning:')} ${warning}`);
  if (plan.blockers.length > 0) {
    lines.push('', style.bad(`blocked: ${count(plan.blockers.length, 'reason')} not to start`), ...renderBlockers(plan.blockers, style));
  }
  return `${lines.join('\n')}\n`;
};

const renderProbes = ({ client, pod, container, tools, http, tcp }: PlannedProbes, style: Style): readonly string[] => {
  const used = new Set([http, tcp]);
  const name = (tool: PlannedProbes['tools'][number]): string => (tool.version === undefined ? tool.name : `${tool.name} ${tool.version}`);
  const [chosen, others] = [tools.filter((tool) => used.has(tool.name)), tools.filter((tool) => !used.has(tool.name))];
  return [
    `asks from pod ${pod} of ${client}, container ${container}, with ${chosen.map(name).join(' and ') || 'nothing'}`,
    ...(others.length === 0 ? [] : [`  ${style.faint(`also in it: ${others.map(name).join(', ')}`)}`]),
  ];
};

const renderProbePod = (
  { client, namespace, image, node, imagePresence, difference, notes, deadlineSeconds }: PlannedProbePodNotice,
  style: Style,
): readonly string[] => [
  `a probe pod of ${image} is created in ${namespace} for this run, and removed at its end`,
  ...[
    `it stands in for ${client}, on ${node}${difference === '' ? '' : `, ${difference}`}`,
    imageWords[imagePresence](image, node),
    ...notes,
    `it ends by itself after ${formatDuration(deadlineSeconds * 1000)}`,
  ].map((line) => `  ${style.faint(line)}`),
];

const imageWords: Readonly<Record<PlannedProbePodNotice['imagePresence'], (image: string, node: string) => string>> = {
  present: (_, node) => `${node} has its image: nothing is pulled`,
  notReported: (image, node) => `${node} does not report ${image}: it is pulled there, unless the node has it after all`,
  unknown: (image, node) => `whether ${node} has ${image} cannot be read: it is pulled there, unless it does`,
};

const renderStep = (step: PlannedStep, number: string, style: Style): readonly string[] => {
  const margin = ' '.repeat('  '.length + number.length + '  '.length + labelWidth + ' '.length);
  const notes = [
    ...(step.state === 'check' ? [`at most ${formatDuration(step.deadlineMs)}`] : []),
    ...(step.when === undefined ? [] : [`when ${step.when}`]),
  ];
  const head = `  ${number}  ${label(step, style)} ${step.title}`;
  return [
    notes.length === 0 ? head : `${head}  ${style.faint(`(${notes.join(', ')})`)}`,
    ...step.changes.map((change) => `${margin}${change.object}  ${style.strong(renderChange(change))}`),
    ...(step.postcondition === undefined ? [] : [`${margin}${style.faint(`until ${step.postcondition}`)}`]),
  ];
};

const labels: Readonly<Record<PlannedStep['state'], string>> = {
  change: 'change',
  check: 'check',
  satisfied: 'ok',
  skipped: 'skip',
  blocked: 'blocked',
};
const labelWidth = Math.max(...Object.values(labels).map((text) => text.length));

const label = (step: PlannedStep, style: Style): string => {
  const text = labels[step.state].padEnd(labelWidth);
  if (step.state === 'change') return style.caution(text);
  if (step.state === 'blocked') return style.bad(text);
  return step.state === 'check' ? text : style.faint(text);
};

const totals = (plan: Plan): string => {
  if (plan.nothingToDo) return 'nothing to do: everything is as wanted';
  const writes = plan.steps.reduce((sum, step) => sum + step.mutations.length, 0);
  return `${count(plan.steps.length, 'step')}, ${count(writes, 'write')}`;
};
