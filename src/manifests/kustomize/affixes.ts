import { groupOf } from '../object-identity.ts';
import { renamed, type BuiltObject, type Transformation } from './built-object.ts';

/** Source: kustomize, built-in field specs of namePrefix: what has its name from elsewhere keeps it. */
const keepsName = ({ object: { apiVersion, kind } }: BuiltObject): boolean =>
  kind === 'CustomResourceDefinition' ||
  (kind === 'APIService' && groupOf(apiVersion) === 'apiregistration.k8s.io') ||
  (kind === 'Namespace' && apiVersion === 'v1');

/** Source: kustomize API reference, `namePrefix`. References follow at the very end. */
export const addPrefix =
  (prefix: string): Transformation =>
  (objects) =>
    objects.map((built) => {
      if (keepsName(built)) return built;
      return { ...renamed(built, { name: prefix + built.object.metadata.name }), prefixes: [...built.prefixes, prefix] };
    });

/** Source: kustomize API reference, `nameSuffix`. */
export const addSuffix =
  (suffix: string): Transformation =>
  (objects) =>
    objects.map((built) => {
      if (keepsName(built)) return built;
      return { ...renamed(built, { name: built.object.metadata.name + suffix }), suffixes: [...built.suffixes, suffix] };
    });
