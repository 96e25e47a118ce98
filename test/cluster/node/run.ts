import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/**
 * One start of a real node. Everything of it that the machine can see bears this name: its folder, its cgroups, and a mark in the
 * environment of its processes. By these the clean-up finds them, whoever comes to do it.
 */
export interface NodeRun {
  readonly name: string;
  /** Holds all its data and logs. */
  readonly directory: string;
}

export const runPrefix = 'poimen-node-';

/** In the environment of every process of a run; the value is the run's folder. */
export const runMark = 'POIMEN_TEST_NODE';

export async function createRun(parent = tmpdir()): Promise<NodeRun> {
  return runAt(await realpath(await mkdtemp(join(parent, runPrefix))));
}

export const runAt = (directory: string): NodeRun => ({ name: basename(directory), directory });

/** Facts that are the same in every node: each has a network namespace to itself. */
export const nodeFacts = {
  nodeName: 'worker-1', // where the example's pods want to go
  address: '172.31.255.2',
  gateway: '172.31.255.1',
  podRange: '10.244.0.0/16',
  serviceRange: '10.96.0.0/16',
  dnsAddress: '10.96.0.10',
  registryPort: 5000,
  /** The host in the example's image references; containerd asks the registry in the namespace for them. */
  registryHost: 'registry.example',
  gpus: '4',
} as const;
