import { dirname } from 'node:path';
import { PoimenError } from '../../errors/poimen-error.ts';
import { isJsonObject, objectsIn, stringIn, type JsonObject } from './json.ts';
import type { KubeconfigFile } from './kubeconfig-files.ts';
import { parseJson } from './responses.ts';

/** One named entry, as the file says it. */
export interface KubeconfigEntry {
  readonly fields: JsonObject;
  /** Relative paths in the entry start here. */
  readonly directory: string;
}

/**
 * Several files as one. An entry that is in two files is the first one's, and so is the current context.
 *
 * Source: Kubernetes documentation, "Merging kubeconfig files".
 */
export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
}

/** @throws PoimenError for a file that is no kubeconfig. */
export const loadKubeconfig = async (files: readonly KubeconfigFile[]): Promise<Kubeconfig> => {
  const parsed = await Promise.all(files.map(async (file) => ({ directory: dirname(file.path), config: await parseKubeconfig(file) })));
  const entries = (list: string, field: string): ReadonlyMap<string, KubeconfigEntry> => {
    const byName = new Map<string, KubeconfigEntry>();
    for (const { directory, config } of parsed) {
      for (const entry of objectsIn(config, list)) {
        const name = stringIn(entry, 'name');
        const fields = entry[field];
        if (name !== undefined && !byName.has(name)) byName.set(name, { directory, fields: isJsonObject(fields) ? fields : {} });
      }
    }
    return byName;
  };
  return {
    currentContext: parsed.map(({ config }) => stringIn(config, 'current-context')).find((name) => name !== undefined && name !== ''),
    contexts: entries('contexts', 'context'),
    clusters: entries('clusters', 'cluster'),
    users: entries('users', 'user'),
  };
};

const parseKubeconfig = async ({ path, text }: KubeconfigFile): Promise<JsonObject> => {
  const config = parseJson(text) ?? (await parseYaml(path, text));
  if (isJsonObject(config) && (config['kind'] === undefined || config['kind'] === 'Config')) return config;
  if (config === null || config === undefined) return {}; // an empty file is an empty kubeconfig
  throw invalid(path, isJsonObject(config) ? `its kind is ${String(config['kind'])}, not Config` : 'it is not a mapping');
};

const parseYaml = async (path: string, text: string): Promise<unknown> => {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' });
  const [error] = document.errors;
  // the first line only: the others quote the source, which may be a token
  if (error !== undefined) throw invalid(path, (error.message.split('\n')[0] ?? '').replace(/:$/, ''));
  return document.toJS() as unknown;
};

const invalid = (path: string, detail: string): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'KubeconfigInvalid',
    summary: `${path} is no usable kubeconfig`,
    detail,
    nextSteps: [`see what kubectl makes of it: kubectl config view --kubeconfig ${path}`],
  });
