import { controllerLabels } from '../../kubernetes/controller-labels.ts';
import { matchesEqualities, matchesSelector, requirementsOf, type LabelSelector, type Labels } from '../../kubernetes/label-selector.ts';
import { asksControllers } from '../../kubernetes/pod-disruption-budget.ts';
import type { Pod } from '../../kubernetes/pod.ts';
import { peerOfPod } from '../policy/peer.ts';
import { createPolicyView } from './policy-view.ts';
import type { ProbePodFacts } from './probe-pod-facts.ts';
import { ownershipOf, type Ownership } from './probe-pod-owner.ts';

/** The labels of a probe pod, and what they bring about. */
export interface LabelChoice {
  readonly labels: Labels;
  /** Keys of the client's labels that it does not carry, or with another value. */
  readonly changed: readonly string[];
  readonly ownership: Ownership;
  /** Reasons against it. Empty: it may be made. */
  readonly objections: readonly string[];
  /** Worth knowing: what counts or lists it without harm. */
  readonly notes: readonly string[];
}

/** A pod beside a controller's must not have these, and nobody else goes by them, as a rule. */
const ownLabels: ReadonlySet<string> = new Set([...controllerLabels, 'job-name', 'batch.kubernetes.io/job-name']);

/** In place of a value that a Service selects, where a policy only asks whether the label is there. */
const neutralValue = 'poimen-probe';

/** Enough for six labels that are in the way, in every combination. */
const mostCandidates = 1_000;

/**
 * Labels with which a pod is to every policy what the client's pod is, and to nobody else: not behind a Service, not taken over, not
 * counted. As few as possible differ from the client's: what goes by labels besides, such as a network plugin's own policies, sees the same.
 *
 * Often the label that a Service selects is the one that a policy goes by. Then it stays: a pod that is never ready gets no connection from
 * a Service, unless that one publishes addresses that are not ready. `mark` is added in any case.
 */
export const chooseLabels = (facts: ProbePodFacts, pod: Pod, mark: Labels): LabelChoice => {
  const own = pod.metadata.labels ?? {};
  const judge = createJudge(facts, pod, mark);
  let best: { readonly judged: Judged; readonly rank: readonly number[] } | undefined;
  let considered = 0;
  for (const { labels, changes } of candidates(own, keysInTheWay(facts, own))) {
    const judged = judge(labels);
    const rank = [...judged.rank, changes];
    if (best === undefined || isLower(rank, best.rank)) best = { judged, rank };
    if (judged.rank.every((count) => count === 0) || ++considered === mostCandidates) break;
  }
  if (best === undefined) throw new Error('there is always the candidate that changes nothing');
  return best.judged.choice;
};

/** What labels bring about: for those that were chosen, and for those that a server stored in their place. */
export const judgeLabels = (facts: ProbePodFacts, pod: Pod, labels: Labels): LabelChoice => createJudge(facts, pod, {})(labels).choice;

interface Judged {
  readonly choice: LabelChoice;
  /** The less, the better; what comes first counts more. */
  readonly rank: readonly number[];
}

const createJudge = (facts: ProbePodFacts, pod: Pod, mark: Labels): ((labels: Labels) => Judged) => {
  const own = pod.metadata.labels ?? {};
  const peer = peerOfPod(pod);
  const { policies, namespaces = [], services, disruptionBudgets = [], autoscalers = [] } = facts;
  const view = policies === undefined ? undefined : createPolicyView(policies, namespaces);
  const seen = view?.(peer);

  return (chosen) => {
    const labels = { ...chosen, ...mark };
    const changed = Object.keys(own).filter((key) => labels[key] !== own[key]);
    const isSeenAlike = view === undefined ? changed.every((key) => ownLabels.has(key)) : view({ ...peer, labels }) === seen;
    const listing = (services ?? []).filter(({ spec }) => matchesEqualities(spec.selector, labels));
    const serving = listing.filter(({ spec }) => spec.publishNotReadyAddresses === true);
    const ownership = ownershipOf(facts, pod, labels);
    const budgets = disruptionBudgets.filter(({ spec }) => matchesSelector(spec.selector, labels));
    const broken = ownership.isCounted ? [] : budgets.filter((budget) => ownership.owner.controller === true && asksControllers(budget));
    const counting = autoscalers.filter(
      ({ spec: { scaleTargetRef: target } }) =>
        target.kind === facts.client.resource.kind && target.name === facts.client.name && matchesSelector(selectorOf(facts), labels),
    );
    const objections = [
      ...(isSeenAlike
        ? []
        : [
            view === undefined
              ? 'network policies could not be read, so no label of the client may be left out'
              : 'a network policy would treat it otherwise than the client',
          ]),
      ...(services === undefined ? ['Services could not be read, so nobody knows whether one would send it connections'] : []),
      ...serving.map(({ metadata }) => `service/${metadata.name} would send it connections: it publishes addresses that are not ready`),
      ...broken.map(
        ({ metadata }) =>
          `poddisruptionbudget/${metadata.name} would allow no eviction any more: it cannot ask the owner how many pods there should be`,
      ),
    ];
    const idle = listing.filter((service) => !serving.includes(service));
    const choice: LabelChoice = {
      labels,
      changed,
      ownership,
      objections,
      notes: [
        ...idle.map(({ metadata }) => `service/${metadata.name} lists it as not ready, and sends it nothing`),
        ...counting.map(({ metadata }) => `horizontalpodautoscaler/${metadata.name} counts it as a pod that is not ready`),
      ],
    };
    return { choice, rank: [objections.length, idle.length, counting.length, budgets.length] };
  };
};

