import type { Note } from '../network/query/answer.ts';
import type { LoadedNetwork } from './network-source.ts';

/** What the reader of any answer about a network has to know of its source. */
export const networkNotes = ({ problems, inventory, origin }: LoadedNetwork): readonly Note[] => [
  ...(inventory.policies.length > 0
    ? []
    : [{ code: 'NoPolicies', severity: 'information' as const, text: `there is no policy in ${origin.name}: every port is open` }]),
  ...inventory.gaps.map(({ message }): Note => ({ code: 'NotRead', severity: 'caution', text: message })),
  ...problems.map((text): Note => ({ code: 'NotUsed', severity: 'caution', text })),
];
