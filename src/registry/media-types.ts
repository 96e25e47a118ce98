/** Of the documents that list manifests, one a platform. */
export const indexMediaTypes: readonly string[] = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
];

/** Of the documents that name a config and layers. */
export const manifestMediaTypes: readonly string[] = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
];

export const ociIndexMediaType = 'application/vnd.oci.image.index.v1+json';

/** Docker's first format: its digest is not of the bytes that are sent. Named only to be refused by name. */
export const isSchema1 = (mediaType: string): boolean => mediaType.startsWith('application/vnd.docker.distribution.manifest.v1+');

export const isIndexMediaType = (mediaType: string): boolean => indexMediaTypes.includes(mediaType);

export const isManifestMediaType = (mediaType: string): boolean => manifestMediaTypes.includes(mediaType);

/** All at once: a registry converts, or answers 404, where a type is missing. */
export const manifestAccept = [...indexMediaTypes, ...manifestMediaTypes].join(', ');
