import { controllerOf } from '../../../kubernetes/object.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { countOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printControllerRevision`. */
export const controllerRevisionColumns: readonly Column[] = [
  nameColumn,
  text('Controller', (revision) => {
    const controller = controllerOf(revision);
    if (controller === undefined) return '<none>';
    const slash = controller.apiVersion.indexOf('/');
    const group = slash < 0 ? '' : `.${controller.apiVersion.slice(0, slash)}`;
    return `${`${controller.kind}${group}`.toLowerCase()}/${controller.name}`;
  }),
  text('Revision', ({ revision }) => countOf(revision)),
  ageColumn,
];
