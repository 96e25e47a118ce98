import type { ApiError } from '../cluster/api-error.ts';
import { notSimulated } from './refusals.ts';
import type { Target } from './target.ts';

/** Subresources that a kubelet answers from inside a container; the twin has neither. */
export const refuseContainers = ({ subresource = '', name = '', resource }: Target): ApiError | undefined => {
  const what = words[subresource];
  if (what === undefined) return undefined;
  return notSimulated(`the twin runs no containers, so ${what} ${resource.kind.toLowerCase()} ${JSON.stringify(name)}`);
};

const words: Readonly<Record<string, string>> = {
  log: 'there are no logs of',
  exec: 'nothing can be run in',
  attach: 'there is nothing to attach to in',
  portforward: 'no port can be forwarded to',
  proxy: 'no request can be passed on to',
};
