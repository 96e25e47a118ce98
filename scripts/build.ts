import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { stubOclif, takeBuiltinsDirectly } from './bundle-plugins.ts';
import { describeCommands } from './describe-commands.ts';

// Builds dist/: the bundle (one entry a command, what they share in chunks) and the texts that bin/poimen.js prints without loading any of
// it. Another folder than dist/ can be named. Runs as `prepare`, so it has to take seconds and must not need more than `npm ci` brings.

const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

const commandEntries = Object.fromEntries(
  readdirSync(join(root, 'src/commands'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [`commands/${file.replace(/\.ts$/, '')}`, join(root, 'src/commands', file)]),
);

const unfinished = `${dist}.unfinished`; // a build that fails leaves the last one
rmSync(unfinished, { recursive: true, force: true });
await build({
  cwd: root,
  input: { main: 'src/main.ts', ...commandEntries },
  platform: 'node',
  plugins: [stubOclif(), takeBuiltinsDirectly()],
  logLevel: 'warn',
  output: {
    dir: unfinished,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: true,
    sourcemap: true,
  },
});

const { help, version } = await describeCommands();
writeFileSync(join(unfinished, 'version.txt'), `${version}\n`);
mkdirSync(join(unfinished, 'help'));
for (const [name, text] of Object.entries(help)) writeFileSync(join(unfinished, 'help', `${name.replace(':', ' ')}.txt`), text);
rmSync(dist, { recursive: true, force: true });
renameSync(unfinished, dist);
