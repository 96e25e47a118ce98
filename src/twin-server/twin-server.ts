import { randomBytes } from 'node:crypto';
import type { VirtualClock } from '../clock/virtual-clock.ts';
import type { KnownTypes } from '../cluster/live/known-types.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { createApi } from './api.ts';
import { admitRequest } from './guard.ts';
import { listen } from './listen.ts';
import { startTimeDriver, type ServedPace } from './time-driver.ts';

export interface TwinServerOptions {
  readonly store: MemoryStore;
  readonly clock: VirtualClock;
  /** 0: one that is free. */
  readonly port: number;
  readonly pace: ServedPace;
  /** Everybody who reaches the port may do everything. */
  readonly open?: boolean;
  /** Makes everything durable that has happened. Throws when it cannot. */
  readonly sync?: () => void;
  /** Something went wrong that is nobody's request: the server should end. */
  readonly failed?: (error: unknown) => void;
}

export interface TwinServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT/SECRET`; who has it may do everything. On an open server it has no secret part. */
  readonly url: string;
  close(): Promise<void>;
}

const loadTypes = async (): Promise<KnownTypes> => (await import('../cluster/live/known-types.ts')).loadKnownTypes();

/** Serves a twin on loopback, and lets its time pass. Rejects with Node's error when the port cannot be had. */
export const startTwinServer = async (options: TwinServerOptions): Promise<TwinServer> => {
  const { store, clock, port, pace, open = false, sync = () => undefined, failed = () => undefined } = options;
  const secret = open ? undefined : randomBytes(24).toString('base64url');
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      failed(error);
    }
  };
  let known: Promise<KnownTypes> | undefined;
  const types = (): Promise<KnownTypes> => (known ??= loadTypes());
  const driver = startTimeDriver({
    clock,
    pace,
    realNow: () => performance.now(),
    later: (delayMs, callback) => {
      const timer = setTimeout(() => guarded(callback), delayMs);
      return () => clearTimeout(timer);
    },
    passed: sync,
  });
  const listening = await listen({
    port,
    failed,
    answer: async (request, actualPort) => {
      const admitted = admitRequest(request, { port: actualPort, ...(secret === undefined ? {} : { secret }) });
      driver.catchUp();
      const api = createApi({ store, persist: sync, address: `127.0.0.1:${actualPort}`, types });
      try {
        return await api.answer(admitted);
      } finally {
        driver.touched();
      }
    },
  }).catch((error: unknown) => {
    driver.stop();
    throw error;
  });
  return {
    port: listening.port,
    url: `http://127.0.0.1:${listening.port}${secret === undefined ? '' : `/${secret}`}`,
    close: async () => {
      await listening.close();
      driver.stop();
    },
  };
};
