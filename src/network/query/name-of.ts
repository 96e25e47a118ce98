import type { PolicyPeer } from '../policy/peer.ts';

/** `shop/till`, or the address. */
export const nameOf = (peer: PolicyPeer): string => (peer.kind === 'pod' ? `${peer.namespace}/${peer.name}` : peer.address);
