import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform?: Readonly<Record<string, string>>;
}

/** What one build leaves behind. */
export interface Build {
  /** The whole name that it can be pulled as. */
  readonly name: string;
  readonly created: string;
  readonly labels: Readonly<Record<string, string>>;
  /** By path in the image, without a leading slash; all are executable. */
  readonly files: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  /** The statement that BuildKit attaches to the index, without its subject. Absent: it was told not to. */
  readonly provenance?: { readonly predicateType: string; readonly predicate: unknown };
}

const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  statement: 'application/vnd.in-toto+json',
} as const;

/** Source: OCI Image Layout specification 1.1; BuildKit, "Image attestation storage". */
export const writeLayout = async (folder: string, builds: readonly Build[]): Promise<void> => {
  const blobs = join(folder, 'blobs/sha256');
  await mkdir(blobs, { recursive: true });
  const store = async (mediaType: string, content: Uint8Array): Promise<Descriptor> => {
    const hex = createHash('sha256').update(content).digest('hex');
    await writeFile(join(blobs, hex), content);
    return { mediaType, digest: `sha256:${hex}`, size: content.length };
  };
  const storeJson = (mediaType: string, value: unknown): Promise<Descriptor> => store(mediaType, Buffer.from(JSON.stringify(value)));

  const manifests: Descriptor[] = [];
  for (const build of builds) {
    const tar = await tarOf(build);
    const layer = await store(mediaTypes.layer, gzipSync(tar));
    const config = await storeJson(mediaTypes.config, {
      created: build.created,
      architecture: 'amd64',
      os: 'linux',
      config: { Entrypoint: build.entrypoint, Env: ['PATH=/usr/local/bin:/usr/bin:/bin'], Labels: build.labels },
      rootfs: { type: 'layers', diff_ids: [digestOf(tar)] },
      history: [{ created: build.created, created_by: 'COPY candle-vllm /usr/local/bin/candle-vllm' }],
    });
    const image = await storeJson(mediaTypes.manifest, { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: [layer] });
    const children: Descriptor[] = [{ ...image, platform: { architecture: 'amd64', os: 'linux' } }];
    if (build.provenance !== undefined) {
      const { predicateType, predicate } = build.provenance;
      const subject = [
        { name: `pkg:docker/${build.name.replace(/:([^:]*)$/, '@$1')}?platform=linux%2Famd64`, digest: { sha256: image.digest.slice(7) } },
      ];
      const statement = await storeJson(mediaTypes.statement, {
        _type: 'https://in-toto.io/Statement/v0.1',
        predicateType,
        subject,
        predicate,
      });
      const nothing = await storeJson(mediaTypes.config, {
        architecture: 'unknown',
        os: 'unknown',
        config: {},
        rootfs: { type: 'layers', diff_ids: [statement.digest] },
      });
      const attestation = await storeJson(mediaTypes.manifest, {
        schemaVersion: 2,
        mediaType: mediaTypes.manifest,
        config: nothing,
        layers: [{ ...statement, annotations: { 'in-toto.io/predicate-type': predicateType } }],
      });
      children.push({
        ...attestation,
        annotations: { 'vnd.docker.reference.digest': image.digest, 'vnd.docker.reference.type': 'attestation-manifest' },
        platform: { architecture: 'unknown', os: 'unknown' },
      });
    }
    const index = await storeJson(mediaTypes.index, { schemaVersion: 2, mediaType: mediaTypes.index, manifests: children });
    manifests.push({ ...index, annotations: { 'org.opencontainers.image.ref.name': build.name } });
  }
  await writeFile(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(join(folder, 'index.json'), `${JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests }, null, 2)}\n`);
};

const tarOf = async ({ files, created }: Build): Promise<Uint8Array> => {
  const tar = pack();
  for (const [name, text] of Object.entries(files)) tar.entry({ name, mode: 0o755, mtime: new Date(created) }, text);
  tar.finalize();
  return buffer(tar);
};

const digestOf = (content: Uint8Array): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
