import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

// What makes the bundle start faster than its sources. The figures are in docs/benchmarks.md.

/**
 * Modules that oclif loads at every start and poimen never gets to: what knows the shell on Windows, what searches for commands and
 * plugins (the manifest has the commands), what renders templates of its help (bin/poimen.js prints help from files).
 */
const stubs: Readonly<Record<string, string>> = {
  'wsl-utils': 'export const isWsl = false; export const powerShellPath = () => "powershell.exe";',
  'node:child_process': 'export const execSync = () => { throw new Error("not in this bundle"); };',
  tinyglobby: 'export const glob = () => Promise.reject(new Error("oclif.manifest.json is missing: npm run build"));',
  minimatch: 'export const minimatch = () => false;',
  semver: 'export default {};',
  ejs: 'export default {};',
};

export const stubOclifModules = (): Plugin => ({
  name: 'stub-oclif-modules',
  resolveId: (source, importer) => (source in stubs && importer?.includes('/@oclif/core/') === true ? `\0stub:${source}` : null),
  load: (id) => (id.startsWith('\0stub:') ? (stubs[id.slice('\0stub:'.length)] ?? null) : null),
});

/** `import a, * as b, { c as d } from "node:fs";` as rolldown prints it. */
const builtinImport = /^import (?:([\w$]+))?(?:, )?(?:\* as ([\w$]+))?(?:\{([^}]*)\})? from "(?:node:)?([a-z_/]+)";$/gm;

/**
 * Importing a builtin as an ES module makes Node read every export of it, and with that load what is behind the lazy ones (streams, readline
 * and promises for `fs`). Taken from `process.getBuiltinModule`, only what is used is loaded.
 */
export const takeBuiltinsDirectly = (): Plugin => ({
  name: 'take-builtins-directly',
  renderChunk: (code) =>
    code.replace(
      builtinImport,
      (whole, standard: string | undefined, all: string | undefined, names: string | undefined, specifier: string) => {
        if (!isBuiltin(specifier)) return whole;
        const targets = [standard, all, names === undefined ? undefined : `{${names.replaceAll(' as ', ': ')}}`].filter(
          (target) => target !== undefined,
        );
        return targets.map((target) => `const ${target} = globalThis.process.getBuiltinModule("node:${specifier}");`).join(' ');
      },
    ),
});
