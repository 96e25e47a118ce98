import type { ObjectReference } from './reference.ts';
import { qualifiedName, resources, type Resource } from './resource.ts';

export type ParsedReference =
  | { readonly kind: 'reference'; readonly reference: ObjectReference }
  | { readonly kind: 'error'; readonly message: string };

export interface ParseReferenceOptions {
  /** For references without a dot. */
  readonly namespace?: string;
  /** Kinds, in Kubernetes' spelling, that the reference may have. Absent: every kind that poimen knows. */
  readonly kinds?: readonly string[];
}

/** kubectl's short names. Source: `kubectl api-resources`. */
const shortNames: Readonly<Record<string, Resource>> = {
  cm: resources.configMaps,
  cj: resources.cronJobs,
  crd: resources.customResourceDefinitions,
  deploy: resources.deployments,
  ds: resources.daemonSets,
  ev: resources.events,
  hpa: resources.horizontalPodAutoscalers,
  isvc: resources.inferenceServices,
  limits: resources.limitRanges,
  netpol: resources.networkPolicies,
  no: resources.nodes,
  ns: resources.namespaces,
  pc: resources.priorityClasses,
  pdb: resources.podDisruptionBudgets,
  po: resources.pods,
  pv: resources.persistentVolumes,
  pvc: resources.persistentVolumeClaims,
  quota: resources.resourceQuotas,
  rc: resources.replicationControllers,
  rs: resources.replicaSets,
  sa: resources.serviceAccounts,
  so: resources.scaledObjects,
  sts: resources.statefulSets,
  svc: resources.services,
};

/** What has no name of its own to refer to by. */
const unnamed: ReadonlySet<Resource> = new Set([resources.selfSubjectAccessReviews]);

/**
 * Reads `KIND/NAME` or `KIND/NAME.NAMESPACE` as a person types it: the last dot splits, so a name that has a dot is written
 * with its namespace. Names of cluster-scoped kinds are taken whole. KIND is a kind, its plural, kubectl's short name, or
 * `plural.group`, in any case.
 */
export const parseReference = (text: string, { namespace, kinds }: ParseReferenceOptions = {}): ParsedReference => {
  const fail = (problem: string): ParsedReference => ({ kind: 'error', message: `"${text}": ${problem}` });
  const [kindText, nameText, ...rest] = text.split('/');
  if (kindText === undefined || kindText === '' || nameText === undefined || nameText === '' || rest.length > 0) {
    return fail('KIND/NAME or KIND/NAME.NAMESPACE is expected, such as deploy/clef-serve.llm-serving');
  }
  const resource = resourceNamed(kindText);
  if (resource === undefined) return fail(`"${kindText}" is not a kind that can be referred to; known: ${knownKinds(kinds).join(', ')}`);
  if (kinds !== undefined && !kinds.includes(resource.kind))
    return fail(`${resource.kind} cannot stand here; expected: ${kinds.join(', ')}`);

  const dot = resource.namespaced ? nameText.lastIndexOf('.') : -1;
  const name = dot < 0 ? nameText : nameText.slice(0, dot);
  if (!isObjectName(name)) return fail(`"${name}" is not a valid object name: lower-case letters, digits, "-" and "." are`);
  if (!resource.namespaced) return { kind: 'reference', reference: { resource, name } };
  const inNamespace = dot < 0 ? namespace : nameText.slice(dot + 1);
  if (inNamespace === undefined) return fail(`no namespace: write ${kindText}/${name}.NAMESPACE, or pass -n NAMESPACE`);
  if (!isNamespaceName(inNamespace)) return fail(`"${inNamespace}" is not a valid namespace name: the last dot splits name and namespace`);
  return { kind: 'reference', reference: { resource, namespace: inNamespace, name } };
};

const resourceNamed = (text: string): Resource | undefined => {
  const wanted = text.toLowerCase();
  const short = Object.hasOwn(shortNames, wanted) ? shortNames[wanted] : undefined;
  return short ?? nameable().find((resource) => [resource.kind.toLowerCase(), resource.plural, qualifiedName(resource)].includes(wanted));
};

const nameable = (): readonly Resource[] => Object.values(resources).filter((resource) => !unnamed.has(resource));

const knownKinds = (kinds: readonly string[] | undefined): readonly string[] =>
  kinds ??
  nameable()
    .map((resource) => resource.kind.toLowerCase())
    .toSorted();

const labelSyntax = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** DNS-1123 subdomain. Source: Kubernetes, "Object Names and IDs". */
const isObjectName = (text: string): boolean => text.length <= 253 && text.split('.').every((part) => labelSyntax.test(part));

const isNamespaceName = (text: string): boolean => labelSyntax.test(text);
