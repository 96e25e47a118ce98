import { ageColumn, integer, nameColumn, text, type Column } from '../column.ts';
import { countOf, fieldOf, wordOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printPodDisruptionBudget`. */
export const podDisruptionBudgetColumns: readonly Column[] = [
  nameColumn,
  text('Min Available', ({ spec }) => wordOf(fieldOf(spec, 'minAvailable')) ?? 'N/A'),
  text('Max Unavailable', ({ spec }) => wordOf(fieldOf(spec, 'maxUnavailable')) ?? 'N/A'),
  integer('Allowed Disruptions', ({ status }) => countOf(fieldOf(status, 'disruptionsAllowed'))),
  ageColumn,
];
