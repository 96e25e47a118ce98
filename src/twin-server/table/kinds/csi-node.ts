import { itemsOf } from '../../../twin/api/json.ts';
import { ageColumn, integer, nameColumn, type Column } from '../column.ts';
import { fieldOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printCSINode`. */
export const csiNodeColumns: readonly Column[] = [
  nameColumn,
  integer('Drivers', ({ spec }) => itemsOf(fieldOf(spec, 'drivers')).length),
  ageColumn,
];
