import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { PolicyPeer } from '../policy/peer.ts';

/** The port on which Istio's ztunnels carry every connection between ambient pods. Source: Istio, "Ambient and Kubernetes NetworkPolicy". */
export const hbonePort = 15_008;

const modeLabel = 'istio.io/dataplane-mode';

/** Whether the pod is in Istio's ambient mesh: its own label decides, else its namespace's. Without the Namespace object: no. */
export const isAmbient = (peer: PolicyPeer, namespaces: readonly KubernetesObject[]): boolean => {
  if (peer.kind === 'address' || peer.hostNetwork) return false;
  const own = peer.labels[modeLabel];
  if (own !== undefined) return own === 'ambient';
  return namespaces.find(({ metadata }) => metadata.name === peer.namespace)?.metadata.labels?.[modeLabel] === 'ambient';
};
