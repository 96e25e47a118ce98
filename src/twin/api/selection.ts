import { matchesFields, parseFieldSelector } from '../../kubernetes/field-selector.ts';
import { matchesRequirements, parseLabelSelector, SelectorSyntaxError } from '../../kubernetes/label-selector.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Selection } from '../../kubernetes/reference.ts';
import { qualifiedName, type Resource } from '../../kubernetes/resource.ts';
import { badRequest, requestOf } from './refusals.ts';

/** Which fields objects can be selected by, besides name and namespace. Source: Kubernetes concepts, "Field Selectors". */
const selectableFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  nodes: ['spec.unschedulable'],
  services: ['spec.clusterIP', 'spec.type'],
  secrets: ['type'],
  namespaces: ['status.phase'],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'replicasets.apps': ['status.replicas'],
};

/** Reads the selectors once, for many objects. Throws `ApiError` 400 for one that cannot be read or names an unknown field. */
export const matcherOf = (verb: 'list' | 'watch', selection: Selection): ((object: KubernetesObject) => boolean) => {
  const { namespace } = selection;
  const matchesSelectors = readSelectors(verb, selection);
  if (namespace === undefined) return matchesSelectors;
  return (object) => object.metadata.namespace === namespace && matchesSelectors(object);
};

const readSelectors = (verb: 'list' | 'watch', selection: Selection): ((object: KubernetesObject) => boolean) => {
  const { labelSelector = '', fieldSelector = '' } = selection;
  if (labelSelector === '' && fieldSelector === '') return () => true;
  try {
    const labels = parseLabelSelector(labelSelector);
    const fields = parseFieldSelector(fieldSelector);
    const unknown = fields.find(({ field }) => !isSelectable(selection.resource, field));
    if (unknown !== undefined) throw badRequest(requestOf(verb, selection), explainField(selection.resource, unknown.field));
    return (object) => matchesRequirements(labels, object.metadata.labels) && matchesFields(fields, object);
  } catch (error) {
    if (error instanceof SelectorSyntaxError) throw badRequest(requestOf(verb, selection), error.problem);
    throw error;
  }
};

const isSelectable = (resource: Resource, field: string): boolean =>
  field === 'metadata.name' || field === 'metadata.namespace' || (selectableFields[qualifiedName(resource)] ?? []).includes(field);

/** Kinds with fields of their own are refused in other words than those without. */
const explainField = (resource: Resource, field: string): string =>
  qualifiedName(resource) in selectableFields
    ? `field label not supported: ${field}`
    : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
