import { join } from 'node:path';
import { readAuditLog, type AuditedRequest } from '../../test/cluster/audit-log.ts';
import { startRealNode, type RealNode } from '../../test/cluster/node.ts';
import { loadExample } from '../../test/e2e/example.ts';
import { isOnTarget } from '../cluster/measured-hand-over.ts';
import { median, milliseconds, type Figure } from '../figure.ts';
import { recordClient } from './client-record.ts';
import { handOver, performers, type Performer, type Side } from './hand-over.ts';
import { recordOutage, type Outage } from './outage-record.ts';

interface HandOverRecord extends Outage {
  readonly performer: Performer;
  readonly startedMs: number;
  readonly endedMs: number;
  /** From the last good answer of the old side to the first one of the new, as a client in a pod sees it. */
  readonly clientGapMs: number;
}

/** The same one there and back; who begins changes with each round. */
const round = (count: number): readonly (readonly [Performer, Side])[] => {
  const first = count % performers.length;
  const order = [...performers.slice(first), ...performers.slice(0, first)];
  return order.flatMap((performer): readonly (readonly [Performer, Side])[] => [
    [performer, 'clef-candle'],
    [performer, 'clef-serve'],
  ]);
};

/** Whole hand-overs of the example on a real node, with real pods and packets, by poimen and by scripts of kubectl commands in turn. */
export const measureOnRealNode = async (rounds: number): Promise<readonly Figure[]> => {
  const node = await startRealNode({ audit: true });
  try {
    await loadExample(node);
    const records = await handOverInTurns(node, rounds);
    return figures(records, await readAuditLog(join(node.access.directory, 'audit.log')));
  } finally {
    await node.stop();
  }
};

/** The first round only warms up. */
const handOverInTurns = async (node: RealNode, rounds: number): Promise<readonly HandOverRecord[]> => {
  const client = recordClient(node);
  const outage = recordOutage(node);
  try {
    await client.untilAnsweredBy('clef-serve');
    const records: HandOverRecord[] = [];
    for (let count = 0; count <= rounds; count++) {
      for (const [performer, to] of round(count)) {
        outage.take();
        const startedMs = nowMs();
        await handOver(performer, to, node);
        const endedMs = nowMs();
        const clientGapMs = await client.untilAnsweredBy(to);
        if (count > 0) records.push({ performer, startedMs, endedMs, clientGapMs, ...outage.take() });
      }
    }
    return records;
  } finally {
    await client.close();
    await outage.close();
  }
};

const nowMs = (): number => performance.timeOrigin + performance.now();

const figures = (records: readonly HandOverRecord[], log: readonly AuditedRequest[]): readonly Figure[] => {
  const by = (performer: Performer): readonly HandOverRecord[] => records.filter((record) => record.performer === performer);
  const rounds = by('poimen').length;
  const compare = (what: string, against: Performer, valueOf: (record: HandOverRecord) => number): Figure => {
    const [own, peer] = [median(by('poimen').map(valueOf)), median(by(against).map(valueOf))];
    return {
      what,
      against: `the ${against}`,
      value: own / peer,
      atMost: 1,
      medians: { poimen: milliseconds(own), [against]: milliseconds(peer) },
      rounds,
    };
  };
  const count = (what: string, matches: (request: AuditedRequest) => boolean): Figure => {
    const of = (performer: Performer): number => median(by(performer).map((record) => requestsOf(record, log).filter(matches).length));
    const [own, peer] = [of('poimen'), of('checking script')];
    return {
      what,
      value: own,
      atMost: peer,
      medians: { poimen: String(own), 'checking script': String(peer), script: String(of('script')) },
      rounds,
    };
  };
  return [
    compare('real node: time without a ready endpoint', 'script', ({ withoutEndpointMs }) => withoutEndpointMs),
    compare(
      "the same, minus the pods' own times",
      'script',
      ({ withoutEndpointMs, endingMs, startingMs }) => withoutEndpointMs - endingMs - startingMs,
    ),
    compare("real node: a client's last good answer of the old to its first of the new", 'script', ({ clientGapMs }) => clientGapMs),
    compare('the same, minus the start of the new pod', 'script', ({ clientGapMs, startingMs }) => clientGapMs - startingMs),
    compare('real node: the whole hand-over', 'checking script', ({ startedMs, endedMs }) => endedMs - startedMs),
    compare(
      "the same, minus the pods' own times",
      'checking script',
      (record) => record.endedMs - record.startedMs - record.endingMs - record.startingMs,
    ),
    count('real node: requests on the targets during one hand-over', () => true),
    count('of these, processes started in the client', ({ resource }) => resource === 'pods/exec'),
  ];
};

/** Of the performer: the administrator's own others began before. */
const requestsOf = ({ startedMs, endedMs }: HandOverRecord, log: readonly AuditedRequest[]): readonly AuditedRequest[] =>
  log.filter(
    (request) => request.user === 'admin' && isOnTarget(request) && request.receivedMs >= startedMs && request.receivedMs <= endedMs,
  );
