/**
 * What nodes and control planes of the tests left on this machine, although nobody wants them any more: processes, cgroups, folders.
 *
 *   node test/cluster/leftovers.ts            prints it; exit code 1 if there is any
 *   node test/cluster/leftovers.ts --remove   and takes it away
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDirectory } from './binaries.ts';
import { detachedDirectory, type Owner } from './node.ts';
import { cgroupsOf, cleanUpRun, hierarchies, namesIn, processesOf, readProcessFile } from './node/clean-up.ts';
import { command } from './node/command.ts';
import { kubeletSettings } from './node/mounts.ts';
import { runAt, runMark, runPrefix, type NodeRun } from './node/run.ts';

/** What a watchdog may take after its owner has died. */
const patienceMs = 20_000;

interface Leftover {
  readonly what: string;
  readonly remove: () => Promise<void>;
}

/** Runs whose owner lives are none of it. Waits for watchdogs that are still at it. */
export async function findLeftovers(): Promise<readonly Leftover[]> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    const found = [...(await leftNodes()), ...(await leftFolders())];
    if (found.length === 0 || performance.now() > giveUpAt) return found;
    await sleep(200);
  }
}

async function leftNodes(): Promise<readonly Leftover[]> {
  const found: Leftover[] = [];
  for (const run of await findRuns()) {
    if (await isWanted(run)) continue;
    const parts = [
      `folder ${run.directory}`,
      ...processesOf(run).map((pid) => `process ${pid}`),
      ...cgroupsOf(run).map((directory) => `cgroup ${directory}`),
    ];
    found.push({ what: `${run.name}: ${parts.join(', ')}`, remove: () => cleanUpRun(run) });
  }
  return found;
}

/** By what can outlive any of the others: folder, cgroup, mark of a process. */
async function findRuns(): Promise<readonly NodeRun[]> {
  const directories = new Set<string>();
  for (const parent of [tmpdir(), detachedDirectory()])
    for (const name of await namesIn(parent)) if (name.startsWith(runPrefix)) directories.add(join(parent, name));
  for (const hierarchy of hierarchies())
    for (const name of readdirSync(hierarchy))
      if (name.startsWith(runPrefix) && [...directories].every((directory) => runAt(directory).name !== name))
        directories.add(join(tmpdir(), name));
  for (const pid of processIds()) {
    const mark = readProcessFile(pid, 'environ')
      .split('\0')
      .find((entry) => entry.startsWith(`${runMark}=`));
    if (mark !== undefined) directories.add(mark.slice(runMark.length + 1));
  }
  return [...directories].map(runAt);
}

async function isWanted(run: NodeRun): Promise<boolean> {
  const owner = await readFile(join(run.directory, 'owner.json'), 'utf8').then(
    (written) => JSON.parse(written) as Owner,
    () => undefined,
  );
  if (owner === undefined) return false;
  return owner.pid === null ? processesOf(run).length > 0 : processIds().includes(String(owner.pid));
}

/** Of control planes without a node, and of images half built: wanted while a process has the folder in its arguments. */
async function leftFolders(): Promise<readonly Leftover[]> {
  const clusters = (await namesIn(tmpdir())).filter((name) => name.startsWith('poimen-cluster-')).map((name) => join(tmpdir(), name));
  const images = (await namesIn(cacheDirectory()))
    .filter((name) => name.startsWith('images-unfinished-'))
    .map((name) => join(cacheDirectory(), name));
  const commandLines = processIds().map((pid) => readProcessFile(pid, 'cmdline'));
  return [...clusters, ...images]
    .filter((directory) => !commandLines.some((line) => line.includes(directory)))
    .map((directory) => ({ what: `folder ${directory}`, remove: () => rm(directory, { recursive: true, force: true }) }));
}

const processIds = (): readonly string[] => readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));

/**
 * What a node could change for the whole machine if it got out of its namespaces, a line for each thing: mounts, network namespaces and
 * interfaces, firewall rules, kernel settings, folders that kubelet, containerd and the network plugins are used to.
 */
export async function surveyMachine(): Promise<ReadonlySet<string>> {
  const lines = new Set<string>();
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n'))
    lines.add(`mount ${line.split(' ').slice(3, 5).join(' on ')}`);
  for (const folder of [
    '/run/netns',
    '/sys/class/net',
    '/run/containerd',
    '/var/lib/cni',
    '/var/lib/kubelet',
    '/var/lib/containerd',
    '/var/log/pods',
    '/var/log/containers',
    '/srv',
    '/opt',
  ])
    for (const name of await namesIn(folder)) lines.add(`${folder}/${name}`);
  for (const setting of [...kubeletSettings, 'net/ipv4/ip_forward'])
    lines.add(`${setting} = ${await readFile(join('/proc/sys', setting), 'utf8').catch(() => 'absent')}`.trim());
  const rules = await command('iptables-save').catch(() => '');
  for (const line of rules.split('\n')) if (!line.startsWith('#')) lines.add(`firewall ${line.replace(/\[\d+:\d+\]/, '')}`);
  return lines;
}

if (import.meta.main) {
  const leftovers = await findLeftovers();
  for (const { what } of leftovers) console.log(`left behind: ${what}`);
  if (process.argv.includes('--remove')) for (const { remove } of leftovers) await remove();
  else if (leftovers.length > 0) process.exitCode = 1;
}
