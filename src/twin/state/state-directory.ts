import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';

/**
 * Where a twin remembers: one folder for each folder of manifests.
 *
 * Source: XDG Base Directory Specification, `$XDG_STATE_HOME`.
 */
export const stateDirectoryOf = (
  manifestFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): string => {
  const given = env.XDG_STATE_HOME ?? '';
  const stateHome = isAbsolute(given) ? given : join(homeDirectory, '.local', 'state'); // a relative one is to be ignored
  const key = createHash('sha256').update(realPathOf(manifestFolder)).digest('hex').slice(0, 16);
  return join(stateHome, 'poimen', 'twin', key);
};

/** A folder that is not there has a name too: that it is missing is said when it is read. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
};
