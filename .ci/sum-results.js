// Sums vitest's JSON reports, test-results/LEVEL.json, one for each script `test:LEVEL` of package.json that runs a level of `npm test`.
// A level without a report, and a file that failed before its first test, count as one failed test each.
import { readFileSync } from 'node:fs';

const { scripts = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
const levels = Object.entries(scripts).flatMap(([name, script]) =>
  script === `node scripts/test.ts ${name.slice('test:'.length)}` ? [name.slice('test:'.length)] : [],
);

const sum = { passed: 0, failed: 0, skipped: 0 };
if (levels.length === 0) {
  console.error('package.json has no script test:LEVEL');
  sum.failed += 1;
}
for (const level of levels) {
  const report = read(`test-results/${level}.json`);
  if (report === undefined) {
    console.error(`${level}: no report`);
    sum.failed += 1;
    continue;
  }
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests;
  sum.skipped += report.numPendingTests + report.numTodoTests;
  for (const file of report.testResults) {
    const noTestFailed = !file.assertionResults.some(({ status }) => status === 'failed');
    if (file.status === 'failed' && noTestFailed) {
      console.error(`${level}: ${file.name}: ${file.message}`);
      sum.failed += 1;
    }
  }
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exitCode = sum.failed === 0 ? 0 : 1;

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
