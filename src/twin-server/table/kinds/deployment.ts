import { ageColumn, nameColumn, text, wideText, type Column } from '../column.ts';
import { countOf, fieldOf, printRequirements } from '../print.ts';
import { containerColumns } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printDeployment`. */
export const deploymentColumns: readonly Column[] = [
  nameColumn,
  text('Ready', ({ spec, status }) => `${countOf(fieldOf(status, 'readyReplicas'))}/${countOf(fieldOf(spec, 'replicas'))}`),
  text('Up-to-date', ({ status }) => countOf(fieldOf(status, 'updatedReplicas'))),
  text('Available', ({ status }) => countOf(fieldOf(status, 'availableReplicas'))),
  ageColumn,
  ...containerColumns('spec', 'template'),
  wideText('Selector', ({ spec }) => printRequirements(fieldOf(spec, 'selector'))),
];
