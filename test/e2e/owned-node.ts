/** Starts a node and says where it is, then waits for its end: an owner that leftovers.test.ts can kill. */
import { startRealNode } from '../cluster/node.ts';

const node = await startRealNode();
process.stdout.write(`${node.access.directory}\n`);
setInterval(() => undefined, 60_000);
