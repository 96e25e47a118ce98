import type { NetworkPolicy } from '../../kubernetes/network-policy.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import { evaluateHalf, type Half, type Verdict } from './half.ts';
import type { PolicyPeer } from './peer.ts';

export interface PathQuestion {
  readonly client: PolicyPeer;
  readonly server: PolicyPeer;
  /** On the server's pod: after a Service's translation. */
  readonly port: number;
  readonly protocol: Protocol;
  /** Of all namespaces; those of the client's and the server's decide. */
  readonly policies: readonly NetworkPolicy[];
  /** Namespace objects, for their labels. One that is missing makes what asks for its labels `depends`. */
  readonly namespaces: readonly KubernetesObject[];
}

export interface PathVerdict {
  readonly verdict: Verdict;
  readonly egress: Half;
  readonly ingress: Half;
}

/**
 * Whether the policies let a *new* connection through. Both halves have to: the client's egress and the server's ingress.
 *
 * Source: Kubernetes, "Network Policies", and API reference, NetworkPolicy v1 networking.k8s.io.
 */
export const evaluatePath = ({ client, server, ...rest }: PathQuestion): PathVerdict => {
  const egress = evaluateHalf({ direction: 'Egress', subject: client, other: server, ...rest });
  const ingress = evaluateHalf({ direction: 'Ingress', subject: server, other: client, ...rest });
  return { verdict: verdictOf(egress, ingress), egress, ingress };
};

const verdictOf = (...halves: readonly Half[]): Verdict => {
  if (halves.some(({ verdict }) => verdict === 'denied')) return 'denied';
  return halves.some(({ verdict }) => verdict === 'depends') ? 'depends' : 'allowed';
};
