import type { CniFacts } from '../policy/cni-facts.ts';

/** What is known of a network plugin beyond what verdicts need. */
export interface CniProfile extends CniFacts {
  /** It judges the Service's own address and port as well, before they are translated: where the two ports differ, `depends`. */
  readonly judgesServicePort?: boolean;
}

/**
 * By the name that `--cni` takes. A fact that a setting or a version changes, or that nobody wrote down, is left out: `depends`.
 *
 * Each fact by the threads that tell it, in the order of the fields; kubernetes/website#39875 says of all of them that selectors do not
 * match pods on the host's network.
 * - Antrea: antrea#1764; antrea#2093 (to isolate), antrea#3078 (as peers).
 * - Amazon: amazon-network-policy-controller-k8s#222 (what a node enforces is one list of addresses), #194 (Service ports). Whether it
 *   selects pods on the host's network changed with #206.
 * - Calico: calico#6634; calico#4667 and felix#1361.
 * - Cilium: cilium#9209 and #19601. Nodes are a matter of `policy-cidr-match-mode`: #12277.
 * - kube-router: kube-router#1135, where ranges of nodes stand in for selectors; #1067.
 * - OVN-Kubernetes: ovn-kubernetes#1674, whose rules compare with the packet's address and nothing else. Pods on the host's network are
 *   a matter of `host-network-namespace`: #2093, #3669.
 */
export const cniProfiles: Readonly<Record<string, CniProfile>> = {
  antrea: { name: 'Antrea', ipBlockMatchesPods: true, selectsHostNetwork: false },
  aws: { name: 'Amazon VPC CNI', ipBlockMatchesPods: true, judgesServicePort: true },
  calico: { name: 'Calico', ipBlockMatchesPods: true, selectsHostNetwork: false },
  cilium: { name: 'Cilium', ipBlockMatchesPods: false, selectsHostNetwork: false },
  'kube-router': { name: 'kube-router', ipBlockMatchesNodes: true, selectsHostNetwork: false },
  ovn: { name: 'OVN-Kubernetes', ipBlockMatchesPods: true },
};
