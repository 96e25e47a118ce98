import type { TestProject } from 'vitest/node';
import { controlPlaneBinaries, ensureBinaries, findBinaries } from '../cluster/binaries.ts';
import { startControlPlaneWithFakeNode } from '../cluster/with-fake-node.ts';

/** The real control plane that the contract suite runs against, or why there is none. */
export interface RealControlPlane {
  readonly kubeconfig?: string;
  readonly missing?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly realControlPlane: RealControlPlane;
  }
}

/** Starts one control plane with a node for all files. Without the binaries the level is skipped and says so; with CI set they are built. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.CI === 'true') await ensureBinaries(controlPlaneBinaries);
  const { missing } = await findBinaries(controlPlaneBinaries);
  if (missing.length > 0) {
    const reasons = missing.map(({ name, reason, remedy }) => `${name} is ${reason}; ${remedy}`).join('\n  ');
    process.stderr.write(`contract: the real control plane is left out:\n  ${reasons}\n`);
    project.provide('realControlPlane', { missing: missing.map(({ name }) => name).join(', ') });
    return async () => undefined;
  }
  const controlPlane = await startControlPlaneWithFakeNode();
  project.provide('realControlPlane', { kubeconfig: controlPlane.kubeconfig });
  return () => controlPlane.stop();
}
