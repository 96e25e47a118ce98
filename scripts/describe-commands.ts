import { Config, Plugin } from '@oclif/core/config';
import type { Command } from '@oclif/core/command';
import { Help } from '@oclif/core/help';
import { oclifPackage } from '../src/main.ts';

export interface CommandDescriptions {
  /** What oclif reads at start instead of loading every command. */
  readonly manifest: Plugin['manifest'];
  /** Help texts by command, and the overview as `poimen`. */
  readonly help: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Describes the commands in `root`/commands: `dist`, or `src`. */
export const describeCommands = async (root: string): Promise<CommandDescriptions> => {
  const packageJson = oclifPackage();
  const plugin = new Plugin({ root, isRoot: true, pjson: packageJson, ignoreManifest: true, errorOnManifestCreate: true });
  await plugin.load();
  const config = await Config.load({ root, pjson: packageJson, plugins: new Map([[plugin.name, plugin]]), version: packageJson.version });
  const texts = new HelpTexts(config, { maxWidth: 110, stripAnsi: true, flagSortOrder: 'none', docopts: false });
  return {
    manifest: plugin.manifest,
    help: Object.fromEntries([['poimen', texts.overview()], ...config.commands.map((command) => [command.id, texts.of(command)])]),
    version: packageJson.version,
  };
};

/** oclif's help as text. */
class HelpTexts extends Help {
  overview(): string {
    const usage = `poimen: safe, scripted hand-overs on Kubernetes\n\nUSAGE\n  $ poimen COMMAND [FLAGS]\n\n`;
    return `${usage}${this.formatCommands(this.sortedCommands)}\n\nMore about a command: poimen COMMAND --help\n`;
  }

  of(command: Command.Loadable): string {
    return `poimen ${command.id}: ${command.summary ?? ''}\n\n${this.formatCommand(command)}\n`;
  }
}
