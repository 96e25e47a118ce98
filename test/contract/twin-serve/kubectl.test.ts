import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneBinaries, findBinaries } from '../../cluster/binaries.ts';
import { excusedDifferences, withoutExcused } from './excused.ts';
import { normalize, tableCells } from './normalize.ts';
import { runProgram, type Ran } from './run-program.ts';
import { quickExample, startRealCluster, startServedTwin, type ServedCluster } from './subjects.ts';
import { transcript, type Entry } from './transcript.ts';

const { found, missing } = await findBinaries(controlPlaneBinaries);
const leftOut = missing.length === 0 ? '' : ` (left out: ${missing.map(({ name }) => name).join(', ')} missing)`;

it('at most five differences are excused', () => {
  expect(excusedDifferences.length).toBeLessThanOrEqual(5);
});

describe.skipIf(missing.length > 0)(`One transcript of kubectl, on the served twin and on a real control plane${leftOut}`, () => {
  let clusters: readonly ServedCluster[] = [];
  let folder = '';
  let example = '';

  beforeAll(async () => {
    clusters = await Promise.all([startServedTwin(), startRealCluster()]);
    folder = await mkdtemp(join(tmpdir(), 'poimen-kubectl-'));
    example = await quickExample();
  });

  afterAll(async () => {
    await Promise.all(clusters.map((cluster) => cluster.close()));
    await rm(folder, { recursive: true });
    await rm(example, { recursive: true });
  });

  const kubectl = async (cluster: ServedCluster, { run, input, until, meanwhile }: Entry): Promise<Ran> => {
    let other: Promise<Ran> | undefined;
    const ran = await runProgram(
      found.kubectl ?? '',
      run.split(' ').map((word) => word.replaceAll('~', ' ')),
      {
        cwd: example,
        env: { HOME: folder, KUBECONFIG: cluster.kubeconfig },
        ...(input === undefined ? {} : { input }),
        ...(until === undefined ? {} : { until: (stdout: string) => until.test(stdout) }),
        ...(meanwhile === undefined ? {} : { began: () => void (other = kubectl(cluster, { run: meanwhile })) }),
      },
    );
    if (other !== undefined) expect(await other).toMatchObject({ exitCode: 0 });
    return ran;
  };

  for (const [index, entry] of transcript.entries()) {
    it(`${index + 1}. kubectl ${entry.run}${entry.meanwhile === undefined ? '' : `; meanwhile ${entry.meanwhile}`}`, async () => {
      const [twin, real] = await Promise.all(clusters.map((cluster) => kubectl(cluster, entry)));
      if (twin === undefined || real === undefined) throw new Error('two clusters are needed');
      expect(shown(twin, entry)).toEqual(shown(real, entry));
    });
  }
});

const shown = (ran: Ran, { run, compare = 'text' }: Entry): unknown => {
  const { exitCode } = ran;
  const [stdout, stderr] = [withoutExcused(ran.stdout), normalize(withoutExcused(ran.stderr))];
  switch (compare) {
    case 'table':
      return { exitCode, stdout: tableCells(stdout), stderr };
    case 'columns':
      return { exitCode, stdout: tableCells(stdout)[0], stderr };
    case 'end':
      return { exitCode, stdout: normalize(stdout).trimEnd().split('\n').at(-1), stderr };
    case 'ends': {
      const lines = tableCells(stdout.trimEnd());
      return { exitCode, stdout: [lines[0], lines.at(-1)], stderr };
    }
    case 'text':
      return {
        exitCode,
        stdout: run.startsWith('get --raw') && stdout.startsWith('{') ? JSON.parse(normalize(stdout)) : normalize(stdout).trimEnd(),
        stderr,
      };
  }
};
