import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, boolean, integer, nameColumn, text, type Column } from '../column.ts';
import { countOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printPriorityClass`. */
export const priorityClassColumns: readonly Column[] = [
  nameColumn,
  integer('Value', ({ value }) => countOf(value)),
  boolean('Global-Default', ({ globalDefault }) => globalDefault === true),
  ageColumn,
  text('PreemptionPolicy', ({ preemptionPolicy }) => textOf(preemptionPolicy) ?? ''),
];
