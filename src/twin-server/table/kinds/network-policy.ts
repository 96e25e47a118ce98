import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { fieldOf, printSelector } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printNetworkPolicy`. */
export const networkPolicyColumns: readonly Column[] = [
  nameColumn,
  text('Pod-Selector', ({ spec }) => printSelector(fieldOf(spec, 'podSelector'))),
  ageColumn,
];
