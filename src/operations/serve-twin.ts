import { renameSync, writeFileSync } from 'node:fs';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import { openTwin, settlingLimitMs, type Twin } from '../twin/open-twin.ts';
import { announceServedTwin, kubeconfigPathIn } from '../twin/state/served-twin.ts';
import { twinKubeconfig } from '../twin-server/kubeconfig.ts';
import type { ServedPace } from '../twin-server/time-driver.ts';
import { startTwinServer, type TwinServer } from '../twin-server/twin-server.ts';
import type { Context } from './context.ts';
import { findTwinFolder, type TwinFolder } from './twin-folder.ts';

export interface ServeTwinRequest {
  /** Of manifests. */
  readonly folder: string;
  /** 0: one that is free. */
  readonly port: number;
  readonly pace: ServedPace;
  /** No secret in the address: whoever reaches the port may do everything. */
  readonly open: boolean;
  readonly fresh: boolean;
}

export interface ServingTwin {
  readonly url: string;
  /** Path of the kubeconfig that was written. */
  readonly kubeconfig: string;
  readonly folder: string;
  readonly pace: string;
  /** Of the manifests: kept as they are, and nothing acts on them. */
  readonly notSimulated: readonly string[];
  /** Rejects when it cannot go on. */
  readonly failed: Promise<never>;
  /** Answers what is under way, ends watches, and writes what is left. */
  close(): Promise<void>;
}

/**
 * Serves the twin of a folder as a Kubernetes API on loopback, until it is closed.
 *
 * @throws PoimenError `PortNotFree`, and what `openTwin` throws.
 */
export const serveTwin = async (request: ServeTwinRequest, context: Context, realClock: Clock = systemClock): Promise<ServingTwin> => {
  const where = findTwinFolder(request.folder, context);
  const twin = await openTwin({
    ...where,
    fresh: request.fresh,
    tracksOwners: true,
    // Ages then are what they seem to be: it has just come up.
    ...(request.pace.kind === 'real' ? { beginning: realClock.now() - settlingLimitMs } : {}),
  });
  try {
    return await serveOpened(twin, where, request, realClock);
  } catch (error) {
    await twin.close();
    throw error;
  }
};

const serveOpened = async (twin: Twin, where: TwinFolder, request: ServeTwinRequest, realClock: Clock): Promise<ServingTwin> => {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined); // whoever waits for it is told all the same
  // A twin that was left yesterday has stood still since. One that is ahead, because a run on it took hours of its time, stays so.
  if (request.pace.kind === 'real') twin.clock.advanceTo(realClock.now());
  twin.sync();
  const server = await startTwinServer({
    ...twin,
    port: request.port,
    pace: request.pace,
    open: request.open,
    sync: () => twin.sync(),
    failed: reject,
  }).catch((error: unknown) => {
    throw portTrouble(request.port, error);
  });
  const kubeconfig = writeKubeconfig(where, server);
  const pace = request.pace.kind === 'real' ? String(request.pace.factor) : 'instant';
  const takeBack = announceServedTwin(where.stateFolder, {
    pid: process.pid,
    url: server.url,
    kubeconfig,
    since: new Date(realClock.now()).toISOString(),
    pace,
  });
  return {
    url: server.url,
    kubeconfig,
    folder: where.name,
    pace,
    notSimulated: twin.notSimulated,
    failed,
    close: async () => {
      await server.close();
      takeBack();
      await twin.close();
    },
  };
};

/** For its owner only: its address holds the secret. Whole at each moment, since a kubectl may be reading it. */
const writeKubeconfig = ({ stateFolder, folder }: TwinFolder, { url }: TwinServer): string => {
  const path = kubeconfigPathIn(stateFolder);
  writeFileSync(`${path}.new`, twinKubeconfig({ url, folder }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return path;
};

const portTrouble = (port: number, error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  return new PoimenError({
    outcome: 'usage',
    code: 'PortNotFree',
    summary: `port ${port} of 127.0.0.1 ${code === 'EACCES' ? 'may not be used' : 'is taken by another process'}`,
    nextSteps: ['name another one, or leave --port out: any that is free is taken then'],
    cause: error,
  });
};
