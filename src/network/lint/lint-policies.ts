import type { Inventory } from '../inventory/inventory.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { PolicyInput } from '../policy/policy-input.ts';
import { andWrittenAsOr } from './and-or.ts';
import { ineffectiveRules } from './ineffective-rules.ts';
import { LintContext, type Check, type Warning } from './lint-context.ts';
import { namespaceLabelsNobodyCarries } from './namespace-labels.ts';
import { oneSidedPath } from './one-sided-path.ts';
import { selectsNothing } from './selects-nothing.ts';
import { servicePortInPolicy } from './service-port.ts';

export type { Warning } from './lint-context.ts';

const checks: readonly Check[] = [
  andWrittenAsOr,
  selectsNothing,
  ineffectiveRules,
  oneSidedPath,
  namespaceLabelsNobodyCarries,
  servicePortInPolicy,
];

export interface PolicyWarning extends Warning {
  readonly policy: PolicyInput;
}

/** What in these policies is probably not what was meant, in the order of the policies. Of NetworkPolicies; other kinds have none. */
export const lintPolicies = (policies: readonly PolicyInput[], inventory: Inventory, engine: PolicyEngine): readonly PolicyWarning[] => {
  const context = new LintContext(inventory, engine);
  return policies.flatMap((policy) =>
    policy.kind === 'NetworkPolicy'
      ? checks.flatMap((check) => check(policy.object, context).map((warning) => ({ ...warning, policy })))
      : [],
  );
};
