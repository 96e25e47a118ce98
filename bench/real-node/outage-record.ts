import type { RealNode } from '../../test/cluster/node.ts';
import { follow } from './follow.ts';
import { service } from './hand-over.ts';

export interface Outage {
  readonly withoutEndpointMs: number;
  /** From a pod's deletion until its containers have ended: then it holds no card any more. */
  readonly endingMs: number;
  /** From a pod's binding until it is ready. */
  readonly startingMs: number;
}

/** What the API shows of hand-overs: the endpoints, and what the pods themselves take. */
export interface OutageRecord {
  /** Milliseconds since the last call. */
  take(): Outage;
  close(): Promise<void>;
}

interface PodTimes {
  boundMs?: number;
  readyMs?: number;
  deletedMs?: number;
  endedMs?: number;
}

export const recordOutage = (node: RealNode): OutageRecord => {
  let emptySinceMs: number | undefined;
  let withoutEndpointMs = 0;
  const slices = ['endpointslices', `--selector=kubernetes.io/service-name=${service}`]; // it has just one
  const endpoints = follow(node, slices, '{{range .endpoints}}{{.conditions.ready}} {{end}}', (line) => {
    const nowMs = performance.now();
    if (!line.includes('true')) emptySinceMs ??= nowMs;
    else if (emptySinceMs !== undefined) {
      withoutEndpointMs += nowMs - emptySinceMs;
      emptySinceMs = undefined;
    }
  });

  const podTimes = new Map<string, PodTimes>();
  const state =
    '{{.metadata.uid}}|{{if .spec.nodeName}}bound{{end}}|{{range .status.conditions}}{{if eq .type "Ready"}}{{.status}}{{end}}{{end}}|{{if .metadata.deletionTimestamp}}deleted{{end}}|{{.status.phase}}';
  const pods = follow(node, ['pods'], state, (line) => {
    const nowMs = performance.now();
    const [uid = '', bound, ready, deleted, phase = ''] = line.split('|');
    const times = podTimes.get(uid) ?? {};
    podTimes.set(uid, times);
    if (bound !== '') times.boundMs ??= nowMs;
    if (ready === 'True') times.readyMs ??= nowMs;
    if (deleted !== '') times.deletedMs ??= nowMs;
    if (phase === 'Succeeded' || phase === 'Failed') times.endedMs ??= nowMs;
  });

  return {
    take() {
      let [endingMs, startingMs] = [0, 0];
      for (const [uid, { boundMs, readyMs, deletedMs, endedMs }] of podTimes) {
        if (boundMs !== undefined && readyMs !== undefined) startingMs += readyMs - boundMs;
        if (deletedMs !== undefined && endedMs !== undefined) endingMs += endedMs - deletedMs;
        podTimes.set(uid, {}); // its next states begin anew
      }
      const taken = { withoutEndpointMs, endingMs, startingMs };
      withoutEndpointMs = 0;
      return taken;
    },
    async close() {
      await Promise.all([endpoints.close(), pods.close()]);
    },
  };
};
