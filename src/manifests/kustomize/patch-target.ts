import { matchesRequirements, parseLabelSelector } from '../../kubernetes/label-selector.ts';
import { groupOf, versionOf } from '../object-identity.ts';
import type { BuiltObject } from './built-object.ts';
import type { PatchTarget } from './kustomization.ts';

/**
 * Whether a patch's target selects the object. Each field is a regular expression over the whole value; absent ones do not
 * matter. Throws `SyntaxError` or `SelectorSyntaxError`.
 *
 * Source: kustomize API reference, `patches`, "target".
 */
export const isTarget = (target: PatchTarget, { object, identities }: BuiltObject): boolean =>
  matches(target.group, groupOf(object.apiVersion)) &&
  matches(target.version, versionOf(object.apiVersion)) &&
  matches(target.kind, object.kind) &&
  identities.some(({ name, namespace }) => matches(target.name, name) && matches(target.namespace, namespace ?? 'default')) &&
  matchesRequirements(parseLabelSelector(target.labelSelector ?? ''), object.metadata.labels) &&
  matchesRequirements(parseLabelSelector(target.annotationSelector ?? ''), object.metadata.annotations);

const matches = (pattern: string | undefined, value: string): boolean =>
  pattern === undefined || pattern === '' || new RegExp(`^(?:${pattern})$`).test(value);
