import { isAbsolute, join, resolve } from 'node:path';
import { newUsers, type KubeconfigUser } from './client.ts';
import type { ChosenContext } from './context.ts';
import type { Impersonation } from './credentials.ts';
import type { ClientCertificate } from './endpoint.ts';
import { isJsonObject, stringIn, type JsonObject } from './json.ts';
import { readPem } from './pem.ts';

export interface LiveUser {
  readonly name: string;
  /** As the client library understands it. */
  readonly entry: KubeconfigUser;
  readonly client: ClientCertificate | undefined;
  /** Reads the certificate again, where it is in files: somebody may have put others there. */
  readonly rereadClient?: () => ClientCertificate | undefined;
  /** Whether asking again can give other credentials. */
  readonly isRenewable: boolean;
  /** The user's own `as`, `as-groups`, `as-uid` and `as-user-extra`. */
  readonly impersonation: Impersonation | undefined;
}

/**
 * The user of a context. Adds what the client library does not know: `tokenFile`, a plugin's path relative to the kubeconfig, and what
 * a plugin is told.
 *
 * Source: Kubernetes reference, "kubeconfig (v1)", AuthInfo and ExecConfig; "Client authentication (v1)", ExecCredential.
 */
export const readUser = ({ userName: name, user, cluster }: ChosenContext): LiveUser => {
  const { fields, directory } = user;
  const tokenFile = stringIn(fields, 'tokenFile');
  const exec = isJsonObject(fields['exec']) ? tellPlugin(fields['exec'], directory, cluster.fields) : undefined;
  const [entry = { name }] = newUsers([
    {
      name,
      user: {
        ...fields,
        ...(exec === undefined ? {} : { exec }),
        ...(tokenFile === undefined
          ? {}
          : { 'auth-provider': { name: 'tokenFile', config: { tokenFile: resolve(directory, tokenFile) } } }),
      },
    },
  ]);
  const readClient = (): ClientCertificate | undefined => {
    const certificate = readPem(user, 'client-certificate', `user "${name}"`);
    const key = readPem(user, 'client-key', `user "${name}"`);
    return certificate === undefined || key === undefined ? undefined : { certificate, key };
  };
  const client = readClient();
  const isInFiles = client !== undefined && !stringIn(fields, 'client-certificate-data');
  return {
    name,
    entry,
    client,
    ...(isInFiles ? { rereadClient: readClient } : {}),
    isRenewable: exec !== undefined || entry.authProvider !== undefined || isInFiles,
    impersonation: readImpersonation(fields),
  };
};

const tellPlugin = (exec: JsonObject, directory: string, cluster: JsonObject): JsonObject => {
  const command = stringIn(exec, 'command') ?? '';
  const info = {
    apiVersion: exec['apiVersion'],
    kind: 'ExecCredential',
    spec: { interactive: false, ...(exec['provideClusterInfo'] === true ? { cluster: clusterInfo(cluster) } : {}) },
  };
  return {
    ...exec,
    command: /[/\\]/.test(command) && !isAbsolute(command) ? join(directory, command) : command,
    env: [...(Array.isArray(exec['env']) ? exec['env'] : []), { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }],
  };
};

const clusterInfo = (cluster: JsonObject): JsonObject => {
  const names = ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'certificate-authority-data', 'proxy-url'];
  return Object.fromEntries(names.flatMap((name) => (cluster[name] === undefined ? [] : [[name, cluster[name]]])));
};

const readImpersonation = (fields: JsonObject): Impersonation | undefined => {
  const user = stringIn(fields, 'as');
  if (user === undefined) return undefined;
  const uid = stringIn(fields, 'as-uid');
  const extra = isJsonObject(fields['as-user-extra']) ? Object.entries(fields['as-user-extra']) : [];
  return {
    user,
    groups: strings(fields['as-groups']),
    ...(uid === undefined ? {} : { uid }),
    extra: Object.fromEntries(extra.map(([key, values]) => [key, strings(values)])),
  };
};

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
