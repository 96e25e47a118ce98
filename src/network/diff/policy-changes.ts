import { isJsonArray, isJsonObject, type JsonObject } from '../../kubernetes/json.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { placeOf } from '../inventory/source-object.ts';
import { policyInputOf, policyKey, type PolicyInput } from '../policy/policy-input.ts';
import type { ObjectChange } from './object-change.ts';
import { pairRules, type RulePair } from './pair-rules.ts';

/** Policies that came, went or changed; of those that changed, each rule and each other field by itself. */
export const policyChanges = (before: Inventory, after: Inventory): readonly ObjectChange[] => {
  const [old, now] = [byKey(before.policies), byKey(after.policies)];
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().flatMap((key): readonly ObjectChange[] => {
    const [was, is] = [old.get(key), now.get(key)];
    if (was === undefined)
      return is === undefined ? [] : [{ ...named(`${key} added`, after, is, []), effect: effectOf(is, { alone: is, mayIsolate: true }) }];
    if (is === undefined)
      return [{ ...named(`${key} removed`, before, was, []), effect: effectOf(was, { undone: was, mayIsolate: false }) }];
    return editsOf(key, was, is, before, after);
  });
};

const byKey = (policies: readonly PolicyInput[]): ReadonlyMap<string, PolicyInput> =>
  new Map(policies.map((policy) => [policyKey(policy), policy]));

type Variants = Pick<Extract<ObjectChange['effect'], { kind: 'policy' }>, 'undone' | 'alone' | 'mayIsolate'>;

const effectOf = (policy: PolicyInput, variants: Variants): ObjectChange['effect'] => ({
  kind: 'policy',
  policy,
  ...(policy.kind === 'NetworkPolicy' ? { namespace: policy.object.metadata.namespace ?? 'default' } : {}),
  ...variants,
});

const named = (
  text: string,
  inventory: Inventory,
  policy: PolicyInput,
  path: readonly (string | number)[],
): Omit<ObjectChange, 'effect'> => {
  const source = inventory.policySources.get(policyKey(policy));
  const place = source === undefined ? undefined : placeOf(source, path);
  return { text, ...(place === undefined ? {} : { source: place }) };
};

const directions = ['ingress', 'egress'] as const;

const editsOf = (key: string, was: PolicyInput, is: PolicyInput, before: Inventory, after: Inventory): readonly ObjectChange[] => {
  const [old, now] = [specOf(was), specOf(is)];
  const edit = (
    text: string,
    inventory: Inventory,
    path: readonly (string | number)[],
    undone: JsonObject,
    alone: JsonObject,
    mayIsolate: boolean,
  ): ObjectChange => ({
    ...named(`${key}: ${text}`, inventory, inventory === after ? is : was, ['spec', ...path]),
    effect: effectOf(is, { undone: withSpec(is, undone), alone: withSpec(was, alone), mayIsolate }),
  });

  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((field) => !isDirection(field));
  const fieldEdits = fields.flatMap((field): readonly ObjectChange[] => {
    if (isSame(old[field], now[field])) return [];
    return [
      edit(
        `${field} ${howChanged(old[field], now[field])}`,
        field in now ? after : before,
        [field],
        { ...now, [field]: old[field] },
        { ...old, [field]: now[field] },
        true,
      ),
    ];
  });
  const ruleEdits = directions.flatMap((direction) => {
    const [oldRules, newRules] = [rulesIn(old, direction), rulesIn(now, direction)];
    return pairRules(oldRules, newRules).map(({ before: from, after: to }: RulePair): ObjectChange => {
      const text = `${direction} rule ${to ?? from} ${to === undefined ? 'removed' : from === undefined ? 'added' : 'edited'}`;
      const undone = { ...now, [direction]: exchange(newRules, to, from, oldRules) };
      const alone = { ...old, [direction]: exchange(oldRules, from, to, newRules) };
      return edit(text, to === undefined ? before : after, [direction, to ?? from ?? 0], undone, alone, oldRules.length === 0);
    });
  });
  return [...fieldEdits, ...ruleEdits];
};

/** The list with the rule at `index` taken out, and the one at `otherIndex` of the other list in its place. */
const exchange = (
  rules: readonly unknown[],
  index: number | undefined,
  otherIndex: number | undefined,
  others: readonly unknown[],
): readonly unknown[] =>
  rules.toSpliced(index ?? otherIndex ?? 0, index === undefined ? 0 : 1, ...(otherIndex === undefined ? [] : [others[otherIndex]]));

const howChanged = (old: unknown, now: unknown): string => (old === undefined ? 'added' : now === undefined ? 'removed' : 'edited');

const isDirection = (field: string): boolean => field === 'ingress' || field === 'egress';

const specOf = ({ object }: PolicyInput): JsonObject => (isJsonObject(object['spec']) ? object['spec'] : {});

const rulesIn = (spec: JsonObject, direction: string): readonly unknown[] => {
  const rules = spec[direction];
  return isJsonArray(rules) ? rules : [];
};

const withSpec = ({ object }: PolicyInput, spec: JsonObject): PolicyInput => {
  const policy = policyInputOf({ ...object, spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) });
  if (policy === undefined) throw new Error(`${object.kind} is no policy any more`);
  return policy;
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
