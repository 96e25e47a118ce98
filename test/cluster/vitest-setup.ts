import { controlPlaneBinaries, ensureBinaries } from './binaries.ts';

/** A global setup of vitest, which no hook's timeout cuts short: the first build takes minutes. */
export async function setup(): Promise<void> {
  await ensureBinaries(controlPlaneBinaries);
}
