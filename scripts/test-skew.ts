/**
 * `npm run test:skew`: the contract suite on a control plane of a later Kubernetes minor, whose binaries are built when they are missing.
 * What differs has to be what test/contract/version-skew.ts lists, no more and no less. Writes docs/version-skew.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { controlPlaneBinaries, ensureBinaries, laterMinor, minorVariable } from '../test/cluster/binaries.ts';
import { changedIn136 } from '../test/contract/version-skew.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly title: string; readonly fullName: string; readonly status: string }[];
  }[];
}

/** What is about this project's own cluster and client, whatever the minor, is left out. */
const suites = ['test/contract/api', 'test/contract/controllers', 'test/contract/hand-over/hand-over.test.ts', 'test/contract/bad-input'];

process.env[minorVariable] = laterMinor;
const { 'kube-apiserver': apiServer } = await ensureBinaries(controlPlaneBinaries);
const version = spawnSync(apiServer, ['--version'], { encoding: 'utf8' }).stdout.trim().replace('Kubernetes ', '');

const reportFile = 'test-results/skew.json';
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=contract', ...suites];
spawnSync(process.execPath, [...vitest, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`], { stdio: 'inherit' });
const { testResults } = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;

const onRealOne = testResults
  .flatMap(({ assertionResults }) => assertionResults)
  .filter(({ fullName }) => fullName.includes('on a real control plane'));
const failed = testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'failed');
const brokenFiles = testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0);
const unexpected = failed.filter(({ title }) => changedIn136.every(({ behaviour }) => behaviour !== title));
const unchanged = changedIn136.filter(({ behaviour }) => failed.every(({ title }) => title !== behaviour));

const problems = [
  ...brokenFiles.map(({ name }) => `${name} did not run`),
  ...unexpected.map(({ fullName }) => `differs, and is not listed: ${fullName}`),
  ...unchanged.map(({ behaviour }) => `listed, and does not differ: ${behaviour}`),
  ...(onRealOne.length === 0 ? ['no behaviour was tried on the control plane'] : []),
];
for (const problem of problems) console.error(problem);

if (problems.length === 0) {
  const rows = changedIn136.map(
    ({ behaviour, change, reference, poimen }) => `| ${behaviour} | ${change} ([announced](${reference})) | ${poimen} |`,
  );
  writeFileSync(
    'docs/version-skew.md',
    `# Version skew

\`npm run test:skew\` wrote this page on ${new Date().toISOString().slice(0, 10)}. It runs the contract suite, which is written for the minor that the other tests use, on a
control plane of ${version}: of ${onRealOne.length} behaviours, ${onRealOne.length - changedIn136.length} are the same, and ${changedIn136.length} differ, as listed. It is not part of \`npm test\`.

| behaviour | in ${laterMinor} | poimen |
|---|---|---|
${rows.join('\n')}
`,
  );
}
process.exitCode = problems.length === 0 ? 0 : 1;
