import { systemClock } from '../clock/system-clock.ts';
import type { PlannedRun } from '../operations/plan-runbook.ts';
import type { RunbookSource } from '../operations/plan-request.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { whileWaiting } from '../views/while-waiting.ts';
import { readClusterFlags, readSettings, type ParsedClusterFlags, type ParsedPlanFlags } from './flags.ts';
import { leaveWhenInterrupted } from './interrupts.ts';
import { paceFor } from './pace.ts';
import { createProcessContext } from './process-context.ts';

/** What `plan`, `run` and `cutover` begin with. `invocation` is what was typed, the program first. */
export const makePlan = async (
  source: RunbookSource,
  flags: ParsedClusterFlags & ParsedPlanFlags,
  invocation: readonly string[],
  terminal: Terminal,
): Promise<PlannedRun> => {
  const request = {
    source,
    cluster: { ...readClusterFlags(flags), pace: paceFor(terminal) },
    set: readSettings(flags.set),
    reverse: flags.reverse,
    probe: !flags['no-probe'],
    ...(flags['probe-image'] === undefined ? {} : { probeImage: flags['probe-image'] }),
    invocation,
  };
  const { planRunbook } = await import('../operations/plan-runbook.ts'); // late: unusable flags are told at once
  const stopListening = leaveWhenInterrupted(terminal, 'while looking at the cluster');
  const planned = planRunbook(request, createProcessContext()).finally(stopListening);
  return whileWaiting(planned, 'looking at the cluster ...', terminal.stderr, systemClock);
};
