import type { Outcome } from '../errors/exit-codes.ts';
import type { Protocol } from '../kubernetes/pod.ts';
import { matrixOf, type Matrix } from '../network/matrix/matrix.ts';
import { evaluateInventory, tableOf } from '../network/matrix/network-state.ts';
import { outsideOf } from '../network/inventory/outside.ts';
import type { Note } from '../network/query/answer.ts';
import type { Context } from './context.ts';
import { loadNetwork } from './load-network.ts';
import { lintNotes, networkNotes } from './network-notes.ts';
import type { NetworkOrigin, NetworkSource } from './network-source.ts';
import { readCni } from './read-cni.ts';

export interface MatrixRequest {
  readonly source: NetworkSource;
  /** Of the pods, behind Services. Absent: all ports. */
  readonly port?: number;
  /** Of `port`; TCP by default. */
  readonly protocol?: Protocol;
  /** A name of `cniProfiles`. */
  readonly cni?: string;
}

/** The keys are a stable interface: schemas/netcheck.v1.json. */
export interface MatrixResult extends Matrix {
  readonly kind: 'matrix';
  readonly source: NetworkOrigin;
  /** What it was narrowed to. */
  readonly port?: { readonly protocol: Protocol; readonly port: number };
  readonly notes: readonly Note[];
}

/**
 * Who reaches whom, on what.
 *
 * @throws PoimenError usage: a source that cannot be used; refused: the cluster cannot be read.
 */
export const netcheckMatrix = async ({ source, port, protocol = 'TCP', cni }: MatrixRequest, context: Context): Promise<MatrixResult> => {
  const profile = readCni(cni);
  const network = await loadNetwork(source, [], context);
  const { inventory } = network;
  const state = evaluateInventory(inventory, outsideOf(inventory.policies), profile);
  const filter = port === undefined ? undefined : { protocol, from: port, to: port };
  return {
    kind: 'matrix',
    source: network.origin,
    ...(port === undefined ? {} : { port: { protocol, port } }),
    ...matrixOf(
      tableOf(state),
      inventory.doubts.map(({ on }) => on),
      filter,
    ),
    notes: [...networkNotes(network), ...lintNotes(inventory.policies, inventory, state.engine)],
  };
};

/** A matrix is no yes or no; what it could not take into account makes it unknown. */
export const outcomeOfMatrix = ({ dependsOn }: MatrixResult): Outcome => (dependsOn.length > 0 ? 'unknown' : 'done');
