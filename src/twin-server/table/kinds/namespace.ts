import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { fieldOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printNamespace`. */
export const namespaceColumns: readonly Column[] = [
  nameColumn,
  text('Status', ({ status }) => textOf(fieldOf(status, 'phase')) ?? ''),
  ageColumn,
];
