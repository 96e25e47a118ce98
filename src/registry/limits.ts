/**
 * Of an index or a manifest, and of each page of referrers.
 *
 * Source: OCI Distribution specification 1.1, "Pushing manifests": registries take 4 MiB at least, and clients count on no more.
 */
export const maxManifestBytes = 4 * 1024 * 1024;

/** Indexes within indexes. Real ones are one deep; whoever walks them stops here. */
export const maxIndexDepth = 4;

/** Manifests that are read in search of those whose subject is a digest, in a layout on disk. */
export const maxManifestsInLayout = 1_000;

/** A registry that always has one more page never ends. */
export const maxReferrerPages = 20;

/** Of one subject, over all pages. */
export const maxReferrers = 2_000;

export const maxRedirects = 5;

/** Of an answer that tells of an error: as much as is read of it. */
export const maxErrorBytes = 16 * 1024;

export const maxTokenBytes = 256 * 1024;
