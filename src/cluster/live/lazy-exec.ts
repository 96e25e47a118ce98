import type { ExecRequest, ExecSession } from '../exec.ts';
import type { Exec, ExecOptions } from './exec.ts';

/** Loads what speaks WebSocket with the first process: most of poimen's runs start none. */
export class LazyExec {
  private readonly options: ExecOptions;
  private loading: Promise<Exec> | undefined;
  private closed = false;

  constructor(options: ExecOptions) {
    this.options = options;
  }

  async start(request: ExecRequest): Promise<ExecSession> {
    this.loading ??= import('./exec.ts').then((loaded) => new loaded.Exec(this.options));
    const session = await (await this.loading).start(request);
    if (this.closed) session.close();
    return session;
  }

  close(): void {
    this.closed = true;
    void this.loading?.then((exec) => exec.close());
  }
}
