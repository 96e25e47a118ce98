import type { Inventory } from '../inventory/inventory.ts';
import { createPolicyEngine } from '../policy/create-policy-engine.ts';
import type { CniFacts } from '../policy/cni-facts.ts';
import type { PolicyEngine, PolicyWorld } from '../policy/engine.ts';
import type { AddressPeer } from '../policy/peer.ts';
import { gatherBarePods } from './bare-pods.ts';
import { createReachTable, type ReachTable } from './reach-table.ts';
import type { TellApart } from './table-peers.ts';

/** What is there, and the engine that judges it. */
export interface NetworkState {
  readonly inventory: Inventory;
  readonly engine: PolicyEngine;
}

/** `outside`: the addresses to judge besides the pods; see `outsideOf`. */
export const evaluateInventory = (inventory: Inventory, outside: readonly AddressPeer[], cni?: CniFacts): NetworkState => ({
  inventory,
  engine: createPolicyEngine(worldOf(inventory, outside, cni)),
});

export const worldOf = (
  { policies, namespaces, nodes, peers }: Inventory,
  outside: readonly AddressPeer[],
  cni?: CniFacts,
): PolicyWorld => ({
  policies,
  namespaces,
  nodes,
  peers: [...peers.flatMap(({ pods }) => pods.map(({ peer }) => peer)), ...outside],
  ...(cni === undefined ? {} : { cni }),
});

/** `apart`: ids of bare pods that are not gathered with their likes. */
export const tableOf = ({ inventory, engine }: NetworkState, apart?: ReadonlySet<string>, tellApart?: TellApart): ReachTable =>
  createReachTable({
    engine,
    workloads: gatherBarePods(inventory.peers, apart),
    doubts: inventory.doubts,
    ...(tellApart === undefined ? {} : { tellApart }),
  });
