import { ageColumn, integer, nameColumn, text, type Column } from '../column.ts';
import { countOf, fieldOf, printLabels } from '../print.ts';
import { containerColumns, selectorColumn } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printDaemonSet`. */
export const daemonSetColumns: readonly Column[] = [
  nameColumn,
  integer('Desired', ({ status }) => countOf(fieldOf(status, 'desiredNumberScheduled'))),
  integer('Current', ({ status }) => countOf(fieldOf(status, 'currentNumberScheduled'))),
  integer('Ready', ({ status }) => countOf(fieldOf(status, 'numberReady'))),
  integer('Up-to-date', ({ status }) => countOf(fieldOf(status, 'updatedNumberScheduled'))),
  integer('Available', ({ status }) => countOf(fieldOf(status, 'numberAvailable'))),
  text('Node Selector', ({ spec }) => printLabels(fieldOf(spec, 'template', 'spec', 'nodeSelector'))),
  ageColumn,
  ...containerColumns('spec', 'template'),
  selectorColumn('spec', 'selector'),
];
