import type { ClassState } from './class-reach.ts';
import { ClassUniverse } from './class-universe.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { Selected } from './decision.ts';
import { distinctionsOf } from './distinctions.ts';
import { divideClasses, oneClass } from './peer-classes.ts';
import type { PolicyPeer } from './peer.ts';
import { RowStore } from './row-store.ts';
import type { Surroundings } from './surroundings.ts';

export const createClassState = (peers: readonly PolicyPeer[], policies: readonly CompiledPolicy[], surroundings: Surroundings): ClassState => {
  const distinctions = distinctionsOf(policies);
  const { classes } = divideClasses(oneClass(peers), distinctions, surroundings.isNodeAddress);
  const universe = new ClassUniverse(classes, distinctions, surroundings);
  return { universe, selections: selectAll(universe, policies), rows: new RowStore(), dependsOnFamily: dependsOnFamily(policies) };
};

const dependsOnFamily = (policies: readonly CompiledPolicy[]): boolean => policies.some((policy) => distinctionsOf([policy]).addressSets.length > 0);

const selectAll = (universe: ClassUniverse, policies: readonly CompiledPolicy[]): readonly (readonly Selected[])[] => {
  const selections: Selected[][] = universe.classes.map(() => []);
  for (const policy of policies) for (const [id, certain] of selectedClasses(universe, policy)) selections[id]?.push({ policy, certain });
  return selections;
};

/** Ids, and whether each is surely selected. */
const selectedClasses = (universe: ClassUniverse, { subject }: CompiledPolicy): readonly (readonly [id: number, certain: boolean])[] => {
  const { surely, perhaps } = universe.matchEntry(subject);
  const isPod = (id: number): boolean => universe.classes[id]?.peers[0].kind === 'pod';
  return [
    ...Array.from(surely, (id) => [id, true] as const),
    ...Array.from(perhaps, (id) => [id, false] as const),
  ].filter(([id]) => id < universe.classes.length && isPod(id));
};

export interface PolicyChange {
  readonly removed: CompiledPolicy | undefined;
  readonly added: CompiledPolicy | undefined;
  /** All that hold then. */
  readonly policies: readonly CompiledPolicy[];
}

/** Classes are divided where the added policy tells their peers apart, and never joined again. */
export const changeClassState = (state: ClassState, { removed, added, policies }: PolicyChange, surroundings: Surroundings): ClassState => {
  const divided = added === undefined ? state : divide(state, added, policies, surroundings);
  const selections = divided.selections.map((selected) =>
    removed !== undefined && selected.some(({ policy }) => policy.id === removed.id)
      ? selected.filter(({ policy }) => policy.id !== removed.id)
      : selected,
  );
  if (added !== undefined) {
    for (const [id, certain] of selectedClasses(divided.universe, added))
      selections[id] = [...(selections[id] ?? []), { policy: added, certain }];
  }
  return { ...divided, selections };
};

const divide = (
  state: ClassState,
  added: CompiledPolicy,
  policies: readonly CompiledPolicy[],
  surroundings: Surroundings,
): ClassState => {
  const before = state.universe;
  const { classes, partOf } = divideClasses(before.classes, distinctionsOf([added]), surroundings.isNodeAddress);
  if (classes.length === before.classes.length) return { ...state, dependsOnFamily: state.dependsOnFamily || dependsOnFamily([added]) };
  const universe = new ClassUniverse(classes, distinctionsOf(policies), surroundings);
  const ownNodesBefore = [...universe.ownNodePlaces.keys()].map((id) => before.ownNodePlaces.get(partOf[id] ?? 0) ?? 0);
  return {
    universe,
    dependsOnFamily: dependsOnFamily(policies),
    selections: partOf.map((id) => state.selections[id] ?? []),
    rows: new RowStore({ store: state.rows, placeBefore: [...partOf, ...ownNodesBefore] }),
  };
};

