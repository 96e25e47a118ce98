/** Reads everything that netcheck reads of a cluster, in a process of its own; prints how many pods it has, and what it cost. */
import { connectLive } from '../../src/cluster/live/connect-live.ts';
import { takeInventory } from '../../src/network/inventory/inventory.ts';
import { readClusterNetwork } from '../../src/operations/read-cluster-network.ts';

const [, , kubeconfig = ''] = process.argv;
const { cluster } = await connectLive({ kubeconfig, requestTimeoutMs: 60_000, env: {} });
const { objects, gaps } = await readClusterNetwork(cluster, []);
const { peers } = takeInventory(
  objects.map((object) => ({ object })),
  gaps,
);
await cluster.close();
console.log(
  JSON.stringify({ pods: peers.reduce((sum, { pods }) => sum + pods.length, 0), peakMegabytes: process.resourceUsage().maxRSS / 1024 }),
);
