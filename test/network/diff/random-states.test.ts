import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Inventory } from '../../../src/network/inventory/inventory.ts';
import { outsideOf } from '../../../src/network/inventory/outside.ts';
import type { NetworkPeer } from '../../../src/network/inventory/peers.ts';
import { compareStates, type PairChange, type ReachDiff } from '../../../src/network/diff/reach-diff.ts';
import { evaluateInventory, tableOf } from '../../../src/network/matrix/network-state.ts';
import { connectionsOf, matrixOf } from '../../../src/network/matrix/matrix.ts';
import type { PodPeer } from '../../../src/network/policy/peer.ts';
import type { PolicyWorld } from '../../../src/network/policy/engine.ts';
import { randomWorld, Tape } from '../policy/random-world.ts';

/** Each pod a workload of its own. */
const inventoryOf = (pods: readonly PodPeer[], { namespaces, nodes = [] }: PolicyWorld, policies: PolicyWorld['policies']): Inventory => ({
  peers: pods.map((peer): NetworkPeer => ({
    id: `${peer.namespace}/${peer.name}[Pod]`,
    namespace: peer.namespace,
    name: peer.name,
    kind: 'Pod',
    pods: [{ peer, owners: [], hostPorts: [] }],
    templateOnly: false,
    podCount: 1,
  })),
  namespaces,
  nodes,
  services: [],
  policies,
  policySources: new Map(),
  doubts: [],
  gaps: [],
  entrances: [],
});

const tapes = fc.tuple(fc.uint8Array({ minLength: 80, maxLength: 200 }), fc.uint8Array({ minLength: 80, maxLength: 200 }));

/** Two states of the same pods, under different policies. */
const statesOf = ([bytes, otherBytes]: readonly [Uint8Array, Uint8Array]) => {
  const world = randomWorld(new Tape(bytes));
  const other = randomWorld(new Tape(otherBytes));
  const pods = world.peers.filter((peer) => peer.kind === 'pod');
  const outside = outsideOf([...world.policies, ...other.policies]);
  return [world.policies, other.policies].map((policies) => evaluateInventory(inventoryOf(pods, world, policies), outside, world.cni));
};

const mirrored = (pairs: readonly PairChange[]): unknown =>
  pairs.map(({ from, to, ports }) => ({
    from,
    to,
    ports: ports.map(({ before, after, ...range }) => ({ ...range, before: after, after: before })),
  }));
const plain = (pairs: readonly PairChange[]): unknown => pairs.map(({ from, to, ports }) => ({ from, to, ports }));

const everyPair = ({ added, removed, changed }: ReachDiff): readonly PairChange[] => [...added, ...removed, ...changed];

describe('compareStates, on random clusters', () => {
  it('finds nothing between a state and itself', () => {
    fc.assert(
      fc.property(tapes, (bytes) => {
        const [state] = statesOf(bytes);
        if (state === undefined) return;
        expect(compareStates(state, state)).toEqual({ added: [], removed: [], changed: [], changes: [], dependsOn: [] });
      }),
      { numRuns: 200 },
    );
  });

  it('finds the other way round what it found this way', () => {
    fc.assert(
      fc.property(tapes, (bytes) => {
        const [one, other] = statesOf(bytes);
        if (one === undefined || other === undefined) return;
        const [there, back] = [compareStates(one, other), compareStates(other, one)];
        expect(plain(back.removed)).toEqual(mirrored(there.added));
        expect(plain(back.added)).toEqual(mirrored(there.removed));
        expect(plain(back.changed)).toEqual(mirrored(there.changed));
      }),
      { numRuns: 200 },
    );
  });

  it('says of each pair what the engine says of its pods, and always why', () => {
    fc.assert(
      fc.property(tapes, (bytes) => {
        const [one, other] = statesOf(bytes);
        if (one === undefined || other === undefined) return;
        const pairs = everyPair(compareStates(one, other));
        for (const { pods: clients, id: from } of one.inventory.peers) {
          for (const { pods: servers, id: to } of one.inventory.peers) {
            const [client, server] = [clients[0]?.peer, servers[0]?.peer];
            if (client === undefined || server === undefined || client === server) continue;
            const isSame = JSON.stringify(one.engine.reach(client, server)) === JSON.stringify(other.engine.reach(client, server));
            const pair = pairs.find((candidate) => candidate.from === from && candidate.to === to);
            expect(pair === undefined, `${from} -> ${to}`).toBe(isSame);
            expect(pair?.because).not.toEqual([]);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('matrixOf, on random clusters', () => {
  it('says of each pair of pods what the engine says', () => {
    fc.assert(
      fc.property(tapes, (bytes) => {
        const [state] = statesOf(bytes);
        if (state === undefined) return;
        const connections = [...connectionsOf(matrixOf(tableOf(state), []))];
        for (const { pods: clients, id: from } of state.inventory.peers) {
          for (const { pods: servers, id: to } of state.inventory.peers) {
            const [client, server] = [clients[0]?.peer, servers[0]?.peer];
            if (client === undefined || server === undefined || client === server) continue;
            const found = connections.find((candidate) => candidate.from === from && candidate.to === to)?.ports ?? [];
            expect(found, `${from} -> ${to}`).toEqual(state.engine.reach(client, server));
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
