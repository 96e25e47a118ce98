/** One cluster of the bench, from a file with its objects, evaluated once in a process of its own: prints what it cost. */
import { readFileSync } from 'node:fs';
import { createPolicyEngine } from '../src/network/policy/create-policy-engine.ts';
import type { PolicyEngine } from '../src/network/policy/engine.ts';
import { peerOfPod } from '../src/network/policy/peer.ts';
import { policyInputOf } from '../src/network/policy/policy-input.ts';
import type { KubernetesObject } from '../src/kubernetes/object.ts';
import type { Pod } from '../src/kubernetes/pod.ts';

export interface NetworkPolicyCost {
  readonly classes: number;
  /** Pairs of classes of which some port is open. */
  readonly open: number;
  readonly parseMs: number;
  /** From the parsed objects to the ports of every pair. */
  readonly allPairsMs: number;
  /** A policy is replaced: until every pair that it may concern is known again. */
  readonly changeMs: number;
  /** One explained question, the first of its engine. */
  readonly queryMs: number;
  /** From the parsed objects to what `netcheck --matrix` prints: rows of equal clients. Nothing where that was not asked for. */
  readonly matrixMs: number;
  readonly peakMegabytes: number;
}

const [, , file = '', withMatrix] = process.argv;
let text = readFileSync(file, 'utf8');

const timed = <Result>(run: () => Result): [ms: number, result: Result] => {
  const startedAt = performance.now();
  const result = run();
  return [performance.now() - startedAt, result];
};

const createEngine = (objects: readonly KubernetesObject[]): PolicyEngine =>
  createPolicyEngine({
    policies: objects.flatMap((object) => policyInputOf(object) ?? []),
    namespaces: objects.filter((object) => object.kind === 'Namespace'),
    peers: objects.filter((object): object is Pod => object.kind === 'Pod').map(peerOfPod),
  });

const countOpen = (engine: PolicyEngine, servers: ReturnType<PolicyEngine['classes']>): number => {
  const row = new Uint32Array(engine.classes().length);
  const counts = new Map<number, number>(); // by number of the reach
  for (const server of servers) {
    engine.reachRow(server, row);
    let [last, count] = [row[0] ?? 0, 0];
    for (let client = 0; client < row.length; client++) {
      const number = row[client] ?? 0;
      if (number !== last) {
        counts.set(last, (counts.get(last) ?? 0) + count);
        [last, count] = [number, 0];
      }
      count++;
    }
    counts.set(last, (counts.get(last) ?? 0) + count);
  }
  return [...counts].reduce((sum, [number, count]) => sum + (engine.reachOf(number).ports.length > 0 ? count : 0), 0);
};

const [parseMs, objects] = timed((): readonly KubernetesObject[] => JSON.parse(text));
text = ''; // so that memory holds the objects only
const [allPairsMs, { engine, open }] = timed(() => {
  const made = createEngine(objects);
  return { engine: made, open: countOpen(made, made.classes()) };
});

// before the other measurements: they keep a second engine
const peakMegabytes = process.resourceUsage().maxRSS / 1024;

const changed = objects.flatMap((object) => policyInputOf(object) ?? [])[7];
if (changed?.kind !== 'NetworkPolicy') throw new Error('the cluster has too few policies');
const replaced = { ...changed, object: { ...changed.object, spec: { ...changed.object.spec, ingress: [{ ports: [{ port: 9999 }] }] } } };
const [changeMs] = timed(() => {
  const after = engine.withPolicy(replaced);
  const selected = after.classesSelectedBy(replaced);
  countOpen(after, selected);
  for (const client of selected) for (const server of after.classes()) after.reachOfClasses(client, server);
});

const [client, server] = [engine.classes()[3]?.peers[0], engine.classes()[5]?.peers[0]];
if (client === undefined || server === undefined) throw new Error('the cluster has too few classes');
const fresh = createEngine(objects);
const [queryMs] = timed(() => fresh.path({ client, server, port: 8080, protocol: 'TCP' }));

// loaded now, so that they are no part of the peak above
const [{ takeInventory }, { outsideOf }, { evaluateInventory, tableOf }, { matrixOf }] = await Promise.all([
  import('../src/network/inventory/inventory.ts'),
  import('../src/network/inventory/outside.ts'),
  import('../src/network/matrix/network-state.ts'),
  import('../src/network/matrix/matrix.ts'),
]);
const [matrixMs] = timed(() => {
  if (withMatrix === undefined) return;
  const inventory = takeInventory(objects.map((object) => ({ object })));
  matrixOf(tableOf(evaluateInventory(inventory, outsideOf(inventory.policies))), []);
});

const cost: NetworkPolicyCost = { classes: engine.classes().length, open, parseMs, allPairsMs, changeMs, queryMs, matrixMs, peakMegabytes };
console.log(JSON.stringify(cost));
