import { PoimenError } from '../errors/poimen-error.ts';
import { readState } from '../twin/state/read-state.ts';
import { readServedTwin, type ServedTwin } from '../twin/state/served-twin.ts';
import { isTwinContents, summarize, type TwinContents } from '../twin-server/twin-status.ts';
import type { Context } from './context.ts';
import { findTwinFolder } from './twin-folder.ts';

export interface TwinStatus {
  readonly folder: string;
  readonly stateFolder: string;
  readonly served?: ServedTwin;
  /** Absent when nothing has begun here yet. */
  readonly contents?: TwinContents;
}

/**
 * Asks the server where there is one; else reads what is on disk, without a lock: what a process is writing just now is not part of it.
 *
 * @throws PoimenError `TwinStateDamaged`, `TwinNotAnswering`.
 */
export const readTwinStatus = async (name: string, context: Context): Promise<TwinStatus> => {
  const { folder, stateFolder } = findTwinFolder(name, context);
  const served = readServedTwin(stateFolder);
  const contents = served === undefined ? storedContents(stateFolder) : await askContents(served);
  return { folder, stateFolder, ...(served === undefined ? {} : { served }), ...(contents === undefined ? {} : { contents }) };
};

const storedContents = (stateFolder: string): TwinContents | undefined => {
  const snapshot = readState(stateFolder)?.snapshot;
  return snapshot === undefined ? undefined : summarize(snapshot.objects, snapshot.version, snapshot.timeMs);
};

const askContents = async ({ url, pid }: ServedTwin): Promise<TwinContents> => {
  try {
    const contents: unknown = await (await fetch(`${url}/poimen/twin`, { signal: AbortSignal.timeout(5_000) })).json();
    if (isTwinContents(contents)) return contents;
    throw new Error(`an answer that is none: ${JSON.stringify(contents).slice(0, 200)}`);
  } catch (error) {
    throw new PoimenError({
      outcome: 'refused',
      code: 'TwinNotAnswering',
      summary: `process ${pid} serves this twin at ${url}, but does not answer`,
      detail: error instanceof Error ? error.message : String(error),
      nextSteps: [`end it: kill ${pid}`],
      cause: error,
    });
  }
};
