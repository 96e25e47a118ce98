import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { isJsonObject, objectsIn, stringIn } from '../../../src/cluster/live/json.ts';
import type { Plan } from '../../../src/engine/plan.ts';
import type { RunResult } from '../../../src/engine/event.ts';
import type { Deployment } from '../../../src/kubernetes/deployment.ts';
import { Workbench } from '../controllers/workloads.ts';
import { handedOver, HandOverBench, notHandedOver } from '../hand-over/hand-over-bench.ts';
import { resources } from '../objects.ts';
import { subjectSources, type Subject } from '../subjects.ts';
import { callSiteOf } from './call-site.ts';
import { startFaultProxy, type Exchange, type FaultProxy } from './fault-proxy.ts';
import { changedKubeconfig, kubeconfigPath } from './real-cluster.ts';

export type Phase = 'plan' | 'run';

/** Decides what becomes of a request; `undefined`: it is passed on. */
export type Meddler = (site: string, phase: Phase, exchange: Exchange) => Promise<void> | undefined;

export type End =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | { readonly kind: 'notPlanned'; readonly error: unknown }
  | { readonly kind: 'run'; readonly result: RunResult };

/** A hand-over behind a proxy of faults, there and back as often as wanted. It needs no card, so several can go on at once. */
export class HandOverLane {
  private readonly subject: Subject;
  private readonly bench: Workbench;
  private readonly folder: string;
  private readonly proxy: FaultProxy;
  private isReversed = false;
  phase: Phase = 'plan';
  private meddler: Meddler | undefined;

  private constructor(subject: Subject, bench: Workbench, folder: string, proxy: FaultProxy) {
    this.subject = subject;
    this.bench = bench;
    this.folder = folder;
    this.proxy = proxy;
  }

  static async open(): Promise<HandOverLane> {
    const source = subjectSources().find(({ name }) => name === 'a real control plane');
    if (source === undefined) throw new Error('no real control plane');
    const subject = await source.open();
    const bench = new Workbench(subject, await subject.newNamespace());
    await new HandOverBench(bench).prepare({ old: { gpus: 0 }, new: { gpus: 0 } });
    const folder = await mkdtemp(join(tmpdir(), 'poimen-lane-'));
    const upstream = await readUpstream();
    const handling: { lane?: HandOverLane } = {};
    const proxy = await startFaultProxy(upstream, (exchange) => handling.lane?.handle(exchange));
    const lane = new HandOverLane(subject, bench, folder, proxy);
    handling.lane = lane;
    await writeFile(join(folder, 'token'), upstream.token);
    const cluster = { server: proxy.url, 'certificate-authority-data': Buffer.from(proxy.certificateAuthority).toString('base64') };
    await writeFile(join(folder, 'kubeconfig'), await changedKubeconfig({ cluster, user: { tokenFile: 'token' } }));
    return lane;
  }

  /** One hand-over in the direction that is due, or its plan alone, with a client of its own; everything goes by the meddler. */
  async go(upTo: Phase, meddler: Meddler | undefined): Promise<End> {
    this.meddler = meddler;
    this.phase = 'plan';
    const { cluster } = await connectLive({
      kubeconfig: join(this.folder, 'kubeconfig'),
      env: {},
      requestTimeoutMs: 1_000,
      watches: { watchSeconds: 2, watchGraceMs: 500 },
    });
    try {
      return await this.runOn(cluster, upTo);
    } finally {
      this.meddler = undefined;
      await cluster.close();
    }
  }

  private async runOn(cluster: Cluster, upTo: Phase): Promise<End> {
    const behind = new HandOverBench(new Workbench({ ...this.subject, cluster }, this.bench.namespace));
    let planned: Awaited<ReturnType<HandOverBench['plan']>>;
    try {
      planned = await behind.plan({ reverse: this.isReversed, deadlines: { gone: '15s', ready: '15s', endpoints: '15s' } });
    } catch (error) {
      return { kind: 'notPlanned', error };
    }
    try {
      if (upTo === 'plan') return { kind: 'planned', plan: planned.plan };
      this.phase = 'run';
      const result = await planned.run(() => undefined, new AbortController().signal);
      return { kind: 'run', result };
    } finally {
      await planned.close();
    }
  }

  /** After a hand-over that is done: the next one is the way back. */
  turn(): void {
    this.isReversed = !this.isReversed;
  }

  /** Whether the state is that of a hand-over that is done, or not begun; else what it is. */
  async state(): Promise<'done' | 'not begun' | object> {
    const state = await new HandOverBench(this.bench).state();
    const [done, notBegun] = this.isReversed ? [notHandedOver, handedOver] : [handedOver, notHandedOver];
    const isEqual = (wanted: object): boolean => JSON.stringify(state) === JSON.stringify(wanted);
    return isEqual(done) ? 'done' : isEqual(notBegun) ? 'not begun' : state;
  }

  /** How often each Deployment's spec has been written so far. */
  async generations(): Promise<readonly number[]> {
    const sides = await Promise.all(['old', 'new'].map((name) => this.bench.get<Deployment>(resources.deployments, name)));
    return sides.map(({ metadata }) => metadata.generation ?? 0);
  }

  async close(): Promise<void> {
    await this.proxy.close();
    await this.bench.done();
    await this.subject.close();
    await rm(this.folder, { recursive: true });
  }

  private async handle(exchange: Exchange): Promise<void> {
    const [from, to] = this.isReversed ? ['new', 'old'] : ['old', 'new'];
    const site = callSiteOf(exchange, { namespace: this.bench.namespace, from, to });
    await (this.meddler?.(site, this.phase, exchange) ?? exchange.pass());
  }
}

const readUpstream = async (): Promise<{ readonly url: string; readonly certificateAuthority: string; readonly token: string }> => {
  const config: unknown = JSON.parse(await readFile(kubeconfigPath(), 'utf8'));
  const entryOf = (list: string, field: string) => {
    const [entry] = isJsonObject(config) ? objectsIn(config, list) : [];
    const fields = entry?.[field];
    if (!isJsonObject(fields)) throw new Error(`no ${field}`);
    return fields;
  };
  const cluster = entryOf('clusters', 'cluster');
  return {
    url: stringIn(cluster, 'server') ?? '',
    certificateAuthority: Buffer.from(stringIn(cluster, 'certificate-authority-data') ?? '', 'base64').toString(),
    token: stringIn(entryOf('users', 'user'), 'token') ?? '',
  };
};
