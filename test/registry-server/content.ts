import { createHash } from 'node:crypto';
import type { Descriptor } from '../../src/registry/image-source.ts';

export interface StoredManifest {
  readonly bytes: Buffer;
  readonly mediaType: string;
}

/** What a registry holds, by repository. Blobs are shared by all of them, as in most registries. */
export class RegistryContent {
  readonly blobs = new Map<string, Buffer>();
  private readonly repositories = new Map<
    string,
    { readonly manifests: Map<string, StoredManifest>; readonly tags: Map<string, string> }
  >();

  /** Not there before its first manifest. */
  has(repository: string): boolean {
    return this.repositories.has(repository);
  }

  putBlob(bytes: Buffer): string {
    const digest = sha256(bytes);
    this.blobs.set(digest, bytes);
    return digest;
  }

  putManifest(repository: string, reference: string | undefined, manifest: StoredManifest): string {
    const digest = reference?.startsWith('sha512:') === true ? reference : sha256(manifest.bytes);
    const there = this.repositories.get(repository) ?? { manifests: new Map<string, StoredManifest>(), tags: new Map<string, string>() };
    this.repositories.set(repository, there);
    there.manifests.set(digest, manifest);
    if (reference !== undefined && !reference.includes(':')) there.tags.set(reference, digest);
    return digest;
  }

  getManifest(repository: string, reference: string): (StoredManifest & { readonly digest: string }) | undefined {
    const there = this.repositories.get(repository);
    const digest = reference.includes(':') ? reference : there?.tags.get(reference);
    const manifest = digest === undefined ? undefined : there?.manifests.get(digest);
    return manifest === undefined || digest === undefined ? undefined : { ...manifest, digest };
  }

  deleteManifest(repository: string, reference: string): boolean {
    const there = this.repositories.get(repository);
    return there !== undefined && (there.tags.delete(reference) || there.manifests.delete(reference));
  }

  tags(repository: string): readonly string[] {
    return [...(this.repositories.get(repository)?.tags.keys() ?? [])].toSorted();
  }

  /** Source: OCI Distribution specification 1.1, "Listing Referrers": what a descriptor in the list says. */
  referrers(repository: string, subject: string): readonly Descriptor[] {
    return [...(this.repositories.get(repository)?.manifests ?? [])].flatMap(([digest, { bytes, mediaType }]) => {
      const document = JSON.parse(bytes.toString()) as ManifestFields;
      if (document.subject?.digest !== subject) return [];
      const artifactType = document.artifactType ?? document.config?.mediaType;
      return [
        {
          mediaType,
          digest,
          size: bytes.length,
          ...(artifactType === undefined ? {} : { artifactType }),
          ...(document.annotations === undefined ? {} : { annotations: document.annotations }),
        },
      ];
    });
  }
}

interface ManifestFields {
  readonly artifactType?: string;
  readonly annotations?: Record<string, string>;
  readonly config?: { readonly mediaType?: string };
  readonly subject?: { readonly digest?: string };
}

export const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
