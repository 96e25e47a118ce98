/**
 * What expressions know of a kind's fields, written briefly: a type by its name in CEL, a nested mapping, or a list of mappings.
 *
 * The API leaves out what is zero, false or empty, so an absent `int` reads as 0, `bool` as false, `list` and `map` as empty, and a
 * nested mapping as one whose fields are absent. `int=1` names another default. An absent `string`, `timestamp` or `dyn` has no
 * value: `has(...)` tells.
 */
export type FieldType = string | Fields | readonly [Fields];

export interface Fields {
  readonly [field: string]: FieldType;
}
