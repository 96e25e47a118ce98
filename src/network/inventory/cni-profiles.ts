import type { CniFacts } from '../policy/cni-facts.ts';

/** What is known of a network plugin beyond what verdicts need. */
export interface CniProfile extends CniFacts {
  /** It judges the Service's own address and port as well, before they are translated: where the two ports differ, `depends`. */
  readonly judgesServicePort?: boolean;
}

/**
 * By the name that `--cni` takes. Selectors never match pods on the host's network in any of these (kubernetes/website#39875). A fact that
 * a setting changes is left out.
 *
 * Sources: cilium/cilium#9209 and #19601 (ipBlock never pods), #12277 (nodes only with policy-cidr-match-mode); projectcalico/calico#6634
 * (ipBlock also pods) and #4493; amazon-network-policy-controller-k8s#194 on Service ports; kube-router#1135; ovn-kubernetes#1635.
 */
export const cniProfiles: Readonly<Record<string, CniProfile>> = {
  antrea: { name: 'Antrea', ipBlockMatchesPods: true, selectsHostNetwork: false },
  aws: { name: 'Amazon VPC CNI', ipBlockMatchesPods: true, ipBlockMatchesNodes: true, selectsHostNetwork: false, judgesServicePort: true },
  calico: { name: 'Calico', ipBlockMatchesPods: true, ipBlockMatchesNodes: true, selectsHostNetwork: false },
  cilium: { name: 'Cilium', ipBlockMatchesPods: false, selectsHostNetwork: false },
  'kube-router': { name: 'kube-router', ipBlockMatchesPods: true, ipBlockMatchesNodes: true, selectsHostNetwork: false },
  ovn: { name: 'OVN-Kubernetes', ipBlockMatchesPods: true, ipBlockMatchesNodes: true, selectsHostNetwork: false },
};
