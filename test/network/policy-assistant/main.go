// A second opinion on AdminNetworkPolicy and BaselineAdminNetworkPolicy, beside NetworkPolicy v1: reads clusters and connections as JSON
// lines, and answers a line each with what policy-assistant says.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	v1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/network-policy-api/apis/v1alpha1"
	"sigs.k8s.io/network-policy-api/policy-assistant/pkg/matcher"
)

type question struct {
	Policies []*networkingv1.NetworkPolicy        `json:"policies"`
	Admin    []*v1alpha1.AdminNetworkPolicy       `json:"admin"`
	Baseline *v1alpha1.BaselineAdminNetworkPolicy `json:"baseline"`
	Client   peer                                 `json:"client"`
	Server   peer                                 `json:"server"`
	Port     int                                  `json:"port"`
	PortName string                               `json:"portName"`
	Protocol v1.Protocol                          `json:"protocol"`
}

type peer struct {
	Address         string            `json:"address"`
	Namespace       string            `json:"namespace"` // empty for an address outside the cluster
	Labels          map[string]string `json:"labels"`
	NamespaceLabels map[string]string `json:"namespaceLabels"`
}

type answer struct {
	Egress  bool `json:"egress"`
	Ingress bool `json:"ingress"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked question
		must(json.Unmarshal(lines.Bytes(), &asked))
		policy := matcher.BuildV1AndV2NetPols(false, asked.Policies, asked.Admin, asked.Baseline)
		allowed := policy.IsTrafficAllowed(&matcher.Traffic{
			Source:           trafficPeer(asked.Client),
			Destination:      trafficPeer(asked.Server),
			ResolvedPort:     asked.Port,
			ResolvedPortName: asked.PortName,
			Protocol:         asked.Protocol,
		})
		must(answers.Encode(answer{Egress: allowed.Egress.IsAllowed(), Ingress: allowed.Ingress.IsAllowed()}))
	}
	must(lines.Err())
}

func trafficPeer(p peer) *matcher.TrafficPeer {
	if p.Namespace == "" {
		return &matcher.TrafficPeer{IP: p.Address}
	}
	return &matcher.TrafficPeer{
		IP: p.Address,
		Internal: &matcher.InternalPeer{
			PodLabels:       p.Labels,
			NamespaceLabels: p.NamespaceLabels,
			Namespace:       p.Namespace,
		},
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
