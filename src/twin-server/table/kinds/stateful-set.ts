import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { countOf, fieldOf } from '../print.ts';
import { containerColumns } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printStatefulSet`. */
export const statefulSetColumns: readonly Column[] = [
  nameColumn,
  text('Ready', ({ spec, status }) => `${countOf(fieldOf(status, 'readyReplicas'))}/${countOf(fieldOf(spec, 'replicas'))}`),
  ageColumn,
  ...containerColumns('spec', 'template'),
];
