import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isIPv6 } from 'node:net';
import type { Kubeconfig } from './kubeconfig.ts';
import type { Environment } from './kubeconfig-files.ts';

export const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The kubeconfig of a pod's service account; undefined outside of a cluster.
 *
 * Source: Kubernetes documentation, "Accessing the Kubernetes API from a Pod".
 */
export const inClusterKubeconfig = (env: Environment, folder = serviceAccountFolder): Kubeconfig | undefined => {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  const namespace = readText(join(folder, 'namespace'));
  if (!host || !port || readText(join(folder, 'token')) === undefined) return undefined;
  const name = 'in-cluster';
  const entry = (fields: Readonly<Record<string, string>>) => new Map([[name, { directory: folder, fields }]]);
  return {
    currentContext: name,
    contexts: entry({ cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) }),
    clusters: entry({ server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`, 'certificate-authority': 'ca.crt' }),
    users: entry({ tokenFile: 'token' }),
  };
};

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
};
