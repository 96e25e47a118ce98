import { compareStates, type PairChange, type ReachDiff } from '../../../src/network/diff/reach-diff.ts';
import { outsideOf } from '../../../src/network/inventory/outside.ts';
import { evaluateInventory } from '../../../src/network/matrix/network-state.ts';
import type { ChangedPorts } from '../../../src/network/matrix/open-ports.ts';
import { inventoryOf } from '../inventory/network-objects.ts';

/** Two states of manifests, each a YAML text. */
export const compare = (before: string, after: string): ReachDiff => {
  const [old, now] = [inventoryOf(before), inventoryOf(after)];
  const outside = outsideOf([...old.policies, ...now.policies]);
  return compareStates(evaluateInventory(old, outside), evaluateInventory(now, outside));
};

/** `a/client[Deployment] -> b/server[Deployment] TCP 1-65535 allowed -> denied` */
export const linesOf = (changes: readonly PairChange[]): readonly string[] =>
  changes.map(({ from, to, ports }) => `${short(from)} -> ${short(to)}: ${ports.map(portText).join(', ')}`);

const portText = ({ protocol, from, to, before, after }: ChangedPorts): string =>
  `${protocol} ${from === to ? from : `${from}-${to}`} ${before} -> ${after}`;

const short = (id: string): string =>
  id.replace('[Deployment]', '').replace('0.0.0.0-255.255.255.255', 'IPv4').replace('::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'IPv6');
