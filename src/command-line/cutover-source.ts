import type { RunbookSource } from '../operations/plan-request.ts';
import { runbookSource } from './runbook-source.ts';
import { usageError } from './usage-error.ts';

export interface CutoverFlags {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly client?: string | undefined;
  readonly port?: number | undefined;
  readonly path?: string | undefined;
  readonly replicas?: number | undefined;
}

/** A Service (`svc/NAME`) is handed over as the flags say, anything else is a runbook, which says it itself. */
export const cutoverSource = (what: string, flags: CutoverFlags): RunbookSource => {
  const isService = /^(svc|services?)\//.test(what);
  if (!isService) {
    const given = (['from', 'to', 'client', 'port', 'path', 'replicas'] as const).filter((flag) => flags[flag] !== undefined);
    if (given.length > 0) {
      const names = given.map((flag) => `--${flag}`).join(', ');
      throw usageError('FlagsOfARunbook', `${names}: the runbook ${what} says that itself`, [
        'leave the flags out',
        'or name a Service: svc/NAME',
      ]);
    }
    return runbookSource(what);
  }
  if (flags.from === undefined || flags.to === undefined) {
    throw usageError('WorkloadsMissing', `a hand-over of ${what} needs --from and --to`, [
      `poimen cutover ${what} --from deploy/NAME --to deploy/NAME`,
    ]);
  }
  return {
    kind: 'cutover',
    service: what,
    from: flags.from,
    to: flags.to,
    ...(flags.client === undefined ? {} : { client: flags.client }),
    ...(flags.port === undefined ? {} : { port: flags.port }),
    ...(flags.path === undefined ? {} : { path: flags.path }),
    ...(flags.replicas === undefined ? {} : { replicas: flags.replicas }),
  };
};
