import { startControlPlane, type ControlPlane, type ControlPlaneOptions } from './control-plane.ts';
import { createFakeNode, startKwok } from './kwok.ts';

/** A control plane with kwok and its one node with four GPUs. Nothing is left when one of them does not start. */
export async function startControlPlaneWithFakeNode(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const controlPlane = await startControlPlane(options);
  try {
    await startKwok(controlPlane);
    await createFakeNode(controlPlane);
    return controlPlane;
  } catch (error) {
    await controlPlane.stop();
    throw error;
  }
}
