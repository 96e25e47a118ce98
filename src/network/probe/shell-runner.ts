import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock/clock.ts';
import type { ExecEvent, ExecSession } from '../../cluster/exec.ts';
import type { ToolResult } from './tool.ts';
import { RunnerGone, type RunLimits, type Runner } from './runner.ts';

const stderrLimitBytes = 64 * 1024;

const startTimeoutMs = 15_000;

/**
 * What the image or the pod's environment would have the tools do differently: proxies, start-up files, a debugger's port, another
 * language.
 */
const settings =
  'export LC_ALL=C; unset ENV BASH_ENV NODE_OPTIONS PYTHONSTARTUP CURL_HOME WGETRC ' +
  'http_proxy HTTP_PROXY https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY\n';

/**
 * One shell, started once, that runs one command after the other: each costs a message there and one back instead of a process started
 * by the kubelet.
 */
export class ShellRunner implements Runner {
  private readonly session: ExecSession;
  private readonly clock: Clock;
  private readonly events: AsyncIterator<ExecEvent>;
  private over = false;

  private constructor(session: ExecSession, clock: Clock) {
    this.session = session;
    this.clock = clock;
    this.events = session.events[Symbol.asyncIterator]();
  }

  /**
   * Nothing is sent before the shell has said a word: a server that has something to tell and is being sent what it does not read resets
   * the connection, and what it told is lost.
   *
   * @throws RunnerGone when there is no such shell; ApiError, ConnectionError; the signal's reason.
   */
  static async open(start: (command: readonly string[]) => Promise<ExecSession>, shell: string, clock: Clock): Promise<ShellRunner> {
    const runner = new ShellRunner(await start([shell, '-c', `echo; exec ${shell}`]), clock);
    let late = false;
    const cancel = clock.after(startTimeoutMs, () => {
      late = true;
      runner.close();
    });
    try {
      while (
        (await runner.next(() => (late ? `no shell has started within ${startTimeoutMs} ms` : undefined), undefined)).type !== 'stdout'
      );
    } finally {
      cancel();
    }
    runner.session.write(settings);
    return runner;
  }

  run(command: readonly string[], limits: RunLimits): Promise<ToolResult> {
    return this.runScript(command.map(quote).join(' '), limits);
  }

  /** The same for a script of the shell. Its end is known by a word that nobody else can know, on both streams. */
  async runScript(script: string, { outputBytes, timeoutMs, signal }: RunLimits): Promise<ToolResult> {
    if (this.over) throw new RunnerGone('the session in the pod has ended');
    const word = `poimen-${randomBytes(12).toString('hex')}`;
    const startedMs = this.clock.monotonicMs();
    const stdout = new Collected(word);
    const stderr = new Collected(word);
    let late = false;
    const cancel = this.clock.after(timeoutMs, () => {
      late = true;
      this.close();
    });
    const onAbort = (): void => this.close();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      signal?.throwIfAborted();
      this.session.write(`{ ${script}\n} </dev/null; printf '\\n%s %d\\n' ${word} $?; printf '\\n%s\\n' ${word} >&2\n`);
      while (!stdout.ended || !stderr.ended) {
        const next = await this.next(() => (late ? `the pod has not told an answer within ${timeoutMs} ms` : undefined), signal);
        if (next.type === 'stdout') stdout.add(next.data);
        if (next.type === 'stderr' && stderr.length < stderrLimitBytes) stderr.add(next.data);
        if (stdout.length <= outputBytes && stderr.length < stderrLimitBytes) continue;
        this.close();
        return this.result(startedMs, stdout.upTo(outputBytes), stderr, undefined);
      }
      return this.result(startedMs, stdout.upTo(outputBytes), stderr, stdout.exitCode);
    } finally {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    this.over = true;
    this.session.close();
  }

  get isOver(): boolean {
    return this.over;
  }

  private async next(lateWords: () => string | undefined, signal: AbortSignal | undefined): Promise<ExecEvent> {
    const next = await this.events.next().catch((error: unknown) => {
      this.over = true;
      throw new RunnerGone(error instanceof Error ? error.message : String(error), { cause: error });
    });
    signal?.throwIfAborted();
    if (next.done !== true && (next.value.type === 'stdout' || next.value.type === 'stderr')) return next.value;
    this.over = true;
    const words = lateWords();
    if (words !== undefined) throw new RunnerGone(words, { late: true });
    const ending = next.done === true ? undefined : next.value;
    throw new RunnerGone(ending?.type === 'failed' ? ending.message : 'the session in the pod has ended', { ending });
  }

  private result(startedMs: number, stdout: Buffer, stderr: Collected, exitCode: number | undefined): ToolResult {
    return { stdout, stderr: stderr.upTo(stderrLimitBytes).toString(), exitCode, tookMs: Math.round(this.clock.monotonicMs() - startedMs) };
  }
}

/** Source: POSIX, Shell Command Language, "Single-Quotes". */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** What one stream has brought, until the word that ends it. */
class Collected {
  private readonly chunks: Buffer[] = [];
  private readonly word: string;
  private tail = '';
  private end: { readonly at: number; readonly exitCode: number } | undefined;
  length = 0;

  constructor(word: string) {
    this.word = `\n${word}`;
  }

  get ended(): boolean {
    return this.end !== undefined;
  }

  get exitCode(): number | undefined {
    return this.end?.exitCode;
  }

  add(data: Uint8Array): void {
    this.chunks.push(Buffer.from(data));
    const before = this.length - this.tail.length;
    this.length += data.length;
    this.tail += Buffer.from(data).toString('latin1');
    const at = this.tail.indexOf(this.word);
    const line = at === -1 ? null : /^\S+(?: (\d+))?\n/.exec(this.tail.slice(at + 1));
    if (line !== null) this.end = { at: before + at, exitCode: Number(line[1] ?? 0) };
    else if (at === -1) this.tail = this.tail.slice(-this.word.length);
  }

  upTo(limit: number): Buffer {
    return Buffer.concat(this.chunks).subarray(0, Math.min(limit, this.end?.at ?? this.length));
  }
}
