import { ageColumn, integer, nameColumn, type Column } from '../column.ts';
import { countOf, fieldOf } from '../print.ts';
import { containerColumns, selectorColumn } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printReplicaSet`. */
export const replicaSetColumns: readonly Column[] = [
  nameColumn,
  integer('Desired', ({ spec }) => countOf(fieldOf(spec, 'replicas'))),
  integer('Current', ({ status }) => countOf(fieldOf(status, 'replicas'))),
  integer('Ready', ({ status }) => countOf(fieldOf(status, 'readyReplicas'))),
  ageColumn,
  ...containerColumns('spec', 'template'),
  selectorColumn('spec', 'selector'),
];
