import type { RealNode, RunningProgram } from '../cluster/node.ts';

/** One question from poimen-memory's pod; a line of JSON tells what it saw. */
export const askFromClient = (node: RealNode, url: string): RunningProgram =>
  node.run(['kubectl', 'exec', '--namespace=poimen', 'deployment/poimen-memory', '--', 'stand-in', 'ask', url, '--timeout=500ms']);
