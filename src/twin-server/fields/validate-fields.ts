import { ApiError } from '../../cluster/api-error.ts';
import type { KnownTypes } from '../../cluster/live/known-types.ts';
import { isBuiltIn } from '../../kubernetes/built-in-groups.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { Patch } from '../../kubernetes/patch.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { badRequest } from '../refusals.ts';
import type { FieldValidation } from '../write-options.ts';
import { checkFields } from './check-fields.ts';

/** What becomes of fields that a kind does not have: refused, or left out and told of, or left out. */
export class FieldCheck {
  readonly warnings: string[] = [];
  private readonly types: KnownTypes;
  private readonly validation: FieldValidation;

  constructor(types: KnownTypes, validation: FieldValidation) {
    this.types = types;
    this.validation = validation;
  }

  /** Of a whole object in a body. Throws `ApiError` 400. */
  body(resource: Resource, object: KubernetesObject): KubernetesObject {
    const { kind, version } = resource;
    return this.check(resource, object, (problem) =>
      badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${problem}`),
    );
  }

  /** Of what a patch makes of an object. Throws `ApiError` 422. */
  patched(resource: Resource, object: KubernetesObject, patch: Patch): KubernetesObject {
    return this.check(resource, object, (problem) => {
      const value = JSON.stringify(patch.type === 'strategic' ? goText(patch.body) : JSON.stringify(object));
      const cause = { reason: 'FieldValueInvalid', message: `Invalid value: ${value}: ${problem}`, field: 'patch' };
      const message = ` "" is invalid: patch: ${cause.message}`;
      return new ApiError({ verb: 'patch', resource: '' }, { code: 422, reason: 'Invalid', message, details: { causes: [cause] } });
    });
  }

  /** Custom resources keep what their schema does not name: the twin does not prune them. */
  private check(resource: Resource, object: KubernetesObject, refuse: (problem: string) => ApiError): KubernetesObject {
    const type = isBuiltIn(resource) ? this.types.typeOf(resource) : undefined;
    if (type === undefined) return object;
    const { value, unknown, mistyped } = checkFields(this.types, type, object);
    if (mistyped !== undefined) throw refuse(mistyped);
    if (unknown.length > 0 && this.validation === 'Strict') throw refuse(`strict decoding error: ${unknown.join(', ')}`);
    if (this.validation === 'Warn') this.warnings.push(...unknown);
    return value as KubernetesObject;
  }
}

/** As Go's fmt prints maps. */
const goText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isJsonObject(value)) return value === null ? '<nil>' : typeof value === 'string' ? value : JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `map[${entries.map(([key, field]) => `${key}:${goText(field)}`).join(' ')}]`;
};
