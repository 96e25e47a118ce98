import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageDirectory } from './commands.ts';
import { median, milliseconds, type Figure } from './figure.ts';
import type { NetworkPolicyCost } from './network-policy-process.ts';
import { syntheticCluster, type ClusterShape } from './synthetic-cluster.ts';

const large: ClusterShape = { pods: 10_000, policies: 2000, podsOfApp: 10, alike: true };
const small: ClusterShape = { ...large, pods: 1000, podsOfApp: 1 };
const different: ClusterShape = { ...large, alike: false };

/** The policy engine on large clusters, each time in a process of its own. Ratios are within one process, and the median of them is shown. */
export const measureNetworkPolicy = async (rounds: number): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  try {
    const files = await Promise.all(
      [small, large, different].map(async (shape, index) => {
        const file = join(folder, `${index}.json`);
        await writeFile(file, syntheticCluster(shape));
        return file;
      }),
    );
    const costs: NetworkPolicyCost[][] = files.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [index, file] of files.entries()) costs[index]?.push(await evaluate(file, index < 2));
    const [few = [], many = [], single = []] = costs;
    return [
      allPairs('10,000 pods, 2,000 policies: all pairs', many, 3),
      allPairs('the same, policies that tell every pod apart', single, 10),
      memory('10,000 pods, 2,000 policies: peak memory of the process, MB', many),
      memory('the same, policies that tell every pod apart', single),
      change('one policy changed, re-evaluated', many),
      change('the same, policies that tell every pod apart', single),
      query('one query on the loaded cluster, explained', many),
      query('the same, policies that tell every pod apart', single),
      growth('all pairs', 'allPairsMs', few, many),
      growth('the table of --matrix, bare pods', 'matrixMs', few, many),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
};

const evaluate = async (file: string, withMatrix: boolean): Promise<NetworkPolicyCost> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(packageDirectory, 'bench/network-policy-process.ts'),
    file,
    ...(withMatrix ? ['matrix'] : []),
  ]);
  return JSON.parse(stdout);
};

type Part = 'parseMs' | 'allPairsMs' | 'changeMs' | 'queryMs' | 'matrixMs' | 'peakMegabytes' | 'classes';

const medianOf = (costs: readonly NetworkPolicyCost[], part: Part): number => median(costs.map((cost) => cost[part]));

const ratioOf = (costs: readonly NetworkPolicyCost[], part: Part, base: Part): number =>
  median(costs.map((cost) => cost[part] / cost[base]));

const allPairs = (what: string, costs: readonly NetworkPolicyCost[], atMost: number): Figure => ({
  what: `${what} (${medianOf(costs, 'classes')} classes)`,
  against: '`JSON.parse` of the objects',
  value: ratioOf(costs, 'allPairsMs', 'parseMs'),
  atMost,
  medians: { 'all pairs': milliseconds(medianOf(costs, 'allPairsMs')), 'JSON.parse': milliseconds(medianOf(costs, 'parseMs')) },
  rounds: costs.length,
});

const memory = (what: string, costs: readonly NetworkPolicyCost[]): Figure => ({
  what,
  value: Math.round(medianOf(costs, 'peakMegabytes')),
  atMost: 200,
  medians: {},
  rounds: costs.length,
});

const change = (what: string, costs: readonly NetworkPolicyCost[]): Figure => ({
  what,
  against: 'the full evaluation',
  value: ratioOf(costs, 'changeMs', 'allPairsMs'),
  atMost: 0.1,
  medians: { change: milliseconds(medianOf(costs, 'changeMs')) },
  rounds: costs.length,
});

const query = (what: string, costs: readonly NetworkPolicyCost[]): Figure => ({
  what,
  against: 'the full evaluation',
  value: ratioOf(costs, 'queryMs', 'allPairsMs'),
  atMost: 0.05,
  medians: { query: milliseconds(medianOf(costs, 'queryMs')) },
  rounds: costs.length,
});

/** Ten times the pods: below 10 is below linear. */
const growth = (what: string, part: Part, few: readonly NetworkPolicyCost[], many: readonly NetworkPolicyCost[]): Figure => ({
  what: `${what}, 10,000 pods`,
  against: `${what}, 1,000 pods, the same labels and policies`,
  value: medianOf(many, part) / medianOf(few, part),
  atMost: 10,
  medians: { '10,000': milliseconds(medianOf(many, part)), '1,000': milliseconds(medianOf(few, part)) },
  rounds: few.length,
});
