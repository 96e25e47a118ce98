import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '../../kubernetes/json.ts';
import { askHelper } from './credential-helper.ts';
import type { Credential, CredentialLookup, CredentialTarget } from './credential.ts';
import { entryFor, helperKey } from './docker-config.ts';

export interface StoredCredentialsSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Each helper may take so long. */
  readonly helperTimeoutMs?: number;
}

/**
 * What a person has logged in with on this machine: docker's config.json, then podman's auth.json; in each first what a helper knows
 * (`credHelpers`, `credsStore`), then `auths`. The first place that has something decides.
 *
 * Source: docker CLI, "Credential store options", DOCKER_CONFIG; containers-auth.json(5), REGISTRY_AUTH_FILE.
 */
export const storedCredentials = (settings: StoredCredentialsSettings): CredentialLookup => {
  const files = credentialFiles(settings);
  return async (target, signal) => {
    const looked: string[] = [];
    for (const file of files) {
      const credentials = await lookInto(file, target, settings, signal, looked);
      if (credentials.length > 0) return { credentials, looked };
    }
    return { credentials: [], looked };
  };
};

/** Source: docker CLI, "Environment variables"; containers-auth.json(5), "Format". */
const credentialFiles = ({ env, homeDirectory }: StoredCredentialsSettings): readonly string[] => {
  const docker = join(env['DOCKER_CONFIG'] || join(homeDirectory, '.docker'), 'config.json');
  const configured = env['REGISTRY_AUTH_FILE'];
  if (configured) return [docker, configured];
  const runtime = env['XDG_RUNTIME_DIR'];
  const config = env['XDG_CONFIG_HOME'] || join(homeDirectory, '.config');
  return [docker, ...(runtime ? [join(runtime, 'containers/auth.json')] : []), join(config, 'containers/auth.json')];
};

const lookInto = async (
  file: string,
  target: CredentialTarget,
  { env, helperTimeoutMs = 30_000 }: StoredCredentialsSettings,
  signal: AbortSignal | undefined,
  looked: string[],
): Promise<readonly Credential[]> => {
  const document = await readJson(file);
  if (typeof document === 'string') {
    looked.push(`${file}: ${document}`);
    return [];
  }
  const { helper, store, credentials, problems } = entryFor(document, target, file);
  for (const name of new Set([helper, store].filter((each) => each !== undefined))) {
    const answer = await askHelper({ helper: name, key: helperKey(target.host), env, timeoutMs: helperTimeoutMs, signal });
    if (answer.kind === 'credential') return [answer.credential];
    looked.push(`${file}: ${answer.kind === 'none' ? `docker-credential-${name} has nothing for ${target.host}` : answer.why}`);
  }
  looked.push(...problems);
  if (credentials.length === 0) looked.push(`${file}: nothing for ${target.host}`);
  return credentials;
};

/** The document, or why there is none. */
const readJson = async (file: string): Promise<Readonly<Record<string, unknown>> | string> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    return code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`;
  }
  try {
    const document: unknown = JSON.parse(text);
    if (isJsonObject(document)) return document;
  } catch {
    // not quoted, below: it may hold a secret
  }
  return 'is no JSON object';
};
