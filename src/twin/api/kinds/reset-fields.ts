import { qualifiedName, type Resource } from '../../../kubernetes/resource.ts';
import { fieldSetOf, union, type FieldSet } from '../apply/field-set.ts';
import { rulesOf } from './rules.ts';

const status = fieldSetOf('status');
const spec = fieldSetOf('spec');

const besidesSpec: Readonly<Record<string, FieldSet | undefined>> = {
  'deployments.apps': union(spec, fieldSetOf('metadata', 'labels')),
  pods: union(union(spec, fieldSetOf('metadata', 'deletionTimestamp')), fieldSetOf('metadata', 'ownerReferences')),
};

/** Fields that a write leaves alone, so that it owns none of them. Source: kubernetes `GetResetFields` of the kinds' strategies. */
export const resetFieldsOf = (resource: Resource, subresource: 'status' | undefined): FieldSet | undefined => {
  if (subresource === 'status') return besidesSpec[qualifiedName(resource)] ?? spec;
  return rulesOf(resource).hasStatus ? status : undefined;
};