const selectorOf = ({ object }: ProbePodFacts): LabelSelector | undefined => {
  const spec = object?.['spec'] as { readonly selector?: LabelSelector } | undefined;
  return spec?.selector;
};

/** Those that something goes by from which the pod had better get away. */
const keysInTheWay = (facts: ProbePodFacts, own: Labels): readonly string[] => {
  const { services = [], adopters = [], disruptionBudgets = [], autoscalers = [] } = facts;
  const mentioned = new Set([
    ...services.filter(({ spec }) => matchesEqualities(spec.selector, own)).flatMap(({ spec }) => Object.keys(spec.selector ?? {})),
    ...[
      ...adopters.map(({ selector }) => selector),
      ...disruptionBudgets.map(({ spec }) => spec.selector ?? {}),
      ...(autoscalers.length === 0 ? [] : [selectorOf(facts) ?? {}]),
    ]
      .filter((selector) => matchesSelector(selector, own))
      .flatMap((selector) => requirementsOf(selector).map(({ key }) => key)),
  ]);
  return Object.keys(own).filter((key) => mentioned.has(key) || ownLabels.has(key));
};

interface Candidate {
  readonly labels: Labels;
  readonly changes: number;
}

/** From the fewest changes to the most. The first has all of the client's labels but those that its controller put there. */
function* candidates(own: Labels, keys: readonly string[]): Generator<Candidate> {
  for (let changes = 0; changes <= keys.length; changes++) {
    for (const chosen of subsets(keys, changes)) {
      for (const labels of variants(own, keys, new Set(chosen))) yield { labels, changes };
    }
  }
}

function* subsets(keys: readonly string[], size: number, from = 0): Generator<readonly string[]> {
  if (size === 0) {
    yield [];
    return;
  }
  for (let index = from; index <= keys.length - size; index++) {
    const key = keys[index];
    if (key === undefined) return;
    for (const rest of subsets(keys, size - 1, index + 1)) yield [key, ...rest];
  }
}

/** A key that is changed: the controller's is kept, any other is left out or has a value that nobody selects. */
function* variants(own: Labels, keys: readonly string[], changed: ReadonlySet<string>): Generator<Labels> {
  let found: readonly (readonly (readonly [string, string])[])[] = [[]];
  for (const [key, value] of Object.entries(own)) {
    const isControllers = ownLabels.has(key) && keys.includes(key);
    const kept: readonly (readonly [string, string])[] = [[key, value]];
    const options = isControllers ? [changed.has(key) ? kept : []] : changed.has(key) ? [[], [[key, neutralValue] as const]] : [kept];
    found = options.flatMap((option) => found.map((labels) => [...labels, ...option]));
  }
  for (const labels of found) yield Object.fromEntries(labels);
}

const isLower = (a: readonly number[], b: readonly number[]): boolean => {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index >= 0 && (a[index] ?? 0) < (b[index] ?? 0);
};

export const describeChange = (own: Labels, { labels, changed }: LabelChoice): string =>
  changed.map((key) => (labels[key] === undefined ? `without ${key}=${own[key] ?? ''}` : `with ${key}=${labels[key]}`)).join(', ');
