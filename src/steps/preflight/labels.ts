import { formatLabelSelector, matchesEqualities, type Labels } from '../../kubernetes/label-selector.ts';
import { controllerOf, type KubernetesObject } from '../../kubernetes/object.ts';
import { isTerminal } from '../../kubernetes/pod.ts';
import { fullName } from '../../kubernetes/reference.ts';
import type { AnyWorkload, PreflightFacts } from './facts.ts';
import { blocks, type Finding } from './finding.ts';

/**
 * One label, one workload: what the Service selects now belongs to `from` alone (or to `to`, half-way), and what it is to select
 * belongs to `to` alone. Two workloads with the label a Service selects split the traffic, also those that are at 0 now.
 */
export const checkLabels = (facts: PreflightFacts): readonly Finding[] => {
  const { input, service, from, to, newSelector } = facts;
  const selector = service?.spec.selector;
  if (service === undefined || from.object === undefined || to.object === undefined || newSelector === undefined) return [];
  if (selector === undefined || Object.keys(selector).length === 0) return [];
  const selectsFrom = matchesEqualities(selector, from.object.spec.template.metadata?.labels);
  const selectsTo = matchesEqualities(selector, to.object.spec.template.metadata?.labels);
  return [
    ...(selectsFrom || selectsTo ? [] : [selectsNeither(facts, selector)]),
    ...(selectsFrom && selectsTo ? [carriedByBoth(facts, selector)] : []),
    ...(matchesEqualities(newSelector, from.object.spec.template.metadata?.labels) && !(selectsFrom && selectsTo)
      ? [carriedByBoth(facts, newSelector)]
      : []),
    ...unique([selector, newSelector]).flatMap((labels) =>
      others(facts, labels).map((other) => carriedByAnother(labels, other, fullName(input.service))),
    ),
  ];
};

const unique = (selectors: readonly Labels[]): readonly Labels[] => [
  ...new Map(selectors.map((labels) => [formatLabelSelector({ matchLabels: labels }), labels])).values(),
];

/** Workloads, and pods that none of these made, besides `from` and `to`. */
const others = ({ input, from, to, carriers, pods }: PreflightFacts, selector: Labels): readonly string[] => {
  const sides = new Set([from.object?.metadata.uid, to.object?.metadata.uid]);
  const workloads = carriers
    .filter((carrier) => !sides.has(carrier.metadata.uid) && !isFinished(carrier) && !isPartOfDeployment(carrier))
    .filter((carrier) => matchesEqualities(selector, carrier.spec.template?.metadata?.labels))
    .map(nameOf);
  const known = new Set([...carriers, ...from.replicaSets, ...to.replicaSets].map(({ metadata }) => metadata.uid));
  const strays = pods
    .filter((pod) => pod.metadata.namespace === input.service.namespace && !isTerminal(pod) && !known.has(controllerOf(pod)?.uid))
    .filter((pod) => matchesEqualities(selector, pod.metadata.labels))
    .map((pod) => {
      const controller = controllerOf(pod);
      return controller === undefined
        ? `pod/${pod.metadata.name}`
        : `pod/${pod.metadata.name} of ${controller.kind.toLowerCase()}/${controller.name}`;
    });
  return [...workloads, ...strays];
};

const isPartOfDeployment = (carrier: AnyWorkload): boolean => controllerOf(carrier)?.kind === 'Deployment';

const isFinished = ({ kind, status }: AnyWorkload): boolean =>
  kind === 'Job' &&
  (status?.conditions ?? []).some(({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True');

const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind.toLowerCase()}/${metadata.name}`;

const text = (labels: Labels): string => formatLabelSelector({ matchLabels: labels });

const selectsNeither = ({ input }: PreflightFacts, selector: Labels): Finding =>
  blocks(
    'SelectorIsNeitherSide',
    `${fullName(input.service)} selects ${text(selector)}, which the pods of neither ${fullName(input.from)} nor ${fullName(input.to)} carry`,
    `name the workload that it selects as from: kubectl get pods -n ${input.service.namespace} -l ${text(selector)}`,
  );

const carriedByBoth = ({ input }: PreflightFacts, selector: Labels): Finding =>
  blocks(
    'LabelOnBothSides',
    `${text(selector)} selects the pods of both ${fullName(input.from)} and ${fullName(input.to)}: they would answer side by side`,
    'give one of them a label of its own, and a selector that asks for it',
  );

const carriedByAnother = (selector: Labels, other: string, service: string): Finding =>
  blocks(
    'SelectorMatchesTwoWorkloads',
    `${text(selector)} also selects the pods of ${other}: ${service} would split its traffic`,
    `give ${other} another label, or remove it`,
  );
