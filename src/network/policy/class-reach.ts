import { commonFamilies, familyBits } from './addressed-peer.ts';
import type { AddressFamily } from './address-set.ts';
import type { Algebra } from './algebra.ts';
import type { ClassUniverse } from './class-universe.ts';
import { rulesOf, type CompiledPolicy, type Direction } from './compiled-policy.ts';
import { decisionOf, type Selected } from './decision.ts';
import { getOrAdd } from './distinctions.ts';
import type { PeerClass } from './engine.ts';
import { evaluateRow } from './evaluate-row.ts';
import type { ReachTable } from './reach-table.ts';
import { valueAtPlace, type PlaceValues } from './place-values.ts';
import type { RowStore } from './row-store.ts';
import type { Combine } from './steps-table.ts';

/** What the classes' verdicts are made from, all of it shared as far as policies do not change. */
export interface ClassState {
  readonly universe: ClassUniverse;
  /** Of each class. */
  readonly selections: readonly (readonly Selected[])[];
  readonly rows: RowStore;
  /** By direction and family: each class's row, as far as it was asked for. */
  readonly rowsOfClasses: ReadonlyMap<RowKind, (PlaceValues | undefined)[]>;
  /** Whether any policy speaks of addresses. */
  readonly dependsOnFamily: boolean;
}

export type RowKind = `${Direction} ${AddressFamily}`;

/** Both halves of all pairs of classes. Rows are worked out when somebody asks, once for all classes that the same policies select. */
export class ClassReaches {
  private readonly state: ClassState;
  private readonly algebra: Algebra;
  private readonly reaches: ReachTable;
  private readonly clientRows = new Map<AddressFamily, ClientRows>();
  private readonly both: Combine;
  /** Of each class's pairs: a bit for IPv4, a bit for IPv6. */
  private readonly families: Uint8Array;
  /** Bits that every class has. */
  private readonly sharedFamilies: number;

  constructor(state: ClassState, algebra: Algebra, reaches: ReachTable) {
    this.state = state;
    this.algebra = algebra;
    this.reaches = reaches;
    this.families = state.universe.families;
    this.sharedFamilies = this.families.reduce((shared, own) => shared & own, 3);
    this.both = algebra.bothHalves;
  }

  reachNumber(client: PeerClass, server: PeerClass): number {
    const places = this.state.universe.ownNodePlaces;
    const ports = this.overFamilies(client.id, server.id, client.id, server.id);
    const [ownClient, ownServer] = [places.get(client.id) ?? client.id, places.get(server.id) ?? server.id];
    if (ownClient === client.id && ownServer === server.id) return ports;
    return this.reaches.numberOf(ports, this.overFamilies(client.id, server.id, ownClient, ownServer));
  }

  reachRow(server: PeerClass, into: Uint32Array): Uint32Array {
    const bits = this.families[server.id] ?? 3;
    const isCommon = bits !== 3 && (this.sharedFamilies & bits) !== 0;
    if (isCommon || !this.state.dependsOnFamily) this.fillRow(server.id, bits === 2 ? 'IPv6' : 'IPv4', into);
    else for (const client of this.state.universe.classes) into[client.id] = this.overFamilies(client.id, server.id, client.id, server.id);
    const { ownNodePlaces, classes } = this.state.universe;
    const nodes = ownNodePlaces.has(server.id) ? classes.keys() : ownNodePlaces.keys();
    for (const id of nodes) {
      const client = classes[id];
      if (client !== undefined) into[id] = this.reachNumber(client, server);
    }
    return into;
  }

  private fillRow(server: number, family: AddressFamily, into: Uint32Array): void {
    const { rest, places, values } = this.row('Ingress', server, family);
    const { rests, ofClass, exceptions, column, results } = getOrAdd(this.clientRows, family, () => this.readClientRows(family));
    column.set(rests);
    for (const [row, value] of exceptions.get(server) ?? []) column[row] = value;
    const { both } = this;
    let [last, result, isUniform] = [-1, -1, true];
    for (let row = 0; row < column.length; row++) {
      const egress = column[row] ?? 0;
      if (egress !== last) {
        const next = both(egress, rest);
        isUniform &&= result === -1 || next === result;
        [last, result] = [egress, next];
      }
      results[row] = result;
    }
    if (isUniform) into.fill(result, 0, ofClass.length);
    else for (let client = 0; client < ofClass.length; client++) into[client] = results[ofClass[client] ?? 0] ?? 0;
    for (let index = 0; index < places.length; index++) {
      const client = places[index] ?? 0;
      if (client < ofClass.length) into[client] = both(column[ofClass[client] ?? 0] ?? 0, values[index] ?? rest);
    }
  }

