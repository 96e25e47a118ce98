import { join } from 'node:path';
import type { Command } from '@oclif/core/command';
import { Config, Plugin } from '@oclif/core/config';
import { Help } from '@oclif/core/help';
import packageJson from '../package.json' with { type: 'json' };

export interface CommandDescriptions {
  /** oclif's description of every command, its arguments and flags. */
  readonly manifest: Plugin['manifest'];
  /** Help texts by command and by first word of several, and the overview as `poimen`. */
  readonly help: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Describes what is in src/commands. */
export const describeCommands = async (): Promise<CommandDescriptions> => {
  const root = join(import.meta.dirname, '../src');
  const commands = { strategy: 'pattern' as const, target: './commands', globPatterns: ['**/*.ts'] };
  const pjson = { ...packageJson, oclif: { bin: 'poimen', commands, topicSeparator: ' ' as const } };
  const plugin = new Plugin({ root, isRoot: true, pjson, ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  const config = await Config.load({ root, pjson, plugins: new Map([[plugin.name, plugin]]), version: packageJson.version });
  const texts = new HelpTexts(config, { maxWidth: 110, stripAnsi: true, flagSortOrder: 'none', docopts: false });
  return {
    manifest: plugin.manifest,
    help: Object.fromEntries([
      ['poimen', texts.overview()],
      ...config.topics.map(({ name }) => [name, texts.ofTopic(name)]),
      ...config.commands.map((command) => [command.id, texts.of(command)]),
    ]),
    version: packageJson.version,
  };
};

/** oclif's help as text. */
class HelpTexts extends Help {
  overview(): string {
    const usage = `poimen: safe, scripted hand-overs on Kubernetes\n\nUSAGE\n  $ poimen COMMAND [FLAGS]\n\n`;
    return `${usage}${this.formatCommands(this.sortedCommands)}\n\nMore about a command: poimen COMMAND --help\n`;
  }

  ofTopic(topic: string): string {
    const commands = this.config.commands.filter(({ id }) => id.replace(':', ' ').startsWith(`${topic} `)); // oclif rewrites ids as it prints them
    return `USAGE\n  $ poimen ${topic} COMMAND [FLAGS]\n\n${this.formatCommands(commands)}\n\nMore about a command: poimen ${topic} COMMAND --help\n`;
  }

  of(command: Command.Loadable): string {
    return `poimen ${command.id.replace(':', ' ')}: ${command.summary ?? ''}\n\n${this.formatCommand(command)}\n`;
  }
}
