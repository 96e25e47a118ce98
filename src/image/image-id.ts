/**
 * What a kubelet reports as the image that a container was started from. The digest may be that of the index, of the platform's manifest or of
 * the config, depending on the runtime; the name may be another repository's with the same content.
 *
 * Source: Kubernetes API reference, ContainerStatus `imageID`; kubernetes#40062, #108689, #115199.
 */
export interface ImageId {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** What the runtime says it was pulled as; not to be relied on. Absent where it tells only an image's id. */
  readonly repository?: string;
}

export type ParsedImageId =
  | { readonly kind: 'imageId'; readonly imageId: ImageId }
  /** The container has not got that far. */
  | { readonly kind: 'notPulled' }
  | { readonly kind: 'unreadable'; readonly text: string };

const digestAtEnd = /^(?:(?<repository>[^@\s]+)@)?(?<digest>sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** Reads `docker-pullable://REPO@sha256:…`, `docker://sha256:…`, `REPO@sha256:…`, `sha256:…` and the bare digits that CRI-O writes. */
export const parseImageId = (text: string | undefined): ParsedImageId => {
  if (text === undefined || text === '') return { kind: 'notPulled' };
  const bare = text.replace(/^[a-z-]+:\/\//, '');
  if (/^[0-9a-f]{64}$/.test(bare)) return { kind: 'imageId', imageId: { digest: `sha256:${bare}` } };
  const { repository, digest } = digestAtEnd.exec(bare)?.groups ?? {};
  if (digest === undefined) return { kind: 'unreadable', text };
  return { kind: 'imageId', imageId: { digest, ...(repository === undefined ? {} : { repository }) } };
};
