/**
 * How the fields of a kind are owned and merged: one by one, an item of a list by its keys, or only as a whole.
 *
 * Source: Kubernetes API concepts, "Server-Side Apply", "Merge strategy"; structured-merge-diff `schema`.
 */
export type FieldType =
  /** A map, or something that has no parts, as its value shows. */
  | GranularType
  /** Owned as a whole, whatever it is. */
  | { readonly kind: 'atomic' }
  /** A list whose items are told apart by their keys. */
  | {
      readonly kind: 'keyed';
      readonly keys: readonly string[];
      readonly defaults: Readonly<Record<string, unknown>>;
      readonly item: FieldType;
    }
  /** A list of values that occur once. */
  | { readonly kind: 'set'; readonly item: FieldType };

export interface GranularType {
  readonly kind: 'granular';
  /** Whether the schema knows the field's name: such a field comes into being with what is below it. */
  readonly isNamed: (name: string) => boolean;
  readonly field: (name: string) => FieldType;
  /** Fields that the server's own types never leave out: `null` where nobody has set them. */
  readonly alwaysThere: readonly string[];
}

export const atomic: FieldType = { kind: 'atomic' };

/** What no schema describes: maps field by field, lists as a whole. */
export const untyped: GranularType = { kind: 'granular', isNamed: () => false, field: () => untyped, alwaysThere: [] };

export const keyedBy = (keys: readonly string[], item: FieldType, defaults: Readonly<Record<string, unknown>> = {}): FieldType => ({
  kind: 'keyed',
  keys: keys.toSorted(),
  defaults,
  item,
});

/** Remembers the types of the fields, which are asked for with every write. */
export const granular = (typeOf: (name: string) => FieldType, alwaysThere: readonly string[] = []): GranularType => {
  const known = new Map<string, FieldType>();
  return {
    kind: 'granular',
    isNamed: () => true,
    alwaysThere,
    field: (name) => {
      const type = known.get(name) ?? typeOf(name);
      known.set(name, type);
      return type;
    },
  };
};
