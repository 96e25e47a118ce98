import { fieldsOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printConfigMap`. */
export const configMapColumns: readonly Column[] = [
  nameColumn,
  text('Data', ({ data, binaryData }) => Object.keys(fieldsOf(data)).length + Object.keys(fieldsOf(binaryData)).length),
  ageColumn,
];
