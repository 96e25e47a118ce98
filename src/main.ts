import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandConfig, type PoimenCommandClass } from './command-line/poimen-command.ts';
import { reportError } from './command-line/report-error.ts';
import { usageError } from './command-line/usage-error.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { createProcessTerminal } from './terminal/process-terminal.ts';

/** Runs the command that the arguments name. Sets the process's exit code; never throws. */
export const main = async (argv: readonly string[]): Promise<void> => {
  process.exitCode = exitCodes.unexpected; // stands if the process runs out of work before the command has ended
  try {
    process.exitCode = await runCommand(argv);
  } catch (error) {
    process.exitCode = reportError(error, argv, createProcessTerminal(), (process.env['POIMEN_DEBUG'] ?? '') !== '');
  }
};

const runCommand = async ([name = '', ...argv]: readonly string[]): Promise<number> => {
  const CommandClass = await loadCommand(name);
  return new CommandClass(argv, new CommandConfig(import.meta.dirname)).start();
};

/** Every file in `commands/`, beside this one, is a command: in `src/` as well as in the bundle. */
const loadCommand = async (name: string): Promise<PoimenCommandClass> => {
  const file = join(import.meta.dirname, 'commands', `${name}${extname(import.meta.filename)}`);
  if (!/^[a-z][a-z-]*$/.test(name) || !existsSync(file))
    throw usageError('NoSuchCommand', `there is no command "${name}"`, ['poimen --help']);
  const module = (await import(pathToFileURL(file).href)) as { readonly default: PoimenCommandClass };
  return module.default;
};
