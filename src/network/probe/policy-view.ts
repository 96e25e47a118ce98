import type { KubernetesObject } from '../../kubernetes/object.ts';
import { addressedPeer } from '../policy/addressed-peer.ts';
import { compilePolicy } from '../policy/compile-policy.ts';
import { matchEntry } from '../policy/match-entry.ts';
import { namespaceLabelsOf } from '../policy/matching-context.ts';
import type { PodPeer } from '../policy/peer.ts';
import type { PolicyInput } from '../policy/policy-input.ts';

/**
 * A function of what policies see of a pod by its labels: which of them select it, and in which of their rules it is a peer. Equal texts
 * for two pods of one namespace that differ in nothing but labels mean that no policy treats one otherwise than the other.
 */
export const createPolicyView = (policies: readonly PolicyInput[], namespaces: readonly KubernetesObject[]): ((pod: PodPeer) => string) => {
  const entries = policies
    .map(compilePolicy)
    .flatMap(({ subject, ingress = [], egress = [] }) => [subject, ...[...ingress, ...egress].flatMap(({ peers }) => peers.entries)])
    .filter(({ kind }) => kind === 'pods');
  const context = { namespaceLabels: namespaceLabelsOf(namespaces), nodes: undefined, cni: undefined, family: 'IPv4' as const };
  return (pod) => {
    const peer = addressedPeer(pod);
    return entries.map((entry) => matchEntry(entry, peer, context).kind).join(' ');
  };
};
