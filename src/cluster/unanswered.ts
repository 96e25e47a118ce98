import { ConnectionError, isApiError } from './api-error.ts';
import type { Cluster } from './cluster.ts';

/**
 * What to say when a server that is there had no answer to one question: the backend of an aggregated API is down, the webhook that converts a
 * custom resource is, or the server has no room. `undefined` for any other error, and when the server itself is not there.
 *
 * Source: Kubernetes, "Kubernetes API Aggregation Layer", "Response latency"; "Versions in CustomResourceDefinitions", "Webhook conversion".
 */
export const unansweredWords = async (cluster: Cluster, error: unknown, signal?: AbortSignal): Promise<string | undefined> => {
  if (isApiError(error)) return error.status.code === 429 || error.status.code >= 500 ? error.status.message : undefined;
  if (!(error instanceof ConnectionError)) return undefined;
  return (await isThere(cluster, signal)) ? error.message : undefined;
};

/** The core group is the server's own: nothing stands behind it. */
const isThere = async (cluster: Cluster, signal: AbortSignal | undefined): Promise<boolean> => {
  try {
    await cluster.discover('', signal === undefined ? {} : { signal });
    return true;
  } catch (error) {
    if (isApiError(error)) return true;
    if (error instanceof ConnectionError) return false;
    throw error;
  }
};
