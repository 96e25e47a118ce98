import { isClusterScoped } from '../../kubernetes/cluster-scoped-kinds.ts';
import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { groupOf } from '../object-identity.ts';
import { renamed, type Transformation } from './built-object.ts';
import { addPairs, field, type FieldSpec } from './field-spec.ts';

/**
 * Source: kustomize API reference, `namespace`: every namespaced object moves there, and a Namespace takes the name. References to
 * what moved follow at the very end.
 */
export const setNamespace =
  (namespace: string): Transformation =>
  (objects) =>
    objects.map((built) => {
      const { object } = built;
      if (object.apiVersion === 'v1' && object.kind === 'Namespace') return renamed(built, { name: namespace });
      const moved = isClusterScoped(groupOf(object.apiVersion), object.kind) ? built : renamed(built, { namespace });
      return { ...moved, object: withDefaultAccount(addPairs(moved.object, namespaceFields, { namespace }), namespace) };
    });

/** Objects whose field `namespace` is set in other kinds. Source: kustomize, built-in field specs of namespace. */
const namespaceFields: readonly FieldSpec[] = [
  { kind: 'APIService', group: 'apiregistration.k8s.io', path: field('spec/service'), create: true },
  {
    kind: 'CustomResourceDefinition',
    group: 'apiextensions.k8s.io',
    path: field('spec/conversion/webhook/clientConfig/service'),
    create: false,
  },
];

/** Every namespace has an account of this name: which one is meant nobody can tell from a reference. Source: as above, "roleBindingHack". */
const withDefaultAccount = (object: KubernetesObject, namespace: string): KubernetesObject => {
  const { subjects } = object as { readonly subjects?: unknown };
  if (!['RoleBinding', 'ClusterRoleBinding'].includes(object.kind) || !isJsonArray(subjects)) return object;
  return {
    ...object,
    subjects: subjects.map((subject) => (isJsonObject(subject) && subject['name'] === 'default' ? { ...subject, namespace } : subject)),
  };
};
