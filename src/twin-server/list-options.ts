import type { Selection } from '../kubernetes/reference.ts';
import { badRequest, invalidOptions } from './refusals.ts';
import type { Target } from './target.ts';

/** Source: Kubernetes API reference, common parameters of list and watch requests. */
export interface ListOptions {
  readonly selection: Selection;
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly match: string;
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean;
  readonly timeoutMs: number;
}

/** When the client says nothing: a server ends a watch after half an hour to an hour. */
const watchTimeoutMs = 45 * 60 * 1000;

/** @throws ApiError 400, 422. */
export const readListOptions = ({ resource, namespace, name, isWatch }: Target, query: URLSearchParams): ListOptions => {
  const given = (parameter: string): string => query.get(parameter) ?? '';
  const fields = [
    ...(name === undefined ? [] : [`metadata.name=${name}`]),
    ...(given('fieldSelector') === '' ? [] : [given('fieldSelector')]),
  ];
  const labelSelector = given('labelSelector');
  const timeout = readNumber(given('timeoutSeconds'));
  const options: ListOptions = {
    selection: {
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labelSelector === '' ? {} : { labelSelector }),
      ...(fields.length === 0 ? {} : { fieldSelector: fields.join(',') }),
    },
    limit: readNumber(given('limit')),
    continueToken: given('continue'),
    resourceVersion: given('resourceVersion'),
    match: given('resourceVersionMatch'),
    watch: isWatch || isTrue(given('watch')),
    bookmarks: isTrue(given('allowWatchBookmarks')),
    sendInitialEvents: isTrue(given('sendInitialEvents')),
    timeoutMs: timeout > 0 ? timeout * 1000 : watchTimeoutMs,
  };
  refuseContradictions(options);
  return options;
};

const refuseContradictions = (options: ListOptions): void => {
  const { watch, match, resourceVersion, sendInitialEvents, continueToken } = options;
  const refuse = (field: string, detail: string): Error => invalidOptions('ListOptions', field, 'Forbidden', detail);
  const forWatch = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
  if (watch) {
    if (sendInitialEvents && match !== 'NotOlderThan')
      throw refuse('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
    if (!sendInitialEvents && match !== '') throw refuse('resourceVersionMatch', forWatch);
    return;
  }
  if (sendInitialEvents) throw refuse('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (match === '') return;
  if (resourceVersion === '') throw refuse('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (continueToken !== '') throw refuse('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
};

const readNumber = (text: string): number => {
  if (text === '') return 0;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
};

export const isTrue = (text: string): boolean => /^(?:1|t|true)$/i.test(text);
