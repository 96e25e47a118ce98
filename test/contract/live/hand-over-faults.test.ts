import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../src/cluster/api-error.ts';
import { callFaults, watchFaults, type CallFault, type WatchFault } from './faults.ts';
import type { Exchange } from './fault-proxy.ts';
import { HandOverLane, type End, type Meddler, type Phase } from './hand-over-lane.ts';
import { describeOnRealCluster } from './real-cluster.ts';

// Every call site of a hand-over, on every fault, between poimen and a real API server. Where a fault is survived, several sites
// suffer it in one hand-over; where it is final, each has one of its own.

const writes = ['patch deployments FROM', 'patch deployments TO', 'patch services front'];
const records = ['record: head', 'record: first entry', 'record: a later entry', 'record: end'];
const readBacks = ['read back deployments FROM', 'read back deployments TO', 'read back services front', 'record: read back'];

interface Job {
  readonly upTo: Phase;
  /** `PHASE: SITE`, each struck once. */
  readonly sites: readonly string[];
  /** Sites whose first answer is lost, so that those of the job are ever asked. */
  readonly before?: readonly string[];
  readonly survives: boolean;
}

describeOnRealCluster('a hand-over behind a network and a server that fail', () => {
  let lanes: readonly HandOverLane[] = [];
  const seen: Record<Phase, Set<string>> = { plan: new Set(), run: new Set() };
  const wanted = new Set<string>();
  const reached = new Set<string>();

  beforeAll(async () => {
    lanes = await Promise.all([HandOverLane.open(), HandOverLane.open()]);
    const [first] = lanes;
    if (first === undefined) throw new Error('no lane');
    const end = await first.go('run', (site, phase) => {
      seen[phase].add(site);
      return undefined;
    });
    expect(await verdict(first, end)).toBe('done');
    first.turn();
  });

  afterAll(() => Promise.all(lanes.map((lane) => lane.close())));

  const listsIn = (phase: Phase): readonly string[] => [...seen[phase]].filter((site) => site.startsWith('list '));
  const watches = (): readonly string[] => [...seen.plan].filter((site) => site.startsWith('watch '));

  const jobsOf = (fault: CallFault): readonly Job[] => {
    const readsSurvive = fault.isFinalAnswer !== true;
    const writesSurvive = fault.isFinalForWrites !== true;
    const inPhase = (phase: Phase, some: readonly string[]): readonly string[] => some.map((site) => `${phase}: ${site}`);
    const reads = (['plan', 'run'] as const).map((phase) => inPhase(phase, listsIn(phase)));
    const harmless = inPhase('plan', ['ask for access', ...watches()]);
    const changes = inPhase('run', [...writes, ...records]);
    const readBack = { upTo: 'run', before: inPhase('run', readBacks.map(writeBefore)) } as const;
    const one =
      (upTo: Phase) =>
      (site: string): Job => ({ upTo, sites: [site], survives: false });
    // a request is tried six times, and each break of the connection is everybody's: not all at once then
    const inWaves = readsSurvive ? [[...(reads[0] ?? []), ...harmless], reads[1] ?? []] : [harmless];
    const [firstWave = [], ...otherWaves] = wavesOf(inWaves, fault.breaksConnection === true ? 4 : 50);
    return [
      { upTo: 'run', sites: [...firstWave, ...(writesSurvive ? changes : [])], survives: true },
      ...otherWaves.map((sites): Job => ({ upTo: 'run', sites, survives: true })),
      ...(readsSurvive ? [{ ...readBack, sites: inPhase('run', readBacks), survives: true }] : []),
      ...(readsSurvive ? [] : (reads[0] ?? []).map(one('plan'))),
      ...(readsSurvive ? [] : (reads[1] ?? []).map(one('run'))),
      ...(writesSurvive ? [] : changes.map(one('run'))),
      ...(readsSurvive
        ? []
        : readBacks.map((site): Job => ({ upTo: 'run', sites: [`run: ${site}`], before: [`run: ${writeBefore(site)}`], survives: false }))),
    ];
  };

  const carryOut = async (lane: HandOverLane, fault: CallFault, job: Job): Promise<void> => {
    const due = new Set(job.sites);
    const early = new Set(job.before);
    const generations = await lane.generations();
    const end = await lane.go(job.upTo, (site, phase, exchange) => {
      const key = `${phase}: ${site}`;
      if (early.delete(key)) return exchange.forward().then(() => exchange.reset());
      if (!due.delete(key)) return undefined;
      reached.add(`${key} × ${fault.name}`);
      return fault.strike(exchange);
    });
    const what = `${fault.name} at ${job.sites.join(', ')}`;
    expect([what, summary(end)]).toEqual([what, expect.stringMatching(job.survives ? /^completed$/ : explained)]);
    if (end.kind !== 'run' || end.result.outcome === 'refused') return expect([what, await lane.state()]).toEqual([what, 'not begun']);
    // what is said to be half done is so, and the same command carries it to its end
    if (end.result.outcome !== 'completed') {
      expect([what, 'again', summary(await lane.go('run', undefined))]).toEqual([
        what,
        'again',
        expect.stringMatching(/^(completed|nothingToDo)$/),
      ]);
    }
    expect([what, await lane.state()]).toEqual([what, 'done']);
    expect([what, await lane.generations()]).toEqual([what, generations.map((generation) => generation + 1)]); // each write once
    lane.turn();
  };

  describe.each(callFaults.map((fault) => [fault.name, fault] as const))('%s', (name, fault) => {
    it('at every call site: it ends right', { timeout: 200_000 }, async () => {
      const jobs = [...jobsOf(fault)];
      for (const job of jobs) for (const site of job.sites) wanted.add(`${site} × ${name}`);
      await inParallel(lanes, jobs, (lane, job) => carryOut(lane, fault, job));
    });
  });

  it('whatever befalls its watches: it ends right', { timeout: 200_000 }, async () => {
    await inParallel(lanes, watchFaults, async (lane, fault) => {
      for (const site of watches()) wanted.add(`${site} × ${fault.name}`);
      const generations = await lane.generations();
      const end = await lane.go(
        'run',
        watchMeddler(lane, watches(), fault, (site) => reached.add(`${site} × ${fault.name}`)),
      );
      expect([fault.name, summary(end)]).toEqual([fault.name, 'completed']);
      expect([fault.name, await lane.state()]).toEqual([fault.name, 'done']);
      expect([fault.name, await lane.generations()]).toEqual([fault.name, generations.map((generation) => generation + 1)]);
      lane.turn();
    });
  });

  it('reached every pair of call site and fault', () => {
    expect([...wanted].filter((pair) => !reached.has(pair))).toEqual([]);
    process.stderr.write(`hand-over: ${reached.size} pairs of call site and fault\n`);
    expect(reached.size).toBeGreaterThan(500);
  });
});

