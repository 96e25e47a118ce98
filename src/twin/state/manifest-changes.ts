import { PoimenError } from '../../errors/poimen-error.ts';
import { isJsonObject } from '../../kubernetes/json.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';

/**
 * The objects that were added to a folder of manifests, removed from it or changed, and in which fields: a line for each, as a
 * person reads it. The values of Secrets are not shown.
 */
export const manifestChanges = (before: readonly KubernetesObject[], after: readonly KubernetesObject[]): readonly string[] => {
  const [known, current] = [byName(before), byName(after)];
  const lines: string[] = [];
  for (const [name, object] of current) {
    const earlier = known.get(name);
    if (earlier === undefined) lines.push(`added ${name}`);
    else lines.push(...changedFields(earlier, object, '').map((change) => `changed ${name}: ${show(change, object.kind === 'Secret')}`));
  }
  for (const name of known.keys()) {
    if (!current.has(name)) lines.push(`removed ${name}`);
  }
  return lines;
};

const byName = (objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(objects.map((object) => [nameOf(object), object]));

const nameOf = ({ kind, metadata: { name, namespace } }: KubernetesObject): string =>
  `${kind.toLowerCase()}/${name}${namespace === undefined ? '' : `.${namespace}`}`;

interface FieldChange {
  /** JSON Pointer. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const changedFields = (before: unknown, after: unknown, path: string): readonly FieldChange[] => {
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changedFields(before[key], after[key], `${path}/${escapeKey(key)}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, index) => changedFields(item, after[index], `${path}/${index}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
};

/** Source: RFC 6901, section 3. */
const escapeKey = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const show = ({ path, before, after }: FieldChange, isSecret: boolean): string =>
  isSecret ? path : `${path} ${showValue(before)} -> ${showValue(after)}`;

const longestValue = 60;

const showValue = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
};

/** @throws PoimenError `TwinManifestsChanged` when the manifests are not those that the state began with. */
export const refuseChangedManifests = (folder: string, before: readonly KubernetesObject[], after: readonly KubernetesObject[]): void => {
  const changes = manifestChanges(before, after);
  if (changes.length === 0) return;
  throw new PoimenError({
    outcome: 'usage',
    code: 'TwinManifestsChanged',
    summary: `the manifests in ${folder} have changed since this twin began`,
    detail: changes.join('\n'),
    nextSteps: ['start again from the manifests as they are, and forget what the twin did since: --fresh', 'or undo the change'],
  });
};
