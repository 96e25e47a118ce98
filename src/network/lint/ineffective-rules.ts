import type { Check, Warning } from './lint-context.ts';

/** Rules of a direction that `policyTypes` does not name. Source: Kubernetes API reference, NetworkPolicySpec `policyTypes`. */
export const ineffectiveRules: Check = ({ spec }) => {
  const types = spec?.policyTypes ?? [];
  if (types.length === 0) return [];
  const of = (direction: 'ingress' | 'egress', type: 'Ingress' | 'Egress'): readonly Warning[] =>
    (spec?.[direction] ?? []).length === 0 || types.includes(type)
      ? []
      : [
          {
            code: 'RulesWithoutEffect',
            path: ['spec', direction],
            message: `${direction} rules without effect: policyTypes is ${types.join(', ')}`,
            hint: `add ${type} to policyTypes, which shuts everything else of that direction, or remove the rules`,
          },
        ];
  return [...of('ingress', 'Ingress'), ...of('egress', 'Egress')];
};
