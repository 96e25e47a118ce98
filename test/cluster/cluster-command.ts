/** `npm run cluster -- up | shell [COMMAND...] | down`: a real node with the example on it, for a person to try things on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadExample } from '../e2e/example.ts';
import { environmentOf, detachedDirectory, findNodeObstacles, readAccess, startRealNode, type RealNodeAccess } from './node.ts';
import { cleanUpRun, namesIn, processesOf } from './node/clean-up.ts';
import { runAt, runPrefix, type NodeRun } from './node/run.ts';

const usage = `usage: npm run cluster -- up                 start it and load examples/llm-serving
       npm run cluster -- shell [COMMAND]    a shell inside, or one command: kubectl and poimen are on PATH
       npm run cluster -- down               end it; nothing is left
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function up(): Promise<number> {
  const running = await findRunning();
  if (running !== undefined) {
    say(`it is up already: npm run cluster -- shell`);
    return 0;
  }
  const obstacles = await findNodeObstacles();
  const toBuild = obstacles.filter((obstacle) => !obstacle.includes('npm run cluster:build')); // that is done here
  if (toBuild.length > 0) {
    for (const obstacle of toBuild) say(`cannot start a node here: ${obstacle}`);
    return 1;
  }
  for (const run of await findRuns()) await cleanUpRun(run); // of a machine that was switched off, or an `up` that was killed
  await mkdir(detachedDirectory(), { recursive: true });
  const startedAt = performance.now();
  const seconds = (): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const node = await startRealNode({ detachedIn: detachedDirectory(), onProgress: (line) => say(`${seconds()}  ${line}`) });
  say(`${seconds()}  examples/llm-serving`);
  try {
    await loadExample(node);
  } catch (error) {
    await node.stop();
    throw error;
  }
  say(`${seconds()}  up, with the example on it. Its images are stand-ins (test/e2e/README.md).

  npm run cluster -- shell      then, for example: kubectl get pods -A; poimen cutover clef
  npm run cluster -- down`);
  return 0;
}

async function shell(command: readonly string[]): Promise<number> {
  const running = await findRunning();
  if (running === undefined) {
    say('no cluster is up: npm run cluster -- up');
    return 1;
  }
  const program = command.length > 0 ? command : [process.env['SHELL'] ?? '/bin/sh'];
  if (command.length === 0)
    say('a shell inside the node: KUBECONFIG is set, kubectl and poimen are on PATH. exit leaves it; the cluster stays.');
  const child = spawn('nsenter', [`--net=/proc/${running.pid}/ns/net`, ...program], {
    stdio: 'inherit',
    env: { ...process.env, ...environmentOf(running) },
  });
  process.on('SIGINT', () => undefined); // Ctrl-C is for the program in there
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function down(): Promise<number> {
  const runs = await findRuns();
  for (const run of runs) await cleanUpRun(run);
  await rm(detachedDirectory(), { recursive: true, force: true });
  say(runs.length === 0 ? 'no cluster is up' : 'down; nothing is left of it');
  return 0;
}

const findRuns = async (): Promise<readonly NodeRun[]> =>
  (await namesIn(detachedDirectory())).filter((name) => name.startsWith(runPrefix)).map((name) => runAt(join(detachedDirectory(), name)));

async function findRunning(): Promise<RealNodeAccess | undefined> {
  for (const run of await findRuns()) {
    const access = await readAccess(run.directory).catch(() => undefined);
    if (access !== undefined && processesOf(run).includes(access.pid)) return access;
  }
  return undefined;
}

const [verb, ...rest] = process.argv.slice(2);
if (verb === 'up' && rest.length === 0) process.exitCode = await up();
else if (verb === 'shell') process.exitCode = await shell(rest);
else if (verb === 'down' && rest.length === 0) process.exitCode = await down();
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}
