/** Starts a control plane with fake kubelets and one GPU node, prints its kubeconfig and stays until Ctrl-C. */
import { startControlPlaneWithFakeNode } from './with-fake-node.ts';

const startedAt = performance.now();
const controlPlane = await startControlPlaneWithFakeNode();
console.error(`ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s; Ctrl-C stops it`);
console.log(`export KUBECONFIG=${controlPlane.kubeconfig}`);

const signal = await new Promise<NodeJS.Signals>((resolve) => {
  const stayAlive = setInterval(() => undefined, 60_000);
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      clearInterval(stayAlive);
      resolve(name);
    });
  }
});
console.error(`${signal}: stopping`);
await controlPlane.stop();