  private readClientRows(family: AddressFamily): ClientRows {
    const numbers = new Map<PlaceValues, number>();
    const ofClass = Uint32Array.from(this.state.universe.classes, ({ id }) =>
      getOrAdd(numbers, this.row('Egress', id, family), () => numbers.size),
    );
    const exceptions = new Map<number, [row: number, value: number][]>();
    for (const [{ places, values, rest }, row] of numbers) {
      for (let index = 0; index < places.length; index++)
        getOrAdd(exceptions, places[index] ?? 0, () => []).push([row, values[index] ?? rest]);
    }
    const rests = Uint32Array.from(numbers.keys(), ({ rest }) => rest);
    return { rests, ofClass, exceptions, column: rests.slice(), results: rests.slice() };
  }

  /** The places are where each is found in the other's row: its id, or its second place for the own node. */
  private overFamilies(client: number, server: number, clientPlace: number, serverPlace: number): number {
    const bits = this.state.dependsOnFamily ? this.commonBits(client, server) : 1;
    const over = (family: AddressFamily): number =>
      this.both(
        valueAtPlace(this.row('Egress', client, family), serverPlace),
        valueAtPlace(this.row('Ingress', server, family), clientPlace),
      );
    if (bits !== 3) return over(bits === 1 ? 'IPv4' : 'IPv6');
    return this.algebra.eitherFamily(over('IPv4'), over('IPv6'));
  }

  private commonBits(client: number, server: number): number {
    const common = (this.families[client] ?? 0) & (this.families[server] ?? 0);
    if (common !== 0) return common;
    const { universe } = this.state;
    return familyBits(commonFamilies(universe.at(client), universe.at(server)));
  }

  private row(direction: Direction, id: number, family: AddressFamily): PlaceValues {
    const rows = this.state.rowsOfClasses.get(`${direction} ${family}`) ?? [];
    const known = rows[id];
    if (known !== undefined) return known;
    const row = this.evaluate(direction, id, family);
    rows[id] = row;
    return row;
  }

  private evaluate(direction: Direction, id: number, family: AddressFamily): PlaceValues {
    const { universe, selections, rows } = this.state;
    const speaking = (selections[id] ?? []).filter(({ policy }) => rulesOf(policy, direction) !== undefined);
    const subject = universe.classes[id]?.peers[0];
    if (subject === undefined) throw new Error(`no class has the id ${id}`);
    const traits = speaking.map(({ policy }) => traitsOf(policy, direction));
    const names =
      direction === 'Ingress' && subject.kind === 'pod' && traits.some(({ named }) => named) ? JSON.stringify(subject.namedPorts) : '';
    const key = [
      direction,
      ...speaking.map(({ policy, certain }) => `${policy.id}${certain ? '' : '?'}`),
      names,
      traits.some(({ addresses }) => addresses) ? family : '',
    ].join();
    return rows.rowFor(key, () =>
      evaluateRow({
        decision: decisionOf(speaking, direction),
        direction,
        subject,
        others: universe.others(family, this.algebra),
        algebra: this.algebra,
      }),
    );
  }
}

/** The clients' rows, each once, and turned round: by server. */
interface ClientRows {
  readonly rests: Uint32Array;
  /** For each class, the number of its row. */
  readonly ofClass: Uint32Array;
  /** For a server's place, the rows that have something else there than their rest. */
  readonly exceptions: ReadonlyMap<number, readonly (readonly [row: number, value: number])[]>;
  /** Room for one server's column, and for what becomes of it. */
  readonly column: Uint32Array;
  readonly results: Uint32Array;
}

/** Whether a row depends on the subject's port names, and on the address family. */
const traitsOf = (policy: CompiledPolicy, direction: Direction): { readonly named: boolean; readonly addresses: boolean } => {
  const rules = rulesOf(policy, direction) ?? [];
  return {
    named: rules.some(({ ports }) => ports.named),
    addresses: rules.some(({ peers }) => peers.entries.some(({ kind }) => kind === 'addresses')),
  };
};
