import { Config } from '@oclif/core/config';
import packageJson from '../package.json' with { type: 'json' };
import { reportError } from './command-line/report-error.ts';
import { usageError } from './command-line/usage-error.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { createProcessTerminal } from './terminal/process-terminal.ts';

/** How oclif finds the commands: every file in `commands/`, beside this one, is one. In the bundle a manifest spares the search. */
export const oclifPackage = (): { name: string; version: string; type: string; oclif: object } => ({
  name: packageJson.name,
  version: packageJson.version,
  type: packageJson.type,
  oclif: { bin: 'poimen', commands: { strategy: 'pattern', target: './commands', globPatterns: ['*.{ts,js}'] } },
});

/** Runs the command that the arguments name. Sets the process's exit code; never throws. */
export const main = async (argv: readonly string[]): Promise<void> => {
  process.exitCode = exitCodes.unexpected; // stands if the process runs out of work before the command has ended
  try {
    process.exitCode = await runCommand(argv);
  } catch (error) {
    process.exitCode = reportError(error, argv, createProcessTerminal(), (process.env['POIMEN_DEBUG'] ?? '') !== '');
  }
};

/** Not oclif's own `run`: that one loads its help as well, which bin/poimen.js prints from a file. */
const runCommand = async ([id, ...argv]: readonly string[]): Promise<number> => {
  if (id === undefined) throw usageError('NoCommand', 'no command is given', ['poimen --help']);
  process.env['POIMEN_DISABLE_THEME'] = 'true'; // oclif would look for a file of colours, which poimen has no use for
  const config = await Config.load({ root: import.meta.dirname, pjson: oclifPackage(), userPlugins: false, devPlugins: false });
  const exitCode = await config.runCommand(id, argv);
  return typeof exitCode === 'number' ? exitCode : exitCodes.done;
};
