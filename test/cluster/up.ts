/** Starts a control plane with fake kubelets and one GPU node, prints its kubeconfig and stays until Ctrl-C. */
import { startControlPlane } from './control-plane.ts';
import { createFakeNode, startKwok } from './kwok.ts';

const startedAt = performance.now();
const controlPlane = await startControlPlane();
const kwok = await startKwok(controlPlane);
await createFakeNode(controlPlane);
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
await kwok.stop();
await controlPlane.stop();
