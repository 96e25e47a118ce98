import type { ReadContent } from './file-intake.ts';

/** One layer of an image, for people. */
export interface LayerReference {
  /** From 1, the lowest. */
  readonly number: number;
  readonly of: number;
  readonly digest: string;
}

/** A link that was followed: `/usr/bin/python` -> `python3.11`. */
export interface FollowedLink {
  readonly kind: 'symbolic' | 'hard';
  readonly path: string;
  readonly target: string;
  readonly layer: LayerReference;
}

/** What a container that is started from the image, with nothing mounted, would find at a path. */
export type FileInImage =
  /** A regular file. Its layer, and every layer above, was read and verified to its end. */
  | ({
      readonly kind: 'found';
      /** As asked. */
      readonly path: string;
      /** Where the bytes are, after all links. */
      readonly realPath: string;
      readonly layer: LayerReference;
      readonly via: readonly FollowedLink[];
    } & ReadContent)
  /** Nothing; every layer was read and verified to its end. */
  | { readonly kind: 'absent'; readonly path: string; readonly via: readonly FollowedLink[]; readonly reason: string }
  /** A directory or a device, verified as `found` is. */
  | {
      readonly kind: 'not-a-file';
      readonly path: string;
      readonly via: readonly FollowedLink[];
      readonly what: 'directory' | 'device, pipe or socket';
    }
  /** It cannot be said. */
  | {
      readonly kind: 'unreadable';
      readonly path: string;
      readonly via: readonly FollowedLink[];
      readonly reason: string;
      readonly nextSteps: readonly string[];
      /** What the source threw, where it did. */
      readonly cause?: unknown;
    };
