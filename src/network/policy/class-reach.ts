import { addressedPeer, commonFamilies, familiesOf, type AddressedPeer } from './addressed-peer.ts';
import type { AddressFamily } from './address-set.ts';
import type { Algebra } from './algebra.ts';
import type { ClassUniverse } from './class-universe.ts';
import { rulesOf, type CompiledPolicy, type Direction } from './compiled-policy.ts';
import { decisionOf, type Selected } from './decision.ts';
import { getOrAdd } from './distinctions.ts';
import type { PeerClass } from './engine.ts';
import { evaluateRow } from './evaluate-row.ts';
import type { ReachTable } from './reach-table.ts';
import type { Row, RowStore } from './row-store.ts';
import { withArray, type Combine } from './steps-table.ts';

/** What the classes' verdicts are made from, all of it shared as far as policies do not change. */
export interface ClassState {
  readonly universe: ClassUniverse;
  /** Of each class. */
  readonly selections: readonly (readonly Selected[])[];
  readonly rows: RowStore;
  /** Whether any policy speaks of addresses. */
  readonly dependsOnFamily: boolean;
}

/** Both halves of all pairs of classes. Rows are worked out when somebody asks, once for all classes that the same policies select. */
export class ClassReaches {
  private readonly state: ClassState;
  private readonly algebra: Algebra;
  private readonly reaches: ReachTable;
  private readonly addressed: readonly AddressedPeer[];
  private readonly known = new Map<string, (Row | undefined)[]>();
  private readonly clientRows = new Map<AddressFamily, ClientRows>();
  private readonly both: Combine;
  /** Of each class's pairs: a bit for IPv4, a bit for IPv6. */
  private readonly families: Uint8Array;

  constructor(state: ClassState, algebra: Algebra, reaches: ReachTable) {
    this.state = state;
    this.algebra = algebra;
    this.reaches = reaches;
    this.addressed = state.universe.classes.map(({ peers: [peer] }) => addressedPeer(peer));
    this.families = Uint8Array.from(this.addressed, (peer) => familyBits(familiesOf(peer)));
    this.both = withArray(algebra.bothHalves);
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
    const isCommon = bits !== 3 && this.families.every((own) => (own & bits) !== 0);
    const isIndifferent = !this.state.dependsOnFamily;
    if (isCommon || isIndifferent) this.fillRow(server.id, bits === 2 ? 'IPv6' : 'IPv4', into);
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
    const ingress = this.row('Ingress', server, family);
    const { distinct, ofClass } = getOrAdd(this.clientRows, family, () => this.distinctRows(family));
    const column = Uint32Array.from(distinct, (row) => row[server] ?? 0);
    const { both } = this;
    for (let client = 0; client < ofClass.length; client++) into[client] = both(column[ofClass[client] ?? 0] ?? 0, ingress[client] ?? 0);
  }

  private distinctRows(family: AddressFamily): ClientRows {
    const numbers = new Map<Row, number>();
    const ofClass = Uint32Array.from(this.state.universe.classes, ({ id }) =>
      getOrAdd(numbers, this.row('Egress', id, family), () => numbers.size),
    );
    return { distinct: [...numbers.keys()], ofClass };
  }

  /** The places are where each is found in the other's row: its id, or its second place for the own node. */
  private overFamilies(client: number, server: number, clientPlace: number, serverPlace: number): number {
    const bits = this.state.dependsOnFamily ? this.commonBits(client, server) : 1;
    const over = (family: AddressFamily): number =>
      this.both(this.row('Egress', client, family)[serverPlace] ?? 0, this.row('Ingress', server, family)[clientPlace] ?? 0);
    if (bits !== 3) return over(bits === 1 ? 'IPv4' : 'IPv6');
    return this.algebra.eitherFamily(over('IPv4'), over('IPv6'));
  }

  private commonBits(client: number, server: number): number {
    const common = (this.families[client] ?? 0) & (this.families[server] ?? 0);
    if (common !== 0) return common;
    const [from, to] = [this.addressed[client], this.addressed[server]];
    return from === undefined || to === undefined ? 3 : familyBits(commonFamilies(from, to));
  }

  private row(direction: Direction, id: number, family: AddressFamily): Row {
    const rows = getOrAdd(this.known, `${direction} ${family}`, () => []);
    const known = rows[id];
    if (known !== undefined) return known;
    const row = this.evaluate(direction, id, family);
    rows[id] = row;
    return row;
  }

  private evaluate(direction: Direction, id: number, family: AddressFamily): Row {
    const { universe, selections, rows } = this.state;
    const speaking = (selections[id] ?? []).filter(({ policy }) => rulesOf(policy, direction) !== undefined);
    const subject = universe.classes[id]?.peers[0];
    if (subject === undefined) throw new Error(`no class has the id ${id}`);
    const traits = speaking.map(({ policy }) => traitsOf(policy, direction));
    const names = direction === 'Ingress' && subject.kind === 'pod' && traits.some(({ named }) => named) ? JSON.stringify(subject.namedPorts) : '';
    const key = [
      direction,
      ...speaking.map(({ policy, certain }) => `${policy.id}${certain ? '' : '?'}`),
      names,
      traits.some(({ addresses }) => addresses) ? family : '',
    ].join();
    return rows.rowFor(key, () =>
      evaluateRow({ decision: decisionOf(speaking, direction), direction, subject, others: universe.others(family), algebra: this.algebra }),
    );
  }
}

interface ClientRows {
  readonly distinct: readonly Row[];
  /** For each class, which of them. */
  readonly ofClass: Uint32Array;
}

/** Whether a row depends on the subject's port names, and on the address family. */
const traitsOf = (policy: CompiledPolicy, direction: Direction): { readonly named: boolean; readonly addresses: boolean } => {
  const rules = rulesOf(policy, direction) ?? [];
  return {
    named: rules.some(({ ports }) => ports.named),
    addresses: rules.some(({ peers }) => peers.entries.some(({ kind }) => kind === 'addresses')),
  };
};

const familyBits = (families: readonly AddressFamily[]): number =>
  (families.includes('IPv4') ? 1 : 0) + (families.includes('IPv6') ? 2 : 0);
