import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { CniFacts } from './cni-facts.ts';
import type { PolicyPeer } from './peer.ts';
import type { PolicyInput } from './policy-input.ts';

/** Everything that verdicts may depend on. */
export interface PolicyWorld {
  readonly policies: readonly PolicyInput[];
  /** Namespace objects, for their labels. One that is missing makes what asks for its labels `depends`. */
  readonly namespaces: readonly KubernetesObject[];
  /** Node objects, for peers by node label (ClusterNetworkPolicy `nodes`). */
  readonly nodes?: readonly KubernetesObject[];
  /** Whom `classes` divides: pods (real and hypothetical) and addresses. Questions may be about others, too. */
  readonly peers: readonly PolicyPeer[];
  readonly cni?: CniFacts;
}

export interface PolicyEngine {
  /** One new connection, explained. */
  path(question: PathQuestion): PathVerdict;
  /** All ports of one pair. */
  reach(client: PolicyPeer, server: PolicyPeer): Reach;
  /** Peers that no policy tells apart. A class's index in the list is its `id`. */
  classes(): readonly PeerClass[];
  /** All ports between any two *different* peers of the classes. */
  reachOfClasses(client: PeerClass, server: PeerClass): ClassReach;
  /** The same for every client at once: at a client's `id`, the number of its reach. For many servers, pass the same array again. */
  reachRow(server: PeerClass, into?: Uint32Array): Uint32Array;
  /** What a number of `reachRow` stands for. */
  reachOf(number: number): ClassReach;
  /** Classes that a policy of the engine selects: as servers and as clients, only their pairs change with it. */
  classesSelectedBy(policy: PolicyInput): readonly PeerClass[];
  /** The same world with one policy added, or replaced by one of its kind and name. Cheap: what it does not touch is kept. */
  withPolicy(policy: PolicyInput): PolicyEngine;
  /** The same world without it; told apart by kind and name. */
  withoutPolicy(policy: PolicyInput): PolicyEngine;
}

export interface PathQuestion {
  readonly client: PolicyPeer;
  readonly server: PolicyPeer;
  /** On the server's pod: after a Service's translation. */
  readonly port: number;
  readonly protocol: Protocol;
}

export type Verdict = 'allowed' | 'denied' | 'depends';

export interface PathVerdict {
  readonly verdict: Verdict;
  readonly egress: Half;
  readonly ingress: Half;
}

/** What the policies of one end say: the client's about letting out, the server's about letting in. */
export interface Half {
  readonly verdict: Verdict;
  /** `namespace/name` of the policy that decided, where one alone did; the bare name of a cluster-wide one. */
  readonly policy?: string;
  /** Index of the rule in it that allows or denies, or would. */
  readonly rule?: number;
  /** NetworkPolicies that isolate this end in this direction. */
  readonly isolatedBy: readonly string[];
  /** For a person: `llm-serving/llm-serving-ingress isolates the pod and has no rule for pod poimen/memory on TCP 8080`. */
  readonly reason: string;
  /** Every policy that selects this end and speaks of the direction, in the order in which they are asked. */
  readonly findings: readonly PolicyFinding[];
}

/** What one policy says of a connection. */
export interface PolicyFinding {
  readonly policy: PolicyInput;
  /** `none`: no rule of it matches. Of a NetworkPolicy that means denied, unless another one allows; of the others, ask the next. */
  readonly says: 'allows' | 'denies' | 'passes' | 'none' | 'depends';
  /** Index of the rule that decides. */
  readonly rule?: number;
  /** One for each of its rules in the direction. Empty for a NetworkPolicy that lets nothing through. */
  readonly rules: readonly RuleFinding[];
}

export interface RuleFinding {
  /** Index in `ingress` or `egress`. */
  readonly rule: number;
  /** Where the rule is in the object: `/spec/ingress/0`. */
  readonly pointer: string;
  readonly matches: 'yes' | 'no' | 'unknown';
  /** Why: `the pod lacks the label app=memory (it has app=other)`, `has TCP 80 only`. */
  readonly why: string;
}

/** Ports of one pair, in order, without gaps that say something: a port that no range covers is denied. */
export type Reach = readonly PortRange[];

export interface PortRange {
  readonly protocol: Protocol;
  /** First and last port, both included. */
  readonly from: number;
  readonly to: number;
  readonly verdict: 'allowed' | 'depends';
}

export interface ClassReach {
  readonly ports: Reach;
  /** Where one end is a node (its address, or a pod on the host's network) and the other a pod on this node; absent elsewhere. */
  readonly onOwnNode?: Reach;
}

export interface PeerClass {
  readonly id: number;
  /** At least one. */
  readonly peers: readonly [PolicyPeer, ...PolicyPeer[]];
}
