import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPolicyEngine } from '../../../src/network/policy/create-policy-engine.ts';
import type { ClassReach, PeerClass, PolicyEngine, PolicyWorld, Reach, Verdict } from '../../../src/network/policy/engine.ts';
import type { PolicyPeer } from '../../../src/network/policy/peer.ts';
import type { PolicyInput } from '../../../src/network/policy/policy-input.ts';
import { evaluateSlowly, type Connection } from './slow-evaluator.ts';
import { randomProtocol, randomWorld, Tape } from './random-world.ts';

// Random clusters: the engine, asked in each of its ways, and the pod-by-pod evaluator give one answer. More than CI's 100,000:
//   POIMEN_POLICY_CASES=1000000 npx vitest run test/network/policy/agreement
const cases = Number(process.env['POIMEN_POLICY_CASES'] ?? 100_000);

const verdictIn = (reach: Reach, { port, protocol }: Connection): Verdict =>
  reach.find((range) => range.protocol === protocol && range.from <= port && port <= range.to)?.verdict ?? 'denied';

const classOf = (engine: PolicyEngine, peer: PolicyPeer): PeerClass => {
  const found = engine.classes().find(({ peers }) => peers.includes(peer));
  if (found === undefined) throw new Error('a peer is in no class');
  return found;
};

/** What a pair of classes says of two of their peers. */
const fromClasses = ({ ports, onOwnNode = ports }: ClassReach, connection: Connection): Verdict => {
  const [elsewhere, own] = [verdictIn(ports, connection), verdictIn(onOwnNode, connection)];
  const { client, server } = connection;
  if (isSelf(connection)) return 'allowed';
  switch (isOwn(client, server)) {
    case undefined:
      return elsewhere === own ? own : 'depends';
    case true:
      return own;
    case false:
      return elsewhere;
  }
};

const isSelf = ({ client, server }: Connection): boolean => client === server && client.kind === 'pod';

/** `undefined`: not known. */
const isOwn = (a: PolicyPeer, b: PolicyPeer): boolean | undefined => {
  const nodeAddressIn = (pod: PolicyPeer, address: PolicyPeer): boolean =>
    pod.kind === 'pod' && address.kind === 'address' && pod.nodeAddresses.includes(address.address);
  if (nodeAddressIn(a, b) || nodeAddressIn(b, a)) return true;
  if (a.kind === 'address' || b.kind === 'address' || (!a.hostNetwork && !b.hostNetwork)) return false;
  return a.nodeName === undefined || b.nodeName === undefined ? undefined : a.nodeName === b.nodeName;
};

const checkWorld = (bytes: Uint8Array): void => {
  const tape = new Tape(bytes);
  const world = randomWorld(tape);
  const [first, ...more] = world.peers;
  if (first === undefined) return;
  const client = tape.choose(first, ...more);
  const server = tape.choose(first, ...more);
  const connection = { client, server, port: tape.choose(80, 81, 53, 54, 1, 65_535), protocol: randomProtocol(tape) };
  const expected = evaluateSlowly(world, connection);

  const engine = createPolicyEngine(world);
  expectSame(engine.path(connection).verdict, expected);
  expectSame(verdictIn(engine.reach(client, server), connection), expected);
  const [from, to] = [classOf(engine, client), classOf(engine, server)];
  expectSame(fromClasses(engine.reachOfClasses(from, to), connection), expected);
  expectSame(fromClasses(engine.reachOf(engine.reachRow(to)[from.id] ?? 0), connection), expected);
  if (tape.choose(true, false)) checkChange(world, tape, connection, expected);
};

/** The same cluster, come about by a change. */
const checkChange = (world: PolicyWorld, tape: Tape, connection: Connection, expected: Verdict): void => {
  const [last] = world.policies.slice(-1);
  if (last === undefined) return;
  const others = world.policies.slice(0, -1);
  const other = randomWorld(tape).policies.find(({ kind }) => kind === last.kind);
  const replaced = other === undefined ? [] : [{ ...other, object: { ...other.object, metadata: last.object.metadata } } as PolicyInput];
  const before = createPolicyEngine({ ...world, policies: tape.choose([...others, ...replaced], others) });
  for (const peerClass of before.classes()) before.reachRow(peerClass);
  const changed = before.withPolicy(last);
  const reach = changed.reachOfClasses(classOf(changed, connection.client), classOf(changed, connection.server));
  expectSame(fromClasses(reach, connection), expected);
  const again = changed.withPolicy({ ...last }).withoutPolicy(last);
  const without = evaluateSlowly({ ...world, policies: others }, connection);
  expectSame(fromClasses(again.reachOfClasses(classOf(again, connection.client), classOf(again, connection.server)), connection), without);
};

const expectSame = (found: Verdict, expected: Verdict): void => {
  if (found !== expected) expect(found).toBe(expected);
};

describe('random clusters', () => {
  it(
    `agree with an evaluation pod by pod: ${cases} of them`,
    () => {
      fc.assert(fc.property(fc.uint8Array({ minLength: 160, maxLength: 160 }), checkWorld), { numRuns: cases });
    },
    cases * 10 + 60_000,
  );
});
