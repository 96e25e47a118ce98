import type { Clock } from '../../clock/clock.ts';
import { ApiError, ConnectionError } from '../../cluster/api-error.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import type { ClientConnections, ProbeAnswer, ProbeMeans, ProbeQuestion, Prober } from '../../cluster/prober.ts';
import { fullName, referenceKey, shortName, type ObjectReference } from '../../kubernetes/reference.ts';
import type { Dial } from './dial.ts';
import { RunnerGone } from './runner.ts';
import { readTcpConnections } from './tcp-connections.ts';
import { chooseTool, programNames, toolFor } from './tools.ts';
import type { FindVantage } from './vantage.ts';
import { Workplace, type Equipment } from './workplace.ts';

/** What a tool may take beyond the question's timeout: whole seconds are rounded up, and the way there and back takes time. */
const graceMs = 3_000;

/** Of an answer's body. */
const outputBytes = 64 * 1024;

/** A quarter of a million connections. */
const connectionsBytes = 32 * 1024 * 1024;

export interface ExecProberOptions {
  readonly exec: NonNullable<Cluster['exec']>;
  readonly clock: Clock;
  readonly findVantage: FindVantage;
}

/**
 * Asks from real pods, by processes started in them: with whatever they have. What a pod has is looked up once; a session to it stays open
 * from question to question. A pod that goes away is replaced by the client's next one.
 */
export const createExecProber = (options: ExecProberOptions): Prober => new ExecProber(options);

/** There is nobody to ask from, or nothing to ask with. */
class Unable extends Error {
  readonly code: string;

  constructor(code: string, reason: string) {
    super(reason);
    this.code = code;
  }
}

class ExecProber implements Prober {
  private readonly options: ExecProberOptions;
  private readonly workplaces = new Map<string, Promise<Workplace>>();
  /** By pod UID and container: looked up once, however often the way to it breaks. */
  private readonly equipment = new Map<string, Equipment>();
  private readonly closing = new AbortController();

  constructor(options: ExecProberOptions) {
    this.options = options;
  }

  async ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer> {
    const { target } = question;
    const answer = await this.dial(question, dialOf(question), signal);
    if (target.kind === 'pod') return answer.kind === 'answered' ? { ...answer, podUid: target.uid } : answer;
    if (answer.kind !== 'unresolved' || target.clusterIP === undefined) return answer;
    const byAddress = await this.dial(question, { ...dialOf(question), host: target.clusterIP }, signal);
    return { ...answer, detail: `${answer.detail}; its address ${target.clusterIP} ${answersInWords(byAddress)}` };
  }

  async means(client: ObjectReference, signal?: AbortSignal): Promise<ProbeMeans> {
    try {
      const { vantage, equipment } = await this.workplace(client, signal);
      if (equipment.tools.length === 0) throw new Unable('NoProbeTool', noTool(client, equipment));
      const { namespace, pod, container } = vantage;
      const [http, tcp] = [chooseTool(equipment.tools, { http: true }), chooseTool(equipment.tools, { http: false })];
      return {
        kind: 'able',
        client,
        namespace,
        pod,
        container,
        tools: equipment.tools.map(({ name, version, can }) => ({ name, ...(version === undefined ? {} : { version }), ...can })),
        ...(http === undefined ? {} : { http: http.name }),
        ...(tcp === undefined ? {} : { tcp: tcp.name }),
      };
    } catch (error) {
      signal?.throwIfAborted();
      return { kind: 'unable', client, ...explain(client, error) };
    }
  }

