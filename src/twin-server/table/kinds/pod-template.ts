import { nameColumn, text, type Column } from '../column.ts';
import { fieldOf, printContainers, printLabels } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printPodTemplate`. */
export const podTemplateColumns: readonly Column[] = [
  nameColumn,
  text('Containers', ({ template }) => printContainers(fieldOf(template, 'spec'), 'name')),
  text('Images', ({ template }) => printContainers(fieldOf(template, 'spec'), 'image')),
  text('Pod Labels', ({ template }) => printLabels(fieldOf(template, 'metadata', 'labels'))),
];
