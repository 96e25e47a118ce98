import { lintPolicies } from '../network/lint/lint-policies.ts';
import { placeOf } from '../network/inventory/source-object.ts';
import type { Inventory } from '../network/inventory/inventory.ts';
import type { PolicyEngine } from '../network/policy/engine.ts';
import { policyKey, policyName, type PolicyInput } from '../network/policy/policy-input.ts';
import type { Note } from '../network/query/answer.ts';
import type { LoadedNetwork } from './network-source.ts';

/** What the reader of any answer about a network has to know of its source. */
export const networkNotes = ({ problems, inventory, origin }: LoadedNetwork): readonly Note[] => [
  ...(inventory.policies.length > 0 || inventory.doubts.length > 0
    ? []
    : [{ code: 'NoPolicies', severity: 'information' as const, text: `there is no policy in ${origin.name}: every port is open` }]),
  ...inventory.gaps.map(({ message }): Note => ({ code: 'NotRead', severity: 'caution', text: message })),
  ...problems.map((text): Note => ({ code: 'NotUsed', severity: 'caution', text })),
];

/** What in these policies is probably not what was meant, where it stands in a file. */
export const lintNotes = (policies: readonly PolicyInput[], inventory: Inventory, engine: PolicyEngine): readonly Note[] =>
  lintPolicies(policies, inventory, engine).flatMap(({ policy, code, path, message, hint }): readonly Note[] => {
    const source = inventory.policySources.get(policyKey(policy));
    const place = source === undefined ? undefined : placeOf(source, path);
    return place === undefined ? [] : [{ code, severity: 'caution', text: `${place}: ${policyName(policy)}: ${message} (${hint})` }];
  });
