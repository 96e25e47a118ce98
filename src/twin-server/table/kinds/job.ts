import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { numberOf } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { humanDuration } from '../human-duration.ts';
import { countOf, fieldOf, objectsOf } from '../print.ts';
import { containerColumns, selectorColumn } from '../workload-columns.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printJob`. */
export const jobColumns: readonly Column[] = [
  nameColumn,
  text('Status', (job) => statusOf(job)),
  text('Completions', ({ spec, status }) => {
    const succeeded = countOf(fieldOf(status, 'succeeded'));
    const completions = numberOf(fieldOf(spec, 'completions'));
    if (completions !== undefined) return `${succeeded}/${completions}`;
    const parallelism = countOf(fieldOf(spec, 'parallelism'));
    return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
  }),
  text('Duration', ({ status }, now) => {
    const [start, completion] = [fieldOf(status, 'startTime'), fieldOf(status, 'completionTime')];
    if (typeof start !== 'string') return '';
    return humanDuration((typeof completion === 'string' ? Date.parse(completion) : now) - Date.parse(start));
  }),
  ageColumn,
  ...containerColumns('spec', 'template'),
  selectorColumn('spec', 'selector'),
];

const statusOf = ({ metadata, status }: KubernetesObject): string => {
  const holds = (type: string): boolean =>
    objectsOf(fieldOf(status, 'conditions')).find((condition) => condition.type === type)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  if (holds('Suspended')) return 'Suspended';
  return ['FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
};
