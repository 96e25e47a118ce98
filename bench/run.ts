/**
 * Measures poimen against its peers and a bare Node, side by side in one run, and writes docs/benchmarks.md.
 *
 *   npm run bench                 everything
 *   npm run bench -- start-up     one part (start-up, twin, manifests, network-policy, network-snapshot, plan-at-scale, control-plane, real-node): printed, not written
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageDirectory } from './commands.ts';
import { measureOnControlPlane } from './cluster/measure-on-control-plane.ts';
import { measurePlanAtScale } from './cluster/plan-at-scale.ts';
import type { Figure } from './figure.ts';
import { measureManifests } from './manifests.ts';
import { measureNetworkPolicy } from './network-policy.ts';
import { measureNetworkSnapshot } from './cluster/network-snapshot.ts';
import { measureOnRealNode } from './real-node/measure-on-real-node.ts';
import { renderPage, renderTable } from './report.ts';
import { measureStartUp } from './start-up.ts';
import { measureTwinHandOver } from './twin-hand-over.ts';

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  'start-up': () => measureStartUp(15),
  twin: () => measureTwinHandOver(15),
  manifests: () => measureManifests(11),
  'network-policy': () => measureNetworkPolicy(7),
  'network-snapshot': () => measureNetworkSnapshot(5),
  'plan-at-scale': () => measurePlanAtScale(7),
  'control-plane': () => measureOnControlPlane(6),
  'real-node': () => measureOnRealNode(10),
};

const [, , part] = process.argv;
const chosen = part === undefined ? Object.entries(parts) : Object.entries(parts).filter(([name]) => name === part);
if (chosen.length === 0) throw new Error(`no part ${part}: there are ${Object.keys(parts).join(', ')}`);

const figures: Figure[] = [];
for (const [name, measure] of chosen) {
  console.error(`measuring: ${name}`);
  figures.push(...(await measure()));
}
console.log(renderTable(figures));
if (part === undefined) {
  await writeFile(join(packageDirectory, 'docs/benchmarks.md'), renderPage(figures));
}