  async connections(client: ObjectReference, signal?: AbortSignal): Promise<ClientConnections | undefined> {
    try {
      const workplace = await this.workplace(client, signal);
      const { shell } = workplace.equipment;
      if (shell === undefined) return undefined;
      const limits = { outputBytes: connectionsBytes, timeoutMs: 15_000, signal };
      const { stdout, exitCode } = await workplace.run([shell, '-c', establishedConnections], limits);
      return exitCode === 0 ? { pod: workplace.vantage.pod, connections: readTcpConnections(stdout.toString()) } : undefined;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RunnerGone || error instanceof ApiError || error instanceof ConnectionError || error instanceof Unable)
        return undefined;
      throw error;
    }
  }

  close(): void {
    this.closing.abort();
    for (const opening of this.workplaces.values()) {
      opening.then(
        (workplace) => workplace.close(),
        () => undefined,
      );
    }
    this.workplaces.clear();
  }

  private async dial(question: ProbeQuestion, dial: Dial, signal: AbortSignal | undefined): Promise<ProbeAnswer> {
    const { client } = question;
    for (let isLastTry = false; ; isLastTry = true) {
      let workplace: Workplace | undefined;
      try {
        workplace = await this.workplace(client, signal);
        const tool = toolFor(workplace.equipment.tools, dial);
        if (tool === undefined) return { kind: 'unasked', detail: noTool(client, workplace.equipment) };
        const result = await workplace.run(tool.command(dial), { outputBytes, timeoutMs: dial.timeoutMs + graceMs, signal });
        return tool.read(dial, result);
      } catch (error) {
        signal?.throwIfAborted();
        const isWayGone = error instanceof RunnerGone && !error.late;
        if (workplace !== undefined) this.forget(client, workplace);
        if (isWayGone && !isLastTry) continue; // a pod that was replaced, or a connection that broke
        return { kind: 'unasked', detail: explain(client, error).reason };
      }
    }
  }

  /** Questions that start together share one look. */
  private workplace(client: ObjectReference, signal: AbortSignal | undefined): Promise<Workplace> {
    const key = referenceKey(client);
    const known = this.workplaces.get(key);
    if (known !== undefined) return known;
    const opening = this.open(client, signal);
    this.workplaces.set(key, opening);
    opening.catch(() => this.workplaces.delete(key));
    return opening;
  }

  private async open(client: ObjectReference, signal: AbortSignal | undefined): Promise<Workplace> {
    const { exec, clock, findVantage } = this.options;
    const vantage = await findVantage(client, signal);
    if ('kind' in vantage) throw new Unable('NoClientPod', vantage.reason);
    const key = `${vantage.podUid} ${vantage.container}`;
    const known = this.equipment.get(key);
    const look = (): Promise<Workplace> => Workplace.open(exec, vantage, { clock, known, signal });
    const workplace = await look().catch((error: unknown) => {
      if (error instanceof RunnerGone && !error.late && error.ending === undefined) return look(); // the way there broke off
      throw error;
    });
    this.equipment.set(key, workplace.equipment);
    if (this.closing.signal.aborted) workplace.close();
    return workplace;
  }

  private forget(client: ObjectReference, workplace: Workplace): void {
    workplace.close();
    this.workplaces.delete(referenceKey(client));
  }
}

const dialOf = ({ target, path, timeoutMs }: ProbeQuestion): Dial => ({
  // found by the search domains of the pod's resolv.conf, whatever the cluster's domain is
  host: target.kind === 'pod' ? target.ip : `${target.name}.${target.namespace}.svc`,
  port: target.port,
  timeoutMs,
  ...(path === undefined ? {} : { path }),
});

/** Only of those that are established, and without any other program. `[ ]01[ ]` may be in another column, too: the reader looks closer. */
const establishedConnections =
  'for f in /proc/net/tcp /proc/net/tcp6; do [ -r $f ] || continue; ' +
  'while IFS= read -r l; do case $l in *" 01 "*) printf "%s\\n" "$l";; esac; done <$f; done; :';

const answersInWords = (answer: ProbeAnswer): string => {
  if (answer.kind !== 'answered') return `does not answer (${answer.kind})`;
  return answer.status === undefined ? 'answers' : `answers HTTP ${answer.status}`;
};

const noTool = (client: ObjectReference, { shell, tools }: Equipment): string => {
  if (tools.length > 0) return `${tools.map(({ name }) => name).join(', ')} in the pod of ${shortName(client)} cannot ask this`;
  return `the pod of ${shortName(client)} has nothing to ask with: ${shell === undefined ? 'no shell, and ' : ''}none of ${programNames.join(', ')}`;
};

const explain = (client: ObjectReference, error: unknown): { readonly code: string; readonly reason: string } => {
  if (error instanceof Unable) return { code: error.code, reason: error.message };
  if (error instanceof ApiError && error.status.code === 403) return { code: 'ForbiddenToExec', reason: error.status.message };
  if (error instanceof ApiError || error instanceof ConnectionError || error instanceof RunnerGone)
    return { code: 'ExecFailed', reason: `no process can be started in the pod of ${fullName(client)}: ${error.message}` };
  throw error;
};
