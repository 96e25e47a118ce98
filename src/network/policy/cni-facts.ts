/**
 * What the API leaves open and a network plugin decides. A fact that is absent is not known: verdicts that need it are `depends`.
 */
export interface CniFacts {
  /** For people: `Calico`. */
  readonly name: string;
  /** Whether an ipBlock covers pods by their address. */
  readonly ipBlockMatchesPods?: boolean;
  /** Whether an ipBlock covers nodes and pods on the host's network, by the node's address. */
  readonly ipBlockMatchesNodes?: boolean;
  /** Whether NetworkPolicies select pods on the host's network, as pods to isolate and as peers. */
  readonly selectsHostNetwork?: boolean;
}
