import type { PolicyWorld } from '../../../src/network/policy/engine.ts';

/** `NotIn` as cyclonus and policy-assistant read it, so that the label has to be there: the one difference that random clusters show. */
export const withLabelForNotIn = (world: PolicyWorld): PolicyWorld => ({
  ...world,
  policies: JSON.parse(JSON.stringify(world.policies), (_field, value: unknown) =>
    Array.isArray(value)
      ? value.flatMap((item) => (item?.operator === 'NotIn' ? [item, { key: item.key, operator: 'Exists' }] : [item]))
      : value,
  ),
});
