import type { ChangeResult } from '../engine/event.ts';
import { parsePointer } from '../kubernetes/json-pointer.ts';

/** `replicas 1 -> 0`, `selector app=a -> app=b`. */
export const renderChange = (change: Pick<ChangeResult, 'path' | 'before' | 'after'>): string =>
  `${renderPath(change.path)} ${renderValue(change.before)} -> ${renderValue(change.after)}`;

/** `/spec/replicas` as `replicas`, `/metadata/labels/app` as `metadata.labels.app`: `spec` goes without saying. */
export const renderPath = (pointer: string): string => {
  const keys = parsePointer(pointer);
  const shown = keys[0] === 'spec' && keys.length > 1 ? keys.slice(1) : keys;
  return shown
    .map((key) => (key.includes('.') ? `["${key}"]` : key))
    .join('.')
    .replaceAll('.[', '[');
};

/** Maps of texts as kubectl shows labels, texts bare, everything else as JSON. */
export const renderValue = (value: unknown): string => {
  if (value === undefined || value === null) return '(none)';
  if (typeof value === 'string') return value === '' ? '""' : value;
  if (isTextMap(value))
    return (
      Object.entries(value)
        .map(([key, text]) => `${key}=${text}`)
        .join(',') || '{}'
    );
  return JSON.stringify(value);
};

const isTextMap = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((text) => typeof text === 'string');
