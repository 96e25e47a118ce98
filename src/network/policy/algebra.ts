import type { CompiledPorts, CompiledRule, PortEntry } from './compiled-policy.ts';
import {
  afterDecision,
  afterRule,
  afterTier,
  bothHalves,
  eitherFamily,
  eitherFirst,
  ifAtAll,
  isolated,
  outcomes,
  verdictOf,
} from './outcome.ts';
import { getOrAdd } from './distinctions.ts';
import type { NamedPort, PolicyPeer } from './peer.ts';
import { combineSteps, constantSteps, protocols, rangeSteps, type PortSteps } from './port-steps.ts';
import { combineIn, StepsTable, type Combine } from './steps-table.ts';

/** The rules of `outcome.ts` for all ports at once, on numbers of tables. What was worked out once is looked up. */
export interface Algebra {
  /** Steps of likelihoods and of outcomes. */
  readonly steps: StepsTable;
  /** Steps of verdicts. */
  readonly verdicts: StepsTable;
  readonly open: number;
  /** Every port, surely. */
  readonly yes: number;
  readonly portsOf: (ports: CompiledPorts, destination: PolicyPeer) => number;
  /** What matches with a likelihood, on the ports. */
  readonly onPorts: (likelihood: number, ports: number) => number;
  readonly union: Combine;
  readonly afterRule: Readonly<Record<CompiledRule['action'], Combine>>;
  readonly afterDecision: Combine;
  readonly eitherFirst: Combine;
  readonly ifAtAll: (decision: number) => number;
  readonly afterTier: (current: number) => number;
  readonly isolated: (matches: number) => number;
  readonly verdictOf: (current: number) => number;
  readonly bothHalves: Combine;
  readonly eitherFamily: Combine;
}

const actionBits = { allow: outcomes.allowed, deny: outcomes.denied, pass: outcomes.passed } as const;

export const createAlgebra = (): Algebra => {
  const steps = new StepsTable();
  const verdicts = new StepsTable();
  const inSteps = (combine: (a: number, b: number) => number): Combine => combineIn(steps, steps, combine);
  const each = (map: (value: number) => number, results = steps): ((number: number) => number) => {
    const combine = combineIn(steps, results, map);
    return (number) => combine(number, number);
  };
  const no = steps.constant(0);
  const perhapsOn = each((matches) => Math.min(matches, 1));
  const rule = (action: CompiledRule['action']): Combine => inSteps((current, matches) => afterRule(current, matches, actionBits[action]));
  return {
    steps,
    verdicts,
    open: steps.constant(outcomes.open),
    yes: steps.constant(2),
    portsOf: portsNumbers(steps),
    onPorts: (likelihood, ports) => (likelihood === 2 ? ports : likelihood === 1 ? perhapsOn(ports) : no),
    union: inSteps(Math.max),
    afterRule: { allow: rule('allow'), deny: rule('deny'), pass: rule('pass') },
    afterDecision: inSteps(afterDecision),
    eitherFirst: inSteps(eitherFirst),
    ifAtAll: each(ifAtAll),
    afterTier: each(afterTier),
    isolated: each(isolated),
    verdictOf: each(verdictOf, verdicts),
    bothHalves: combineIn(verdicts, verdicts, bothHalves),
    eitherFamily: combineIn(verdicts, verdicts, eitherFamily),
  };
};

/** Names are the destination pod's own: two pods may give one name to different numbers. An address has no names. */
const portsNumbers = (steps: StepsTable): Algebra['portsOf'] => {
  const fixed = new Map<string, number>(); // by text: equal ports have equal texts
  const named = new Map<string, number>();
  return (ports, destination) => {
    if (!ports.named) return getOrAdd(fixed, ports.text, () => steps.numberOf(portSteps(ports, [])));
    const names = destination.kind === 'pod' ? destination.namedPorts : [];
    const key = names.map(({ name, protocol, port }) => `${name} ${protocol} ${port}`).join();
    return getOrAdd(named, `${ports.text} | ${key}`, () => steps.numberOf(portSteps(ports, names)));
  };
};

/** Likelihoods. */
export const portSteps = ({ entries }: CompiledPorts, names: readonly NamedPort[]): PortSteps =>
  entries === 'all'
    ? constantSteps(2)
    : entries.flatMap((entry) => entrySteps(entry, names)).reduce((union, one) => combineSteps(union, one, Math.max), constantSteps(0));

const entrySteps = (entry: PortEntry, names: readonly NamedPort[]): readonly PortSteps[] => {
  switch (entry.kind) {
    case 'unclear':
      return [constantSteps(1)];
    case 'range':
      return [rangeSteps(entry.protocol, entry.from, entry.to, 2)];
    case 'name':
      return protocols
        .filter((protocol) => entry.protocol === undefined || entry.protocol === protocol)
        .flatMap((protocol) => {
          const numbers = new Set(
            names.filter((named) => named.name === entry.name && named.protocol === protocol).map(({ port }) => port),
          );
          // which of several numbers a name stands for is left to the plugin
          return [...numbers].map((port) => rangeSteps(protocol, port, port, numbers.size === 1 ? 2 : 1));
        });
  }
};
