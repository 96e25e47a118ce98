import { fieldsOf, textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printSecret`. */
export const secretColumns: readonly Column[] = [
  nameColumn,
  text('Type', ({ type }) => textOf(type) ?? ''),
  text('Data', ({ data }) => Object.keys(fieldsOf(data)).length),
  ageColumn,
];
