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

const runCommand = async (words: readonly string[]): Promise<number> => {
  const { file, argv } = findCommand(words);
  const module = (await import(pathToFileURL(file).href)) as { readonly default: PoimenCommandClass };
  return new module.default(argv, new CommandConfig(import.meta.dirname)).start();
};

/** Every file in `commands/`, beside this one, is a command, and a folder there is the first word of some: in `src/` as well as in the bundle. */
const findCommand = ([name = '', ...argv]: readonly string[]): { readonly file: string; readonly argv: string[] } => {
  const [second = '', ...rest] = argv;
  const isWord = (word: string): boolean => /^[a-z][a-z-]*$/.test(word);
  const fileOf = (...path: readonly string[]): string =>
    `${join(import.meta.dirname, 'commands', ...path)}${extname(import.meta.filename)}`;
  if (isWord(name) && existsSync(fileOf(name))) return { file: fileOf(name), argv };
  if (isWord(name) && isWord(second) && existsSync(fileOf(name, second))) return { file: fileOf(name, second), argv: rest };
  const isTopic = isWord(name) && existsSync(join(import.meta.dirname, 'commands', name));
  if (isTopic && !isWord(second))
    throw usageError('NoSuchCommand', `"${name}" is the first word of several commands`, [`poimen ${name} --help`]);
  throw usageError('NoSuchCommand', `there is no command "${isTopic ? `${name} ${second}` : name}"`, [
    `poimen ${isTopic ? `${name} ` : ''}--help`,
  ]);
};
