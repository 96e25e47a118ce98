import type { NetworkOrigin } from '../../operations/network-source.ts';
import { renderCluster } from '../cluster.ts';

/** `in the manifests of k8s/`, `on context prod (https://10.0.0.1:6443) as jane`. */
export const renderOrigin = (origin: NetworkOrigin): string =>
  origin.kind === 'manifests' ? `in the manifests of ${origin.name}` : `on ${renderCluster(origin)}`;
