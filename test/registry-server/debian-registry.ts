import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pickFreePorts } from '../cluster/ports.ts';
import { startProcess, waitUntil } from '../cluster/processes.ts';
import { startWatchdog } from '../cluster/watchdog.ts';

const program = '/usr/bin/docker-registry';

/** Whether Debian's package docker-registry is installed. */
export const hasDebianRegistry = existsSync(program);

export interface DebianRegistry {
  /** `127.0.0.1:PORT`. It speaks plain HTTP. */
  readonly host: string;
  readonly url: string;
  /** The one user that is let in, USER:PASSWORD; `undefined`: everybody is. */
  readonly account: string | undefined;
  stop(): Promise<void>;
}

/** bcrypt of "open sesame", the one kind of hash that it takes. */
const htpasswd = 'poimen:$2y$05$abcdefghijklmnopqrstuupx2xBUC4954936wVIjyyPHmUBFu0wCW\n';

/** Debian's docker-registry on loopback, with its data in a folder of its own. Without the referrers API. */
export const startDebianRegistry = async ({ wantsPassword }: { readonly wantsPassword: boolean }): Promise<DebianRegistry> => {
  const folder = mkdtempSync(join(tmpdir(), 'poimen-registry-'));
  const watchdog = await startWatchdog(folder);
  const [port = 0] = await pickFreePorts(1);
  const host = `127.0.0.1:${port}`;
  const users = join(folder, 'htpasswd');
  writeFileSync(users, htpasswd);
  const config = {
    version: 0.1,
    log: { level: 'warn' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') }, delete: { enabled: true } },
    http: { addr: host },
    ...(wantsPassword ? { auth: { htpasswd: { realm: 'test registry', path: users } } } : {}),
  };
  const file = join(folder, 'config.yml');
  writeFileSync(file, JSON.stringify(config)); // JSON is YAML
  const logFile = join(folder, 'log');
  const registry = await startProcess({ name: 'docker-registry', command: program, args: ['serve', file], logFile }, watchdog);
  const stop = async (): Promise<void> => {
    await registry.stop(5_000);
    await watchdog.dismiss();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const answers = async (): Promise<boolean> => [200, 401].includes((await fetch(`http://${host}/v2/`)).status);
    await waitUntil('docker-registry answers', [registry], 10_000, answers);
  } catch (error) {
    await stop();
    throw error;
  }
  return { host, url: `http://${host}`, account: wantsPassword ? 'poimen:open sesame' : undefined, stop };
};
