import { join } from 'node:path';
import { beforeEach, inject } from 'vitest';
import { connectRealNode, type RealNode, type RunningProgram, type RunOptions } from '../cluster/node.ts';
import { resetToStartState } from './start-state.ts';

/** The level's node, brought back to the example's start state before each test of the file that asks for it. */
export function useRealNode(): RealNode {
  const node = connectRealNode(inject('realNode'));
  beforeEach(() => resetToStartState(node), 120_000);
  return node;
}

const entry = join(import.meta.dirname, '../../bin/dev.js');

/** poimen as a process in the node's namespace, from its sources. It is killed after two minutes. */
export const poimen = (node: RealNode, args: readonly string[], options: RunOptions = {}): RunningProgram =>
  node.run([process.execPath, entry, ...args], { timeoutMs: 120_000, ...options, env: { NO_COLOR: '1', ...options.env } });

/** An object as kubectl prints it. @throws Error when there is none. */
export async function get<T>(node: RealNode, ...args: readonly string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await node.run(['kubectl', 'get', '--output=json', ...args]);
  if (exitCode !== 0) throw new Error(`kubectl get ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
