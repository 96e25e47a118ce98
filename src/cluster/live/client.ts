/**
 * The only import of the Kubernetes client library. By its files, not by its index: the index and its KubeConfig class pull in every
 * model of the API and an OpenID client, 65 ms at each start; these parts take 3 ms.
 */
export { newClusters, newContexts, newUsers } from '@kubernetes/client-node/dist/config_types.js';
export type {
  Cluster as KubeconfigCluster,
  Context as KubeconfigContext,
  User as KubeconfigUser,
} from '@kubernetes/client-node/dist/config_types.js';
export type { Authenticator } from '@kubernetes/client-node/dist/auth.js';

import type { Authenticator } from '@kubernetes/client-node/dist/auth.js';
import { FileAuth } from '@kubernetes/client-node/dist/file_auth.js';
import type { User } from '@kubernetes/client-node/dist/config_types.js';
import { CredentialPlugin } from './credential-plugin.ts';

/** What gets this user's credentials, fresh and without anything cached; undefined when the kubeconfig holds them itself. */
export const createAuthenticator = async (user: User, hasTerminal: boolean): Promise<Authenticator | undefined> => {
  const candidates: Authenticator[] = [new CredentialPlugin(hasTerminal)];
  if (user.authProvider !== undefined && user.authProvider !== null) {
    candidates.push(new FileAuth(), ...(await createProviders()));
  }
  return candidates.find((candidate) => candidate.isAuthProvider(user));
};

/** `auth-provider` entries are rare (kubectl has dropped all but oidc) and dear: loaded when there is one. */
const createProviders = async (): Promise<readonly Authenticator[]> => {
  const [{ AzureAuth }, { GoogleCloudPlatformAuth }, { OpenIDConnectAuth }] = await Promise.all([
    import('@kubernetes/client-node/dist/azure_auth.js'),
    import('@kubernetes/client-node/dist/gcp_auth.js'),
    import('@kubernetes/client-node/dist/oidc_auth.js'),
  ]);
  return [new AzureAuth(), new GoogleCloudPlatformAuth(), new OpenIDConnectAuth()];
};
