import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startControlPlane, type ControlPlane } from '../../test/cluster/control-plane.ts';
import { benchmarkProfile, createFakeNode, startKwok } from '../../test/cluster/kwok.ts';
import type { Figure } from '../figure.ts';
import { readAuditLog } from '../../test/cluster/audit-log.ts';
import { recordEndpoints } from './endpoint-record.ts';
import { handOver, performers, type Performer } from './hand-over.ts';
import { handOverFigures } from './hand-over-figures.ts';
import { measureHandOver, type HandOverRecord } from './measured-hand-over.ts';
import { comparePlan } from './plan-beside-kubectl.ts';
import { createWorkload, sides, type Side } from './workload.ts';

/** One round: each performer goes there once and back once, and neither goes the same way twice in a row. */
const round: readonly (readonly [performer: Performer, to: Side])[] = [
  ['poimen', 'second'],
  ['script', 'first'],
  ['script', 'second'],
  ['poimen', 'first'],
];

/** Hand-overs by poimen and by a script of kubectl commands, in turns, on a control plane of their own. */
export const measureOnControlPlane = async (rounds: number): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  const auditLog = join(folder, 'audit.log');
  const users = performers.map((name) => ({ name, groups: ['system:masters'] }));
  const controlPlane = await startControlPlane({ auditLog, users });
  try {
    await startKwok(controlPlane, benchmarkProfile);
    await createFakeNode(controlPlane);
    await createWorkload(controlPlane);
    const records = await handOverInTurns(controlPlane, rounds);
    const log = await readAuditLog(auditLog);
    return [...handOverFigures(records.map((record) => measureHandOver(record, log))), ...(await comparePlan(controlPlane, rounds))];
  } finally {
    await controlPlane.stop();
    await rm(folder, { recursive: true });
  }
};

/** The first round only warms up: kubectl's discovery, Node's compile cache, the server's watch caches. */
const handOverInTurns = async (controlPlane: ControlPlane, rounds: number): Promise<readonly HandOverRecord[]> => {
  const endpoints = await recordEndpoints(controlPlane);
  try {
    await endpoints.untilServedBy(sides[0]);
    const records: HandOverRecord[] = [];
    for (let count = 0; count <= rounds; count++) {
      for (const [performer, to] of round) {
        endpoints.takeOutageMs();
        const startedMs = nowMs();
        await handOver(performer, to, controlPlane);
        await endpoints.untilServedBy(to);
        if (count > 0) records.push({ performer, to, startedMs, endedMs: nowMs(), outageMs: endpoints.takeOutageMs() });
      }
    }
    return records;
  } finally {
    await endpoints.close();
  }
};

const nowMs = (): number => performance.timeOrigin + performance.now();
