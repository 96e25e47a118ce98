import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bareNode, packageDirectory } from './commands.ts';
import { median, milliseconds, type Figure } from './figure.ts';
import { measureProcess } from './process-cost.ts';

/** The reference hand-over on the twin, each in a process of its own, without loading and planning. */
export const measureTwinHandOver = async (rounds: number): Promise<readonly Figure[]> => {
  const stateFolder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  try {
    const own: number[] = [];
    const bare: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const node = await measureProcess(bareNode);
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(packageDirectory, 'bench/twin-hand-over-process.ts'),
        stateFolder,
      ]);
      if (round < 0) continue;
      bare.push(node.cpuMs);
      own.push(Number(stdout));
    }
    return [
      {
        what: 'reference hand-over on the twin, from the plan to the result: CPU',
        against: '`node -e 0`',
        value: median(own) / median(bare),
        atMost: 1.5,
        medians: { poimen: milliseconds(median(own)), '`node -e 0`': milliseconds(median(bare)) },
        rounds,
      },
    ];
  } finally {
    await rm(stateFolder, { recursive: true });
  }
};