/** Ends that name their cause: an error of the cluster's before the run, or a run that says what stopped it. */
const explained =
  /^(not planned: (Forbidden|Conflict|Invalid)|planned|completed|blocked: .*says the test|(refused|halted): .*(says the test|nobody knows))/;

const summary = (end: End): string => {
  if (end.kind === 'planned')
    return end.plan.blockers.length === 0 ? 'planned' : `blocked: ${end.plan.blockers.map(({ reason }) => reason).join('; ')}`;
  if (end.kind === 'notPlanned') {
    const { error } = end;
    if (error instanceof ApiError) return `not planned: ${error.status.reason}`;
    return error instanceof ConnectionError ? `not planned: ${error.message}` : `bug: ${String(error)}`;
  }
  const { outcome, failure } = end.result;
  const reasons = [failure?.reason, ...(failure?.blockers ?? []).map(({ reason }) => reason)];
  return failure === undefined ? outcome : `${outcome}: ${reasons.join('; ')}`;
};

const verdict = async (lane: HandOverLane, end: End): Promise<unknown> =>
  summary(end) === 'completed' ? await lane.state() : summary(end);

const writeBefore = (readBack: string): string =>
  readBack === 'record: read back' ? 'record: first entry' : readBack.replace('read back', 'patch');

/** One meddler for all of them, each watch on its own. */
const watchMeddler = (lane: HandOverLane, watches: readonly string[], fault: WatchFault, struck: (site: string) => void): Meddler => {
  const meddlers = new Map(watches.map((watch) => [watch.replace('watch ', ''), oneWatchMeddler(lane, watch, fault, () => struck(watch))]));
  return (site, phase, exchange) => meddlers.get(site.replace(/^(watch|list) /, ''))?.(site, phase, exchange);
};

const oneWatchMeddler = (lane: HandOverLane, watch: string, fault: WatchFault, struck: () => void): Meddler => {
  let isStruck = false;
  let formerList = '';
  let nextLeft = fault.next?.times ?? 0;
  return (site, _phase, exchange) => {
    const isWatch = site === watch;
    if (isStruck && fault.next !== undefined && nextLeft > 0 && isWatch === (fault.next.verb === 'watch')) {
      nextLeft--;
      return fault.next.strike(exchange, formerList);
    }
    if (!isWatch) {
      if (formerList !== '' || fault.next?.verb !== 'list') return undefined;
      return passAndKeep(exchange, (body) => (formerList = body));
    }
    if (isStruck) return undefined;
    const through = fault.through();
    return exchange.pass(async (line) => {
      if (lane.phase === 'plan' || line.includes('"BOOKMARK"')) return { lines: [line] };
      isStruck = true;
      struck();
      return await through(line);
    });
  };
};

const passAndKeep = async (exchange: Exchange, keep: (body: string) => void): Promise<void> => {
  const { code, body } = await exchange.forward();
  keep(body);
  exchange.answer(code, body);
};

/** The sites of each phase cut into pieces, and one piece of each phase in each wave. */
const wavesOf = (phases: readonly (readonly string[])[], size: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(Math.max(...phases.map(({ length }) => length)) / size) }, (_, index) =>
    phases.flatMap((sites) => sites.slice(index * size, (index + 1) * size)),
  );

/** Ends when all have ended, also after a failure: what still ran would disturb the next test. */
const inParallel = async <Lane, Work>(
  lanes: readonly Lane[],
  work: readonly Work[],
  carryOut: (lane: Lane, work: Work) => Promise<void>,
): Promise<void> => {
  const left = [...work];
  const ends = await Promise.allSettled(
    lanes.map(async (lane) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await carryOut(lane, next);
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};
