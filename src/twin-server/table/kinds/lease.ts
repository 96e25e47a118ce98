import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { fieldOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printLease`. */
export const leaseColumns: readonly Column[] = [
  nameColumn,
  text('Holder', ({ spec }) => textOf(fieldOf(spec, 'holderIdentity')) ?? ''),
  ageColumn,
];
