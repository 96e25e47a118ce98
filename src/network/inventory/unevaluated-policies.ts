import { isLabelKey } from '../../kubernetes/label-syntax.ts';
import { matchesSelector, type LabelSelector, type Labels } from '../../kubernetes/label-selector.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import { valueAt, type JsonPath } from '../../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { groupOf } from '../../manifests/object-identity.ts';
import type { Doubt } from './doubt.ts';
import { namespaceOf, placeOf, type SourceObject } from './source-object.ts';

/** A kind of policy that poimen does not evaluate. */
export interface UnevaluatedKind {
  readonly groups: readonly string[];
  readonly kind: string;
  readonly clusterWide?: boolean;
  readonly effect: Doubt['effect'];
  readonly directions?: Doubt['directions'];
  /** Where it says which pods it is about, as a LabelSelector. Without it: all that it can reach. */
  readonly selector?: JsonPath;
  /** It is about addresses outside the cluster alone. */
  readonly outsideOnly?: boolean;
}

const calicoGroups = ['crd.projectcalico.org', 'projectcalico.org'];

/**
 * Sources: the custom resource definitions of Cilium, Calico, OVN-Kubernetes, Antrea, the AWS VPC CNI, GKE, Istio, Linkerd, Kuma and
 * Consul. Meshes decide behind NetworkPolicies: they can only shut.
 */
export const unevaluatedKinds: readonly UnevaluatedKind[] = [
  { groups: ['cilium.io'], kind: 'CiliumNetworkPolicy', effect: 'both', selector: ['spec', 'endpointSelector'] },
  {
    groups: ['cilium.io'],
    kind: 'CiliumClusterwideNetworkPolicy',
    clusterWide: true,
    effect: 'both',
    selector: ['spec', 'endpointSelector'],
  },
  { groups: calicoGroups, kind: 'NetworkPolicy', effect: 'both' },
  { groups: calicoGroups, kind: 'GlobalNetworkPolicy', clusterWide: true, effect: 'both' },
  { groups: ['k8s.ovn.org'], kind: 'EgressFirewall', effect: 'shuts', directions: ['Egress'], outsideOnly: true },
  { groups: ['crd.antrea.io'], kind: 'NetworkPolicy', effect: 'both' },
  { groups: ['crd.antrea.io'], kind: 'ClusterNetworkPolicy', clusterWide: true, effect: 'both' },
  { groups: ['networking.k8s.aws'], kind: 'ApplicationNetworkPolicy', effect: 'both' },
  { groups: ['networking.k8s.aws'], kind: 'ClusterNetworkPolicy', clusterWide: true, effect: 'both' },
  { groups: ['networking.gke.io'], kind: 'FQDNNetworkPolicy', effect: 'both', directions: ['Egress'], outsideOnly: true },
  { groups: ['security.istio.io'], kind: 'AuthorizationPolicy', effect: 'shuts', directions: ['Ingress'], selector: ['spec', 'selector'] },
  { groups: ['security.istio.io'], kind: 'PeerAuthentication', effect: 'shuts', directions: ['Ingress'], selector: ['spec', 'selector'] },
  { groups: ['policy.linkerd.io'], kind: 'Server', effect: 'shuts', directions: ['Ingress'], selector: ['spec', 'podSelector'] },
  { groups: ['policy.linkerd.io'], kind: 'AuthorizationPolicy', effect: 'shuts', directions: ['Ingress'] },
  { groups: ['policy.linkerd.io'], kind: 'ServerAuthorization', effect: 'shuts', directions: ['Ingress'] },
  { groups: ['kuma.io'], kind: 'MeshTrafficPermission', clusterWide: true, effect: 'shuts', directions: ['Ingress'] },
  { groups: ['consul.hashicorp.com'], kind: 'ServiceIntentions', clusterWide: true, effect: 'shuts', directions: ['Ingress'] },
];

/** For reading a cluster: the groups that may have such kinds. */
export const unevaluatedGroups: readonly string[] = [...new Set(unevaluatedKinds.flatMap(({ groups }) => groups))];

export const unevaluatedKindOf = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): UnevaluatedKind | undefined =>
  unevaluatedKinds.find((candidate) => candidate.kind === kind && candidate.groups.includes(groupOf(apiVersion)));

export const takeUnevaluatedPolicies = (objects: readonly SourceObject[]): readonly Doubt[] =>
  objects.flatMap((source) => {
    const kind = unevaluatedKindOf(source.object);
    return kind === undefined ? [] : [doubtOf(source, kind)];
  });

const doubtOf = (source: SourceObject, kind: UnevaluatedKind): Doubt => {
  const { object } = source;
  const name = kind.clusterWide === true ? object.metadata.name : `${namespaceOf(object)}/${object.metadata.name}`;
  const place = placeOf(source, []);
  return {
    on: `${object.kind} ${name}, not evaluated`,
    effect: kind.effect,
    directions: kind.directions ?? ['Ingress', 'Egress'],
    ...(place === undefined ? {} : { source: place }),
    concerns: (subject, other) =>
      subject.kind === 'pod' &&
      (kind.outsideOnly !== true || other.kind === 'address') &&
      (kind.clusterWide === true || isWide(object, kind) || namespaceOf(object) === subject.namespace) &&
      maySelect(object, kind, subject.labels),
  };
};

/** Istio's root namespace makes a policy mesh-wide. Source: Istio, AuthorizationPolicy, "Scope". */
const isWide = ({ metadata }: KubernetesObject, { groups }: UnevaluatedKind): boolean =>
  groups.includes('security.istio.io') && metadata.namespace === 'istio-system';

/** False only for a plain selector that certainly does not match: of a key with a source (`k8s:app`) or another's meaning nothing is known. */
const maySelect = (object: KubernetesObject, { selector: path }: UnevaluatedKind, labels: Labels): boolean => {
  const selector = path === undefined ? undefined : valueAt(object, path);
  return !isLabelSelector(selector) || !keysOf(selector).every(isLabelKey) || matchesSelector(selector, labels);
};

const isLabelSelector = (value: unknown): value is LabelSelector => isJsonObject(value);

const keysOf = ({ matchLabels, matchExpressions }: LabelSelector): readonly string[] => [
  ...Object.keys(matchLabels ?? {}),
  ...(matchExpressions ?? []).map(({ key }) => key),
];
