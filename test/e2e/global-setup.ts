import type { TestProject } from 'vitest/node';
import { findNodeObstacles, startRealNode, type RealNodeAccess } from '../cluster/node.ts';
import { loadExample } from './example.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly realNode: RealNodeAccess;
  }
}

/** One node with the example loaded, for all files of the level. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const obstacles = await findNodeObstacles();
  if (obstacles.length > 0) throw new Error(`no real node can be started here: ${obstacles.join('; ')}`);
  const startedAt = performance.now();
  const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const node = await startRealNode({ onProgress: (line) => process.stderr.write(`e2e: ${seconds()}: ${line}\n`) });
  try {
    await loadExample(node);
  } catch (error) {
    await node.stop();
    throw error;
  }
  process.stderr.write(`e2e: ${seconds()}: the node is ready, with the example on it\n`);
  project.provide('realNode', node.access);
  return () => node.stop();
}
