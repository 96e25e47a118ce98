import { isJsonObject } from '../../kubernetes/json.ts';
import { quotedText } from '../quoted-text.ts';
import type { Credential } from './credential.ts';

/** `none`: it has nothing for this host. `failed`: whether it has is not known. */
export type HelperAnswer =
  | { readonly kind: 'credential'; readonly credential: Credential }
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly why: string };

export interface HelperRequest {
  /** `pass`, for `docker-credential-pass`. */
  readonly helper: string;
  /** What it is asked for. */
  readonly key: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks a credential helper, a program of its own. Without a shell, and not for longer than it may take.
 *
 * Source: docker-credential-helpers, "Development": `get`, the server on stdin, JSON on stdout; the user `<token>` marks an identity token.
 */
export const askHelper = async ({ helper, key, env, timeoutMs, signal }: HelperRequest): Promise<HelperAnswer> => {
  // A name, never a path: the file that names it may be somebody else's.
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(helper)) return { kind: 'failed', why: `"${quotedText(helper)}" is no helper's name` };
  const program = `docker-credential-${helper}`;
  const { execa } = await import('execa');
  const running = execa(program, ['get'], {
    input: key,
    env: { ...env },
    extendEnv: false,
    shell: false,
    reject: false,
    forceKillAfterDelay: 1_000,
    maxBuffer: 1_000_000,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    running.kill();
    // What it started may outlive it, with its output open: that is not waited for.
    running.stdout.destroy();
    running.stderr.destroy();
  }, timeoutMs);
  const result = await running;
  clearTimeout(timer);
  if (isLate) return { kind: 'failed', why: `${program} did not answer within ${timeoutMs / 1_000} s` };
  signal?.throwIfAborted();
  if (result.failed) {
    if (/credentials not found|no credentials server URL|no credentials username/i.test(result.stdout)) return { kind: 'none' };
    if (result.code === 'ENOENT') return { kind: 'failed', why: `there is no program ${program} in the PATH` };
    // stdout is where a secret would be; stderr is what it says to people
    return { kind: 'failed', why: [`${program} failed`, quotedText(result.stderr)].filter((text) => text !== '').join(': ') };
  }
  return readAnswer(result.stdout, program);
};

const readAnswer = (stdout: string, program: string): HelperAnswer => {
  const unusable: HelperAnswer = { kind: 'failed', why: `what ${program} printed is no credential` }; // not quoted: it may hold a secret
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    return unusable;
  }
  if (!isJsonObject(answer)) return unusable;
  const { Username: username, Secret: secret } = answer;
  if (typeof username !== 'string' || typeof secret !== 'string') return unusable;
  if (username === '' && secret === '') return { kind: 'none' };
  if (username === '<token>') return { kind: 'credential', credential: { kind: 'identity-token', token: secret, origin: program } };
  return { kind: 'credential', credential: { kind: 'password', username, password: secret, origin: program } };
};
