import { ageColumn, integer, nameColumn, wideText, type Column } from '../column.ts';
import { countOf, fieldOf, printLabels } from '../print.ts';
import { containerColumns } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printReplicationController`. */
export const replicationControllerColumns: readonly Column[] = [
  nameColumn,
  integer('Desired', ({ spec }) => countOf(fieldOf(spec, 'replicas'))),
  integer('Current', ({ status }) => countOf(fieldOf(status, 'replicas'))),
  integer('Ready', ({ status }) => countOf(fieldOf(status, 'readyReplicas'))),
  ageColumn,
  ...containerColumns('spec', 'template'),
  wideText('Selector', ({ spec }) => printLabels(fieldOf(spec, 'selector'))),
];
