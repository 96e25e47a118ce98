import { wideText, type Column } from './column.ts';
import { fieldOf, printContainers, printSelector } from './print.ts';

/** What `-o wide` adds for the kinds that make pods. `path` leads to the template. */
export const containerColumns = (...path: readonly string[]): readonly Column[] => [
  wideText('Containers', (object) => printContainers(fieldOf(object, ...path, 'spec'), 'name')),
  wideText('Images', (object) => printContainers(fieldOf(object, ...path, 'spec'), 'image')),
];

export const selectorColumn = (...path: readonly string[]): Column =>
  wideText('Selector', (object) => printSelector(fieldOf(object, ...path)));
