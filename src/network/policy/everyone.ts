import type { CompiledPeers } from './compiled-policy.ts';

export const everyone: CompiledPeers = { key: 'everyone', entries: [{ kind: 'everyone' }] };
