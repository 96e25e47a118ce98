import { textOf } from '../../../twin/api/json.ts';
import { ageColumn, ageOf, boolean, integer, nameColumn, text, type Column } from '../column.ts';
import { fieldOf, objectsOf } from '../print.ts';
import { containerColumns, selectorColumn } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printCronJob`. */
export const cronJobColumns: readonly Column[] = [
  nameColumn,
  text('Schedule', ({ spec }) => textOf(fieldOf(spec, 'schedule')) ?? ''),
  text('Timezone', ({ spec }) => textOf(fieldOf(spec, 'timeZone')) ?? '<none>'),
  boolean('Suspend', ({ spec }) => {
    const suspend = fieldOf(spec, 'suspend');
    return suspend === undefined ? '<unset>' : suspend === true ? 'True' : 'False';
  }),
  integer('Active', ({ status }) => objectsOf(fieldOf(status, 'active')).length),
  text('Last Schedule', ({ status }, now) => {
    const last = fieldOf(status, 'lastScheduleTime');
    return last === undefined ? '<none>' : ageOf(last, now);
  }),
  ageColumn,
  ...containerColumns('spec', 'jobTemplate', 'spec', 'template'),
  selectorColumn('spec', 'jobTemplate', 'spec', 'selector'),
];
