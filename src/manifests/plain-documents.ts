import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml';
import { readPlainScalar } from './kubectl-schema.ts';

/**
 * The documents of a text that holds nothing but maps, lists and scalars, which is how almost every manifest is written; empty ones are
 * null. They are made from the parser's events directly: its own way to objects has anchors, tags and merge keys to think of, and makes
 * garbage for each value.
 *
 * Throws for a text with anything else in it, or that is no YAML.
 */
export const readPlainDocuments = (text: string, maxDepth: number): readonly unknown[] => {
  const reader = new PlainReader(text, parseEvents(text, { maxDepth }));
  const documents: unknown[] = [];
  while (!reader.isAtEnd) documents.push(reader.readDocument());
  return documents;
};

/** A class, for its place in the events. */
class PlainReader {
  private readonly text: string;
  private readonly events: readonly Event[];
  private next = 0;

  constructor(text: string, events: readonly Event[]) {
    this.text = text;
    this.events = events;
  }

  get isAtEnd(): boolean {
    return this.next >= this.events.length;
  }

  readDocument(): unknown {
    const start = this.take();
    if (start.type !== EVENT_ID.DOCUMENT || start.directives.length > 0 || start.explicitEnd) throw notPlain();
    const value = this.readValue(this.take());
    this.take(); // its end
    return value;
  }

  private readValue(event: Event): unknown {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.readScalar(event);
      case EVENT_ID.MAPPING:
        return hasProperties(event) ? refuse() : this.readMap();
      case EVENT_ID.SEQUENCE:
        return hasProperties(event) ? refuse() : this.readList();
      default:
        return refuse();
    }
  }

  private readMap(): object {
    const map: Record<string, unknown> = {};
    for (let event = this.take(); event.type !== EVENT_ID.POP; event = this.take()) {
      if (event.type !== EVENT_ID.SCALAR) throw notPlain();
      const key = this.readKey(event);
      map[key] = this.readValue(this.take());
    }
    return map;
  }

  private readList(): readonly unknown[] {
    const list: unknown[] = [];
    for (let event = this.take(); event.type !== EVENT_ID.POP; event = this.take()) list.push(this.readValue(event));
    return list;
  }

  private readKey(event: ScalarEvent): string {
    const key = this.readScalar(event);
    if (key === '<<' || key === '__proto__') throw notPlain();
    return typeof key === 'string' ? key : String(key);
  }

  private readScalar(event: ScalarEvent): string | number | boolean | null {
    if (hasProperties(event)) throw notPlain();
    const source = getScalarValue(this.text, event);
    return event.style === SCALAR_STYLE.PLAIN ? readPlainScalar(source) : source;
  }

  private take(): Event {
    const event = this.events[this.next++];
    if (event === undefined) throw notPlain();
    return event;
  }
}

const hasProperties = ({ anchorStart, tagStart }: Extract<Event, { readonly tagStart: number }>): boolean =>
  anchorStart >= 0 || tagStart >= 0;

const refuse = (): never => {
  throw notPlain();
};

const notPlain = (): Error => new Error('more than maps, lists and scalars');
