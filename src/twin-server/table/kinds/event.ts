import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { textOf } from '../../../twin/api/json.ts';
import { ageOf, nameColumn, text, wideText, type Column } from '../column.ts';
import { countOf, fieldOf, orElse } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printEvent`. */
export const eventColumns: readonly Column[] = [
  text('Last Seen', (event, now) => lastSeen(event, now)),
  text('Type', ({ type }) => textOf(type) ?? ''),
  text('Reason', ({ reason }) => textOf(reason) ?? ''),
  text('Object', ({ involvedObject }) => {
    const kind = (textOf(fieldOf(involvedObject, 'kind')) ?? '').toLowerCase();
    const name = textOf(fieldOf(involvedObject, 'name')) ?? '';
    return name === '' ? kind : `${kind}/${name}`;
  }),
  wideText('Subobject', ({ involvedObject }) => textOf(fieldOf(involvedObject, 'fieldPath')) ?? ''),
  wideText('Source', ({ source, reportingComponent, reportingInstance }) => {
    const component = orElse(fieldOf(source, 'component'), textOf(reportingComponent) ?? '');
    const instance = orElse(fieldOf(source, 'host'), textOf(reportingInstance) ?? '');
    return instance === '' ? component : `${component}, ${instance}`;
  }),
  text('Message', ({ message }) => (textOf(message) ?? '').trim()),
  wideText('First Seen', (event, now) => firstSeen(event, now)),
  wideText('Count', ({ series, count }) => (series === undefined ? countOf(count) || 1 : countOf(fieldOf(series, 'count')))),
  { ...nameColumn, priority: 1 },
];

const firstSeen = ({ firstTimestamp, eventTime }: KubernetesObject, now: number): string => ageOf(firstTimestamp ?? eventTime, now);

const lastSeen = (event: KubernetesObject, now: number): string => {
  const { series, lastTimestamp } = event;
  if (typeof series === 'object' && series !== null) return ageOf(fieldOf(series, 'lastObservedTime'), now);
  return typeof lastTimestamp === 'string' ? ageOf(lastTimestamp, now) : firstSeen(event, now);
};
