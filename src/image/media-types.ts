/** Source: OCI Image specification 1.1, "Image media types"; Docker, "Image Manifest Version 2, Schema 2". */
export const indexMediaTypes: ReadonlySet<string> = new Set([
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]);

export const manifestMediaTypes: ReadonlySet<string> = new Set([
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]);
