/**
 * The digests that one image for one platform goes by.
 *
 * Source: OCI Image specification 1.1, "Image index", "Image manifest", "Image configuration".
 */
export interface ImageDigests {
  /** Absent: the name leads to a manifest directly. */
  readonly index?: string;
  readonly manifest: string;
  readonly config: string;
}

export type SameImage =
  /** `by`: which of the image's digests it is. */
  { readonly kind: 'same'; readonly by: 'index' | 'manifest' | 'config' } | { readonly kind: 'other' };

/**
 * Whether a digest that a kubelet reports is this image. An index is the same image only for the platform in question, which is the
 * caller's to know. Where manifests differ, equal configs are the same image: CRI-O reports a manifest of its own with the same config, so
 * `reported` may be the digests of a manifest that was looked up.
 */
export const sameImage = (digests: ImageDigests, reported: string | ImageDigests): SameImage => {
  if (typeof reported !== 'string') {
    if (reported.manifest === digests.manifest) return { kind: 'same', by: 'manifest' };
    return reported.config === digests.config ? { kind: 'same', by: 'config' } : { kind: 'other' };
  }
  if (reported === digests.manifest) return { kind: 'same', by: 'manifest' };
  if (reported === digests.config) return { kind: 'same', by: 'config' };
  if (reported === digests.index) return { kind: 'same', by: 'index' };
  return { kind: 'other' };
};
