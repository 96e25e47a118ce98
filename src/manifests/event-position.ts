import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml';
import type { JsonPath } from '../kubernetes/json-pointer.ts';

/** Offsets into a document's text, end excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the value at a path stands in a document, or its key; for one that is not there, the nearest thing around it that is. The text
 * is read once more for it, so ask for what is shown to somebody. Throws `YAMLException` for a text that is no YAML.
 */
export const createSpanFinder = (text: string, maxDepth: number): ((path: JsonPath, part: 'value' | 'key') => Span) => {
  const events = parseEvents(text, { maxDepth });
  const ends = endsOf(events);
  const root = events.findIndex(({ type }) => type !== EVENT_ID.DOCUMENT);
  return (path, part) => {
    let found = root;
    let key: number | undefined;
    for (const step of path) {
      const child = childOf(text, events, ends, found, step);
      if (child === undefined) break;
      key = child.key;
      found = child.value;
    }
    return spanOf(events, ends, key !== undefined && (part === 'key' || isEmpty(events[found])) ? key : found);
  };
};

/** `key:` without a value, which stands nowhere. */
const isEmpty = (event: Event | undefined): boolean => event?.type === EVENT_ID.SCALAR && event.valueStart < 0;

/** For each event, the index behind its node. */
const endsOf = (events: readonly Event[]): readonly number[] => {
  const ends: number[] = events.map((_, index) => index + 1);
  const open: number[] = [];
  for (const [index, { type }] of events.entries()) {
    if (type === EVENT_ID.POP) {
      const opened = open.pop();
      if (opened !== undefined) ends[opened] = index + 1;
    } else if (type !== EVENT_ID.SCALAR && type !== EVENT_ID.ALIAS) open.push(index);
  }
  return ends;
};

const childOf = (
  text: string,
  events: readonly Event[],
  ends: readonly number[],
  parent: number,
  step: string | number,
): { readonly key?: number; readonly value: number } | undefined => {
  const type = events[parent]?.type;
  const last = (ends[parent] ?? 0) - 1;
  const next = (index: number): number => ends[index] ?? last;
  if (type === EVENT_ID.SEQUENCE) {
    let item = parent + 1;
    for (let index = 0; item < last; item = next(item), index++) if (index === Number(step)) return { value: item };
  }
  if (type !== EVENT_ID.MAPPING) return undefined;
  for (let key = parent + 1; key < last; key = next(next(key))) {
    const event = events[key];
    if (event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === String(step)) return { key, value: next(key) };
  }
  return undefined;
};

const spanOf = (events: readonly Event[], ends: readonly number[], index: number): Span => {
  const event = events[index];
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return scalarSpan(event);
    case EVENT_ID.ALIAS:
      return { start: event.anchorStart - 1, end: event.anchorEnd };
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return { start: event.start, end: lastEnd(events, index, ends[index] ?? index) ?? event.start };
    default:
      return { start: 0, end: 0 };
  }
};

const lastEnd = (events: readonly Event[], from: number, to: number): number | undefined => {
  for (let index = to - 1; index > from; index--) {
    const event = events[index];
    if (event?.type === EVENT_ID.SCALAR && !isEmpty(event)) return scalarSpan(event).end;
  }
  return undefined;
};

/** With its quotes. */
const scalarSpan = ({ valueStart, valueEnd, style }: ScalarEvent): Span => {
  const quote = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
  return { start: valueStart - quote, end: valueEnd + quote };
};
