import type { NetworkPolicy } from '../../kubernetes/network-policy.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { Direction } from './isolation.ts';
import type { PolicyPeer } from './peer.ts';

/** Whether the policies of one end let a connection through. */
export interface HalfQuestion {
  readonly direction: Direction;
  /** Whose policies are asked: the client for Egress, the server for Ingress. */
  readonly subject: PolicyPeer;
  readonly other: PolicyPeer;
  /** On the server's pod: after a Service's translation. */
  readonly port: number;
  readonly protocol: Protocol;
  readonly policies: readonly NetworkPolicy[];
  readonly namespaces: readonly KubernetesObject[];
}
