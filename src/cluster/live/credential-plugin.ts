import type { RequestOptions } from 'node:https';
import { PoimenError } from '../../errors/poimen-error.ts';
import type { Authenticator, KubeconfigUser } from './client.ts';
import { isJsonObject, objectsIn, stringIn, type JsonObject } from './json.ts';
import { parseJson } from './responses.ts';

/**
 * A user's credential plugin, asked when there is no credential or when its own expiry has passed. One that names no expiry is kept until
 * whoever holds this object lets it go, as after a 401.
 *
 * With a terminal the plugin gets it, so that it can ask for a password or show where to log in; the client library gives it a pipe
 * that nobody writes to, and hides what it says.
 *
 * Source: Kubernetes reference, "Client authentication (v1)", ExecCredential; "kubeconfig (v1)", ExecConfig.
 */
export class CredentialPlugin implements Authenticator {
  private readonly hasTerminal: boolean;
  private readonly wallClock: () => number;
  private cached: PluginStatus | undefined;

  constructor(hasTerminal: boolean, wallClock: () => number = Date.now) {
    this.hasTerminal = hasTerminal;
    this.wallClock = wallClock;
  }

  isAuthProvider(user: KubeconfigUser): boolean {
    return isJsonObject(user.exec);
  }

  async applyAuthentication(user: KubeconfigUser, options: RequestOptions): Promise<void> {
    if (this.cached === undefined || this.hasExpired(this.cached)) this.cached = await this.ask(user.name, user.exec);
    const { token, certificate, key } = this.cached;
    if (certificate !== undefined && key !== undefined) Object.assign(options, { cert: certificate, key });
    if (token !== undefined) options.headers = { ...(options.headers as Record<string, string>), Authorization: `Bearer ${token}` };
  }

  private hasExpired({ expiresAtMs }: PluginStatus): boolean {
    return expiresAtMs !== undefined && expiresAtMs <= this.wallClock();
  }

  private async ask(userName: string, exec: unknown): Promise<PluginStatus> {
    if (!isJsonObject(exec)) throw new Error('no plugin');
    const mode = stringIn(exec, 'interactiveMode') ?? 'IfAvailable';
    if (mode === 'Always' && !this.hasTerminal) throw needsTerminal(userName, stringIn(exec, 'command') ?? '');
    return readCredential(await run(exec, this.hasTerminal && mode !== 'Never'));
  }
}

interface PluginStatus {
  readonly token: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  readonly expiresAtMs: number | undefined;
}

const readCredential = (stdout: string): PluginStatus => {
  const credential = parseJson(stdout);
  const status = isJsonObject(credential) ? credential['status'] : undefined;
  if (!isJsonObject(credential) || credential['kind'] !== 'ExecCredential' || !isJsonObject(status)) {
    throw new Error('what it printed is no ExecCredential with a status'); // not quoted: it may hold a secret
  }
  const certificate = stringIn(status, 'clientCertificateData');
  const key = stringIn(status, 'clientKeyData');
  const token = stringIn(status, 'token') || undefined;
  if (token === undefined && (certificate === undefined || key === undefined)) {
    throw new Error('it gave neither a token nor a certificate with its key');
  }
  const expiresAtMs = Date.parse(stringIn(status, 'expirationTimestamp') ?? '');
  return { token, certificate, key, expiresAtMs: Number.isNaN(expiresAtMs) ? undefined : expiresAtMs };
};

const run = async (exec: JsonObject, isInteractive: boolean): Promise<string> => {
  const { spawn } = await import('node:child_process');
  const info = parseJson(envOf(exec, infoVariable) ?? '');
  const told = isJsonObject(info)
    ? JSON.stringify({ ...info, spec: { ...asObject(info['spec']), interactive: isInteractive } })
    : undefined;
  const given = objectsIn(exec, 'env').map((entry) => [stringIn(entry, 'name') ?? '', stringIn(entry, 'value') ?? '']);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(stringIn(exec, 'command') ?? '', argumentsOf(exec), {
    stdio: [isInteractive ? 'inherit' : 'ignore', 'pipe', isInteractive ? 'inherit' : 'pipe'],
    env: { ...process.env, ...Object.fromEntries(given), ...(told === undefined ? {} : { [infoVariable]: told }) },
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (code === 0) resolve(stdout);
    else reject(new Error(stderr.trim() || `it ended with ${signal ?? `exit code ${code}`}`));
  });
  return await promise;
};

const infoVariable = 'KUBERNETES_EXEC_INFO';

const envOf = (exec: JsonObject, name: string): string | undefined => {
  const entry = objectsIn(exec, 'env').findLast((each) => each['name'] === name);
  return entry === undefined ? undefined : stringIn(entry, 'value');
};

const argumentsOf = ({ args }: JsonObject): readonly string[] => (Array.isArray(args) ? args.filter((arg) => typeof arg === 'string') : []);

const asObject = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

const needsTerminal = (user: string, command: string): PoimenError =>
  new PoimenError({
    outcome: 'refused',
    code: 'CredentialPluginNeedsTerminal',
    summary: `the credential plugin "${command}" of user "${user}" needs a terminal, and there is none here`,
    detail: 'the kubeconfig says interactiveMode: Always',
    nextSteps: ['run this in a terminal, or use a user whose credentials need no one: --user NAME'],
  });
