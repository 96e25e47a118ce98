import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The program of this folder, or why there is none. */
export type CyclonusBinary = { readonly kind: 'found'; readonly path: string } | { readonly kind: 'missing'; readonly reason: string };

/** Built once into the user's cache, and anew when its sources change. Throws when the build itself fails. */
export const ensureCyclonus = async (): Promise<CyclonusBinary> => {
  const go = promisify(execFile);
  const path = join(await cacheFolder(), 'answers');
  if (await exists(path)) return { kind: 'found', path };
  try {
    await go('go', ['version']);
  } catch {
    return { kind: 'missing', reason: 'Go is not on PATH, and the program that asks cyclonus is not built yet: install Go 1.26' };
  }
  const unfinished = `${path}.${process.pid}.unfinished`;
  await go('go', ['build', '-trimpath', '-mod=readonly', '-buildvcs=false', '-o', unfinished, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
  });
  await rename(unfinished, path); // another process may build the same one: the last rename wins, each is whole
  return { kind: 'found', path };
};

const cacheFolder = async (): Promise<string> => {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(await readFile(join(import.meta.dirname, file)));
  hash.update(JSON.stringify([process.platform, process.arch]));
  const userCache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(userCache, 'poimen', 'cyclonus', hash.digest('hex').slice(0, 12));
  await mkdir(folder, { recursive: true });
  return folder;
};

const exists = async (path: string): Promise<boolean> => {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
};
