import { PoimenError } from '../errors/poimen-error.ts';
import { openTwin } from '../twin/open-twin.ts';
import { readState } from '../twin/state/read-state.ts';
import type { Snapshot } from '../twin/state/snapshot.ts';
import { readServedTwin } from '../twin/state/served-twin.ts';
import { isOpenRun, runOfHead } from '../journal/open-run.ts';
import { summarize, type TwinContents } from '../twin-server/twin-status.ts';
import type { Context } from './context.ts';
import { findTwinFolder } from './twin-folder.ts';

export interface TwinReset {
  readonly folder: string;
  readonly contents: TwinContents;
}

/**
 * Begins the twin of a folder anew from its manifests. A run that has not ended would be forgotten with everything else, so that needs
 * `force`.
 *
 * @throws PoimenError `TwinLocked`, `TwinServed`, `RunNotEnded`, and what `openTwin` throws.
 */
export const resetTwin = async (name: string, { force }: { readonly force: boolean }, context: Context): Promise<TwinReset> => {
  const where = findTwinFolder(name, context);
  const served = readServedTwin(where.stateFolder);
  if (served !== undefined) {
    throw new PoimenError({
      outcome: 'locked',
      code: 'TwinServed',
      summary: `the twin is being served at ${served.url}, and its clients would find another cluster from one moment to the next`,
      nextSteps: [`end the server first: kill ${served.pid}`, `or begin anew with it: poimen twin serve ${name} --fresh`],
    });
  }
  if (!force) refuseOpenRuns(name, where.stateFolder);
  const twin = await openTwin({ ...where, fresh: true });
  try {
    return { folder: where.folder, contents: summarize(twin.store.everything(), twin.store.version, twin.clock.now()) };
  } finally {
    await twin.close();
  }
};

const refuseOpenRuns = (name: string, stateFolder: string): void => {
  const runs = (readIfWhole(stateFolder)?.objects ?? []).flatMap(({ object }) => (isOpenRun(object) ? [runOfHead(object)] : []));
  if (runs.length === 0) return;
  throw new PoimenError({
    outcome: 'locked',
    code: 'RunNotEnded',
    summary: `${runs.join(', ')} on this twin has not ended`,
    detail: 'It is running, or was interrupted and could be taken up again; after a reset nothing of it is left.',
    nextSteps: [`forget it all the same: poimen twin reset ${name} --force`],
  });
};

/** A state that cannot be read is what somebody may want to reset. */
const readIfWhole = (stateFolder: string): Snapshot | undefined => {
  try {
    return readState(stateFolder)?.snapshot;
  } catch (error) {
    if (error instanceof PoimenError) return undefined;
    throw error;
  }
};
