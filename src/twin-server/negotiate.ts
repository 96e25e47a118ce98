import { notAcceptable } from './refusals.ts';

/** How an answer is to be written. Source: Kubernetes API concepts, "Resource representations" and "Receiving resources as Tables". */
export interface Representation {
  readonly format: 'json' | 'yaml';
  /** In place of the object or list itself. */
  readonly as?: 'Table' | 'PartialObjectMetadata' | 'APIGroupDiscoveryList';
}

const available = ['application/json', 'application/yaml'];

/**
 * The first that the client accepts and this server has. Protobuf, which clients ask for with JSON as second best, it has not.
 *
 * Throws `ApiError` 406.
 */
export const negotiate = (accept: string | undefined, offered: readonly Representation['as'][] = []): Representation => {
  if (accept === undefined || accept.trim() === '') return { format: 'json' };
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const format = formats[type.toLowerCase()];
    if (format === undefined) continue;
    const as = new Map(parameters.map((parameter) => pairOf(parameter))).get('as');
    if (as === undefined) return { format };
    const found = offered.find((candidate) => candidate === as || (candidate !== undefined && `${candidate}List` === as));
    if (found !== undefined) return { format, as: found };
  }
  throw notAcceptable(available);
};

const formats: Readonly<Record<string, Representation['format']>> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  'application/yaml': 'yaml',
};

const pairOf = (parameter: string): readonly [string, string] => {
  const equals = parameter.indexOf('=');
  return [parameter.slice(0, equals).trim().toLowerCase(), parameter.slice(equals + 1).trim()];
};
