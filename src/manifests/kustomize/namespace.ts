import { isClusterScoped } from '../../kubernetes/cluster-scoped-kinds.ts';
import { groupOf } from '../object-identity.ts';
import type { BuiltObject, Transformation } from './built-object.ts';

/** Kinds in whose fields kustomize changes namespaces as well, which is not done here. */
const unsupportedKinds: ReadonlySet<string> = new Set(['RoleBinding', 'ClusterRoleBinding', 'APIService', 'CustomResourceDefinition']);

export const needsNamespaceInFields = ({ object }: BuiltObject): boolean => unsupportedKinds.has(object.kind);

/** Source: kustomize API reference, `namespace`: every namespaced object moves there, and a Namespace takes the name. */
export const setNamespace =
  (namespace: string): Transformation =>
  (objects) =>
    objects.map((built) => {
      const { object } = built;
      if (object.apiVersion === 'v1' && object.kind === 'Namespace')
        return { ...built, object: { ...object, metadata: { ...object.metadata, name: namespace } } };
      if (isClusterScoped(groupOf(object.apiVersion), object.kind)) return built;
      return { ...built, namespaces: [...built.namespaces, namespace], object: { ...object, metadata: { ...object.metadata, namespace } } };
    });
