import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

// What makes the bundle start faster than its sources. The figures are in docs/benchmarks.md.

/**
 * Parts of oclif, and modules that only these need, that a command of poimen never gets to (src/command-line/poimen-command.ts starts it):
 * finding commands and plugins, rendering help (bin/poimen.js prints it from files), spinners, its own error output and debug log. By the end
 * of a file's path.
 */
const stubs: Readonly<Record<string, string>> = {
  '/@oclif/core/lib/config/index.js': 'exports.Config = class Config {};',
  '/@oclif/core/lib/help/index.js': 'exports.Help = class Help {};',
  '/@oclif/core/lib/ux/index.js':
    'exports.colorize = (_, text) => text; exports.ux = { colorize: exports.colorize, action: { stop() {} } };',
  '/@oclif/core/lib/logger.js': 'exports.makeDebug = () => () => {}; exports.getLogger = () => ({ debug() {}, error() {} });',
  '/@oclif/core/lib/errors/handle.js': 'exports.handle = (error) => { throw error; };',
  '/ejs/lib/cjs/ejs.js': 'exports.render = (template) => template;',
};

export const stubOclif = (): Plugin => ({
  name: 'stub-oclif',
  load: (id) => Object.entries(stubs).find(([path]) => id.endsWith(path))?.[1] ?? null,
});

const prefix = '\0builtin:';

/**
 * Importing a builtin as an ES module makes Node read every export of it, and with that load what is behind the lazy ones (streams, readline
 * and promises for `fs`; `process` takes a third of a start). Taken from `process.getBuiltinModule`, only what is used is loaded.
 */
export const takeBuiltinsDirectly = (): Plugin => ({
  name: 'take-builtins-directly',
  // rolldown's runtime is what CommonJS modules like these are loaded with
  resolveId: (source, importer) => (isBuiltin(source) && importer !== '\0rolldown/runtime.js' ? `${prefix}${source}` : null),
  load: (id) =>
    id.startsWith(prefix) ? `module.exports = globalThis.process.getBuiltinModule(${JSON.stringify(id.slice(prefix.length))});` : null,
});
