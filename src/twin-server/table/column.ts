import type { KubernetesObject } from '../../kubernetes/object.ts';
import { humanDuration } from './human-duration.ts';

/** What a table carries in a cell. */
export type Cell = string | number | boolean | null;

/** Source: Kubernetes API reference, Table v1 meta, TableColumnDefinition. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  /** `name` marks the column that identifies the object. */
  readonly format: string;
  /** Empty for built-in kinds: no client shows it. */
  readonly description: string;
  /** 0 is always shown, more only where there is room (`-o wide`). */
  readonly priority: number;
}

export interface Column extends ColumnDefinition {
  /** `now` in milliseconds since 1970. */
  readonly cell: (object: KubernetesObject, now: number) => Cell;
}

const define =
  (type: 'string' | 'integer' | 'boolean', priority: number) =>
  (name: string, cell: Column['cell']): Column => ({ name, type, format: '', description: '', priority, cell });

/** The type is what the server says, which says `string` of some numbers too. */
export const text = define('string', 0);
export const integer = define('integer', 0);
export const boolean = define('boolean', 0);
export const wideText = define('string', 1);

export const nameColumn: Column = { ...text('Name', ({ metadata }) => metadata.name), format: 'name' };

export const ageColumn: Column = text('Age', ({ metadata }, now) => ageOf(metadata.creationTimestamp, now));

/** How long ago a moment was, as the API writes moments. */
export const ageOf = (timestamp: unknown, now: number): string => {
  const moment = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(moment) ? '<unknown>' : humanDuration(now - moment);
};
