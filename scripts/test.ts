import { spawnSync } from 'node:child_process';
import { controlPlaneBinaries, findBinaries } from '../test/cluster/binaries.ts';
import { findLeftovers, surveyMachine } from '../test/cluster/leftovers.ts';
import { findNodeObstacles } from '../test/cluster/node.ts';

// `npm test`: runs the levels of tests in turn (or those that are named), each with its report in test-results/LEVEL.json. A level that
// this machine cannot run is named, with the reason and what to install. In CI that is a failure, and missing binaries are built.

interface Level {
  readonly name: string;
  /** Why it cannot run here, and what to do about it; `undefined` when it can. */
  readonly obstacle: () => Promise<string | undefined>;
  /** Afterwards the machine has to be as it was before, however the tests ended. */
  readonly leavesNothing?: boolean;
}

const inContinuousIntegration = (process.env['CI'] ?? '') !== '' && process.env['CI'] !== 'false';

const missingBinaries = async (): Promise<string | undefined> => {
  const { missing } = await findBinaries(controlPlaneBinaries);
  const reasons = new Map(missing.map(({ reason, remedy }) => [reason, remedy]));
  return missing.length === 0
    ? undefined
    : `${missing.map(({ name }) => name).join(', ')}: ${[...reasons].map(([reason, remedy]) => `${reason}; ${remedy}`).join('. ')}`;
};

/** The second opinion on network policies needs Go once, to be built: without it that one test is left out. */
const sayWithoutGo = (): void => {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    console.log(
      'contract: without Go on PATH the comparisons with cyclonus and with published definitions may be left out: install Go 1.26',
    );
};

const levels: readonly Level[] = [
  { name: 'unit', obstacle: () => Promise.resolve(undefined) },
  { name: 'contract', obstacle: missingBinaries },
  { name: 'e2e', obstacle: async () => (await findNodeObstacles()).join('; ') || undefined, leavesNothing: true },
];

const runNode = (...args: readonly string[]): boolean => spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;

const vitest = (level: string): boolean =>
  runNode(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    level,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=test-results/${level}.json`,
  );

/** What is there now and was not before, or has nobody left who wants it. */
const whatIsLeft = async (before: ReadonlySet<string>): Promise<readonly string[]> => {
  const leftovers = (await findLeftovers()).map(({ what }) => what);
  const after = await surveyMachine();
  return [...leftovers, ...[...after].filter((line) => !before.has(line)).map((line) => `${line} (new)`)];
};

const runLevel = async ({ name, obstacle, leavesNothing }: Level): Promise<string> => {
  if (inContinuousIntegration && (await obstacle()) !== undefined) runNode('test/cluster/build.ts');
  const why = await obstacle();
  if (why === undefined && name === 'contract') sayWithoutGo();
  if (why === undefined) {
    const before = leavesNothing ? await surveyMachine() : new Set<string>();
    const passed = vitest(name);
    const left = leavesNothing ? await whatIsLeft(before) : [];
    for (const line of left) console.log(`${name}: left behind: ${line}`);
    return passed && left.length === 0 ? 'passed' : 'FAILED';
  }
  return inContinuousIntegration ? `FAILED: cannot run here: ${why}` : `skipped: cannot run here: ${why}`;
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => levels.every((level) => level.name !== name));
if (unknown.length > 0) throw new Error(`no such level: ${unknown.join(', ')}; there are ${levels.map(({ name }) => name).join(', ')}`);

const outcomes: string[] = [];
for (const level of levels.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
  outcomes.push(`${level.name}: ${await runLevel(level)}`);
console.log(`\n${outcomes.join('\n')}`);
process.exitCode = outcomes.some((outcome) => outcome.includes(': FAILED')) ? 1 : 0;
