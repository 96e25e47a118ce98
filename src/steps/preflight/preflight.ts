import { shortName } from '../../kubernetes/reference.ts';
import type { StepKind } from '../step-kind.ts';
import { checkClient } from './client.ts';
import { checkDependencies } from './dependencies.ts';
import { gatherFacts, preflightAccess, type PreflightFacts } from './facts.ts';
import type { Finding } from './finding.ts';
import { checkFit } from './fit.ts';
import { furtherReads } from './further-reads.ts';
import { preflightInput, type PreflightRaw } from './input.ts';
import { checkKnowledge } from './knowledge.ts';
import { checkLabels } from './labels.ts';
import { checkObjects } from './objects.ts';
import { checkOwnership } from './ownership.ts';
import { checkRivals } from './rivals.ts';
import { checkService } from './service.ts';

/** Each is a pure function of what was observed; none depends on another's verdict. */
const checks: readonly ((facts: PreflightFacts) => readonly Finding[])[] = [
  checkObjects,
  checkService,
  checkLabels,
  checkOwnership,
  checkFit,
  checkRivals,
  checkDependencies,
  checkClient,
  checkKnowledge,
];

/**
 * Looks for everything that would make a hand-over fail half-way, while the old side still serves, and reports all of it at once.
 *
 * Nothing in it depends on how far an earlier attempt got: pods of the new side that have a node need none, and a Service that
 * selects the new side already is as good as one that selects the old.
 */
export const preflight: StepKind<PreflightRaw, PreflightFacts> = {
  name: 'preflight',
  summary: 'Looks for everything that would make a hand-over fail half-way, and reports all of it at once. Writes nothing.',
  input: preflightInput,
  defaultDeadlineMs: 60_000,

  title: ({ service, from, to }) => `check that ${shortName(service)} can be handed over from ${shortName(from)} to ${shortName(to)}`,
  access: preflightAccess,
  alsoOnce: furtherReads,
  observe: gatherFacts,

  plan(_, facts) {
    const findings = checks.flatMap((check) => check(facts));
    const warnings = findings.flatMap((finding) => (finding.kind === 'warning' ? [finding.message] : []));
    const blockers = findings.flatMap((finding) => (finding.kind === 'blocker' ? [finding.blocker] : []));
    return blockers.length > 0 ? { kind: 'blocked', blockers, warnings } : { kind: 'satisfied', warnings };
  },

  settled: () => ({ done: true, evidence: 'nothing stands in the way' }),
  undo: () => ({ kind: 'nothing' }),
};
