import type { PullPolicy } from './containers-of-pod.ts';

/**
 * What the next start of a container would take: not what runs now, where the tag has moved.
 *
 * Source: Kubernetes, "Images", "Image pull policy".
 */
export type RestartPull =
  /** The name has a digest: always the same. */
  | { readonly kind: 'pinned'; readonly digest: string }
  /** What the tag says at that moment. */
  | { readonly kind: 'tag' }
  /** What the node has under that name; another node may have something else, or nothing and pull. */
  | { readonly kind: 'cached'; readonly policy: 'IfNotPresent' | 'Never' };

export const restartPull = (image: string, policy: PullPolicy): RestartPull => {
  const digest = /@((?:sha256:[0-9a-f]{64})|(?:sha512:[0-9a-f]{128}))$/.exec(image)?.[1];
  if (digest !== undefined) return { kind: 'pinned', digest };
  return policy === 'Always' ? { kind: 'tag' } : { kind: 'cached', policy };
};

/** For a person: `a restart pulls what the tag says then`. */
export const restartWords = (pull: RestartPull): string => {
  switch (pull.kind) {
    case 'pinned':
      return 'a restart starts the same digest';
    case 'tag':
      return 'a restart pulls what the tag says then (imagePullPolicy: Always)';
    case 'cached':
      return pull.policy === 'Never'
        ? 'a restart starts what its node has under that name (imagePullPolicy: Never)'
        : 'a restart starts what its node has under that name; a node that has none pulls what the tag says then (imagePullPolicy: IfNotPresent)';
  }
};
