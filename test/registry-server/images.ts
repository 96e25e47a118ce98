import type { Descriptor } from '../../src/registry/image-source.ts';
import type { TestRegistry } from './registry-server.ts';

export const types = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  empty: 'application/vnd.oci.empty.v1+json',
} as const;

export interface PushedImage {
  readonly index: Descriptor;
  readonly manifest: Descriptor;
  readonly config: Descriptor;
  readonly layer: Descriptor;
}

/** An index with one platform, whose config carries the labels. */
export const pushImage = (
  registry: TestRegistry,
  repository: string,
  {
    tag,
    labels = {},
    layer = 'a layer',
  }: { readonly tag?: string; readonly labels?: Record<string, string>; readonly layer?: string } = {},
): PushedImage => {
  const config = {
    mediaType: types.config,
    ...registry.pushBlob(JSON.stringify({ architecture: 'amd64', os: 'linux', config: { Labels: labels } })),
  };
  const blob = { mediaType: types.layer, ...registry.pushBlob(layer) };
  const manifest = registry.pushManifest(repository, { schemaVersion: 2, mediaType: types.manifest, config, layers: [blob] });
  const child = { ...manifest, platform: { os: 'linux', architecture: 'amd64' } };
  const options = tag === undefined ? {} : { tag };
  const index = registry.pushManifest(repository, { schemaVersion: 2, mediaType: types.index, manifests: [child] }, options);
  return { index, manifest: child, config, layer: blob };
};

/** A manifest without content that says of another that it is its subject. */
export const pushReferrer = (
  registry: TestRegistry,
  repository: string,
  subject: Descriptor,
  { artifactType, tag, note = '' }: { readonly artifactType: string; readonly tag?: string; readonly note?: string },
): Descriptor => {
  const empty = { mediaType: types.empty, ...registry.pushBlob('{}') };
  const { mediaType, digest, size } = subject;
  const document = {
    schemaVersion: 2,
    mediaType: types.manifest,
    artifactType,
    config: empty,
    layers: [empty],
    subject: { mediaType, digest, size },
    annotations: { note },
  };
  return { ...registry.pushManifest(repository, document, tag === undefined ? {} : { tag }), artifactType, annotations: { note } };
};
