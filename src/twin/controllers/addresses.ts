import { fnv1a } from './hash.ts';

/** The network of pods, of nodes that say nothing about it. */
const podNetwork = '10.244';

/** An address for a pod: from its UID, so that a restarted twin gives the same one and a freed one is not handed out at once. */
export const addressForPod = (uid: string, isTaken: (address: string) => boolean): string => {
  const count = 2 ** 16 - 2; // without the network's own and the broadcast address
  for (let offset = fnv1a(uid) % count, tried = 0; tried < count; offset = (offset + 1) % count, tried++) {
    const address = `${podNetwork}.${(offset + 1) >> 8}.${(offset + 1) & 255}`;
    if (!isTaken(address)) return address;
  }
  throw new Error(`all addresses of ${podNetwork}.0.0/16 are taken`);
};

/** An address for a node that says nothing about its own. Source: RFC 5737, TEST-NET-1. */
export const addressForNode = (name: string): string => `192.0.2.${(fnv1a(name) % 254) + 1}`;
