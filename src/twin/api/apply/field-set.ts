/**
 * A set of fields, in the form in which `metadata.managedFields` carries it (FieldsV1): a tree whose keys are path elements, `f:NAME` a
 * field, `k:{KEYS}` an item of a list by its keys, `v:VALUE` an item of a list of values. A node without children is in the set; one
 * with children is only if it also has the key `.`.
 *
 * Sets are never changed; where an operation changes nothing it gives the same set back.
 *
 * Source: structured-merge-diff `fieldpath.Set`; Kubernetes API reference, FieldsV1 v1 meta.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

const self = '.';

/** A node that is in the set and has no children. */
export const member: FieldSet = Object.freeze({});

const isMember = (node: FieldSet): boolean => self in node || !hasChildren(node);

const hasChildren = (node: FieldSet): boolean => {
  for (const element in node) if (element !== self) return true;
  return false;
};

/** The node of an element that is in the set or not, with its children; `undefined` where nothing of it is in the set. */
export const nodeOf = (isIn: boolean, children: FieldSet | undefined): FieldSet | undefined => {
  if (children === undefined) return isIn ? member : undefined;
  return isIn ? { [self]: member, ...children } : children;
};

/** The set that holds one path. */
export const fieldSetOf = (...path: readonly string[]): FieldSet =>
  path.reduceRight<FieldSet>((inner, field) => ({ [`f:${field}`]: inner }), member);

/** What is in the one or the other. `undefined` is the empty set. */
export const union = (one: FieldSet | undefined, other: FieldSet | undefined): FieldSet | undefined => {
  if (one === undefined || one === other) return other;
  if (other === undefined) return one;
  const children: Record<string, FieldSet> = {};
  let isChanged = false;
  let isEmpty = true;
  for (const element in one) {
    if (element === self) continue;
    const before = one[element];
    const joined = union(before, other[element]);
    if (joined !== before) isChanged = true;
    if (joined !== undefined) children[element] = joined;
    isEmpty = false;
  }
  for (const element in other) {
    const added = other[element];
    if (element === self || element in one || added === undefined) continue;
    children[element] = added;
    isChanged = true;
    isEmpty = false;
  }
  const isIn = isMember(one) || isMember(other);
  if (!isChanged && isIn === isMember(one)) return one;
  return nodeOf(isIn, isEmpty ? undefined : children);
};

/**
 * What is in the first and not in the second, element by element: to take a field away does not take away what is below it.
 * `recursively` it does.
 */
export const difference = (
  one: FieldSet | undefined,
  other: FieldSet | undefined,
  depth: 'element' | 'recursively' = 'element',
): FieldSet | undefined => (one === undefined || other === undefined ? one : subtract(one, other, depth, false));

const subtract = (one: FieldSet, other: FieldSet, depth: 'element' | 'recursively', isBelowRoot: boolean): FieldSet | undefined => {
  if (depth === 'recursively' && isBelowRoot && isMember(other)) return undefined;
  const children: Record<string, FieldSet> = {};
  let isChanged = false;
  let isEmpty = true;
  for (const element in one) {
    const before = one[element];
    if (element === self || before === undefined) continue;
    const taken = other[element];
    const left = taken === undefined ? before : subtract(before, taken, depth, true);
    if (left !== before) isChanged = true;
    if (left === undefined) continue;
    children[element] = left;
    isEmpty = false;
  }
  const isIn = isBelowRoot && isMember(one) && !isMember(other);
  if (!isChanged && isIn === (isBelowRoot && isMember(one))) return one;
  return nodeOf(isIn, isEmpty ? undefined : children);
};

/** What is in both. */
export const intersection = (one: FieldSet | undefined, other: FieldSet | undefined): FieldSet | undefined =>
  one === undefined || other === undefined ? undefined : common(one, other, false);

const common = (one: FieldSet, other: FieldSet, isBelowRoot: boolean): FieldSet | undefined => {
  const children: Record<string, FieldSet> = {};
  let isEmpty = true;
  for (const element in one) {
    const [left, right] = [one[element], other[element]];
    if (element === self || left === undefined || right === undefined) continue;
    const shared = common(left, right, true);
    if (shared === undefined) continue;
    children[element] = shared;
    isEmpty = false;
  }
  return nodeOf(isBelowRoot && isMember(one) && isMember(other), isEmpty ? undefined : children);
};

/** What is below an element. */
export const below = (set: FieldSet, element: string): FieldSet | undefined => {
  const node = set[element];
  return node !== undefined && hasChildren(node) ? node : undefined;
};

export const holds = (set: FieldSet, element: string): boolean => {
  const node = set[element];
  return node !== undefined && isMember(node);
};

/** All paths of the set, as lists of elements: those of a level before those below it. */
export const pathsOf = (set: FieldSet, prefix: readonly string[] = []): readonly (readonly string[])[] => {
  const elements = Object.keys(set)
    .filter((element) => element !== self)
    .toSorted();
  return [
    ...elements.filter((element) => holds(set, element)).map((element) => [...prefix, element]),
    ...elements.flatMap((element) => {
      const inner = below(set, element);
      return inner === undefined ? [] : pathsOf(inner, [...prefix, element]);
    }),
  ];
};

/** As messages write a path: `.spec.template.spec.containers[name="main"].image`. */
export const printPath = (path: readonly string[]): string => path.map(printElement).join('');

const printElement = (element: string): string => {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  if (element.startsWith('i:')) return `[${rest}]`;
  const keys = Object.entries(JSON.parse(rest) as Readonly<Record<string, unknown>>);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
};
