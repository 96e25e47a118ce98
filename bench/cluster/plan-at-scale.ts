import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectLive } from '../../src/cluster/live/connect-live.ts';
import { readAuditLog } from '../../test/cluster/audit-log.ts';
import { bystanderApp, createBystanders, createPlainNodes } from '../../test/cluster/bystanders.ts';
import { startControlPlane, type ControlPlane } from '../../test/cluster/control-plane.ts';
import { startCountingProxy, type CountingProxy } from '../../test/cluster/counting-proxy.ts';
import { createFakeNode, startKwok } from '../../test/cluster/kwok.ts';
import { packageDirectory, poimen } from '../commands.ts';
import { median, type Figure } from '../figure.ts';
import { runbook } from './plan-beside-kubectl.ts';
import { createWorkload, namespace, untilServing } from './workload.ts';

const sizes = [100, 10_000] as const;
const others = { namespaces: 40, nodes: 20 };
const user = 'poimen';

interface PlanCost {
  readonly wallMs: number;
  /** Of one `kubectl get deployments` right after it: what machine and server had to spare. */
  readonly kubectlMs: number;
  readonly requests: number;
  readonly receivedBytes: number;
  readonly peakMegabytes: number;
}

/** A whole `poimen plan` of one hand-over, with few and with many pods of others in the cluster. */
export const measurePlanAtScale = async (rounds: number): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  const auditLog = join(folder, 'audit.log');
  const controlPlane = await startControlPlane({ auditLog, users: [{ name: user, groups: ['system:masters'] }] });
  const proxy = await startCountingProxy(controlPlane.server);
  const { cluster } = await connectLive({ kubeconfig: controlPlane.kubeconfig, requestTimeoutMs: 60_000, env: {} });
  try {
    await startKwok(controlPlane, { ignoredApp: bystanderApp });
    await createFakeNode(controlPlane);
    await createPlainNodes(controlPlane, others);
    await createWorkload(controlPlane);
    await untilServing(controlPlane);
    const plan = await planCommand(folder, controlPlane, proxy);
    const costs: (readonly PlanCost[])[] = [];
    let before = 0;
    for (const size of sizes) {
      await createBystanders(cluster, size - before, others, before);
      before = size;
      const measured: PlanCost[] = [];
      for (let round = -1; round < rounds; round++) {
        const cost = await measurePlan(plan, proxy, auditLog);
        const kubectlMs = await measureKubectl(controlPlane);
        if (round >= 0) measured.push({ ...cost, kubectlMs });
      }
      costs.push(measured);
    }
    return figuresOf(costs, rounds);
  } finally {
    await cluster.close();
    await proxy.close();
    await controlPlane.stop();
    await rm(folder, { recursive: true });
  }
};

interface PlanCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly peakMemoryFile: string;
}

const planCommand = async (folder: string, controlPlane: ControlPlane, proxy: CountingProxy): Promise<PlanCommand> => {
  const kubeconfig = join(folder, 'kubeconfig');
  const own = await readFile(controlPlane.users[user]?.kubeconfig ?? '', 'utf8');
  await writeFile(kubeconfig, own.replaceAll(controlPlane.server, proxy.url));
  const file = join(folder, 'model.yaml');
  await writeFile(file, JSON.stringify(runbook));
  const peakMemoryFile = join(folder, 'peak');
  const { command, args } = poimen(['plan', file, '--no-probe']);
  const preload = ['--import', join(packageDirectory, 'bench/peak-memory.ts')];
  return {
    command,
    args: [...preload, ...args],
    env: { ...process.env, KUBECONFIG: kubeconfig, HOME: controlPlane.dataDirectory, PEAK_MEMORY_FILE: peakMemoryFile },
    peakMemoryFile,
  };
};

const measurePlan = async (
  { command, args, env, peakMemoryFile }: PlanCommand,
  proxy: CountingProxy,
  auditLog: string,
): Promise<Omit<PlanCost, 'kubectlMs'>> => {
  const made = await countRequests(auditLog);
  proxy.takeReceivedBytes();
  const startedAt = performance.now();
  await promisify(execFile)(command, args, { env });
  const wallMs = performance.now() - startedAt;
  return {
    wallMs,
    requests: (await countRequests(auditLog)) - made,
    receivedBytes: proxy.takeReceivedBytes(),
    peakMegabytes: Number(await readFile(peakMemoryFile, 'utf8')) / 1024,
  };
};

const measureKubectl = async ({ kubectl, kubeconfig, dataDirectory }: ControlPlane): Promise<number> => {
  const startedAt = performance.now();
  await promisify(execFile)(kubectl, ['--kubeconfig', kubeconfig, 'get', 'deployments', '-n', namespace], {
    env: { ...process.env, HOME: dataDirectory },
  });
  return performance.now() - startedAt;
};

const countRequests = async (auditLog: string): Promise<number> =>
  (await readAuditLog(auditLog)).filter((request) => request.user === user).length;

const figuresOf = ([few = [], many = []]: readonly (readonly PlanCost[])[], rounds: number): readonly Figure[] => {
  const compare = (what: string, atMost: number, valueOf: (cost: PlanCost) => number, show: (value: number) => string): Figure => {
    const [small, large] = [median(few.map(valueOf)), median(many.map(valueOf))];
    return {
      what: `a whole \`poimen plan\` among ${sizes[1].toLocaleString('en')} pods of others: ${what}`,
      against: `among ${sizes[0]}`,
      value: large / small,
      atMost,
      medians: { [String(sizes[0])]: show(small), [sizes[1].toLocaleString('en')]: show(large) },
      rounds,
    };
  };
  return [
    compare(
      'wall, beside `kubectl get deployments`',
      1.25,
      ({ wallMs, kubectlMs }) => wallMs / kubectlMs,
      (ratio) => `${ratio.toFixed(2)} times kubectl`,
    ),
    compare('requests', 1, ({ requests }) => requests, String),
    compare(
      'bytes received',
      1.1,
      ({ receivedBytes }) => receivedBytes,
      (bytes) => `${(bytes / 1024).toFixed(0)} KiB`,
    ),
    compare(
      'peak memory',
      1.1,
      ({ peakMegabytes }) => peakMegabytes,
      (megabytes) => `${megabytes.toFixed(0)} MB`,
    ),
  ];
};
