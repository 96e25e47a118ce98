import type { ClassState, RowKind } from './class-reach.ts';
import { ClassUniverse } from './class-universe.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { Selected } from './decision.ts';
import { distinctionsOf } from './distinctions.ts';
import { divideClasses, oneClass } from './peer-classes.ts';
import type { PolicyPeer } from './peer.ts';
import { listPlaces } from './place-values.ts';
import { RowStore } from './row-store.ts';
import type { Surroundings } from './surroundings.ts';

export const createClassState = (
  peers: readonly PolicyPeer[],
  policies: readonly CompiledPolicy[],
  surroundings: Surroundings,
): ClassState => {
  const distinctions = distinctionsOf(policies);
  const { classes } = divideClasses(oneClass(peers), distinctions, surroundings);
  const universe = new ClassUniverse(classes, distinctions, surroundings);
  return {
    universe,
    selections: selectAll(universe, policies),
    rows: new RowStore(),
    rowsOfClasses: noRows(),
    dependsOnFamily: distinctions.addressSets.length > 0,
  };
};

const selectAll = (universe: ClassUniverse, policies: readonly CompiledPolicy[]): readonly (readonly Selected[])[] => {
  const selections: Selected[][] = universe.classes.map(() => []);
  for (const policy of policies) for (const [id, certain] of selectedClasses(universe, policy)) selections[id]?.push({ policy, certain });
  return selections;
};

/** Ids, and whether each is surely selected. */
const selectedClasses = (universe: ClassUniverse, { subject }: CompiledPolicy): readonly (readonly [id: number, certain: boolean])[] => {
  const { classes } = universe;
  return listPlaces(universe.matchEntry(subject), classes.length)
    .filter(([id]) => classes[id]?.peers[0].kind === 'pod')
    .map(([id, likelihood]) => [id, likelihood === 2]);
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
  const isChanged = (id: number): boolean => selections[id] !== divided.selections[id];
  const rowsOfClasses = new Map(
    [...divided.rowsOfClasses].map(([kind, rows]) => [kind, rows.map((row, id) => (isChanged(id) ? undefined : row))]),
  );
  return { ...divided, selections, rowsOfClasses };
};

const noRows = (): ClassState['rowsOfClasses'] => new Map<RowKind, undefined[]>(rowKinds.map((kind) => [kind, []]));

const rowKinds = ['Egress IPv4', 'Egress IPv6', 'Ingress IPv4', 'Ingress IPv6'] as const satisfies readonly RowKind[];

const divide = (state: ClassState, added: CompiledPolicy, policies: readonly CompiledPolicy[], surroundings: Surroundings): ClassState => {
  const before = state.universe;
  const distinctions = distinctionsOf([added]);
  const { classes, partOf } = divideClasses(before.classes, distinctions, surroundings);
  if (classes.length === before.classes.length)
    return { ...state, dependsOnFamily: state.dependsOnFamily || distinctions.addressSets.length > 0 };
  const all = distinctionsOf(policies);
  const universe = new ClassUniverse(classes, all, surroundings);
  const ownNodesBefore = [...universe.ownNodePlaces.keys()].map((id) => before.ownNodePlaces.get(partOf[id] ?? 0) ?? 0);
  const places = [...partOf, ...ownNodesBefore].map((whole, place) => ({ whole, place }));
  const partsOf = new Map([...Map.groupBy(places, ({ whole }) => whole)].map(([whole, parts]) => [whole, parts.map(({ place }) => place)]));
  return {
    universe,
    dependsOnFamily: all.addressSets.length > 0,
    rowsOfClasses: noRows(),
    selections: partOf.map((id) => state.selections[id] ?? []),
    rows: new RowStore({ store: state.rows, partsOf }),
  };
};
