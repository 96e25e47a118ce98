import { Command } from '@oclif/core/command';
import { Config } from '@oclif/core/config';
import packageJson from '../../package.json' with { type: 'json' };

/**
 * What all commands have in common: nothing but how they are started. oclif's own way (`Config.load`, then `Command.run`, which loads it
 * again) looks for plugins, hooks, themes and the user's shell, which poimen does not have or need; that takes longer than all of
 * Node's own start.
 */
export abstract class PoimenCommand extends Command {
  /** Returns the exit code. */
  abstract override run(): Promise<number>;

  /** Parses the arguments and runs. */
  async start(): Promise<number> {
    // oxlint-disable-next-line no-underscore-dangle -- oclif's name for it
    return this._run<number>();
  }
}

export type PoimenCommandClass = new (argv: string[], config: Config) => PoimenCommand;

/** oclif's configuration, as far as a command asks for it. */
export class CommandConfig extends Config {
  constructor(root: string) {
    super({ root });
    this.bin = 'poimen';
    this.name = packageJson.name;
    this.version = packageJson.version;
    this.userAgent = `${packageJson.name}/${packageJson.version}`;
    this.topicSeparator = ':';
  }

  override runHook(): Promise<{ successes: []; failures: [] }> {
    return Promise.resolve({ successes: [], failures: [] });
  }

  override scopedEnvVarKeys(): string[] {
    return [];
  }
}
