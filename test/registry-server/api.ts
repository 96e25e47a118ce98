import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerBytes, answerError, answerJson, answerNothing } from './answers.ts';
import { sha256, type RegistryContent } from './content.ts';
import type { Guard } from './guard.ts';

export interface ApiSettings {
  readonly content: RegistryContent;
  readonly guard: Guard;
  /** Without it the fallback tag is what there is. */
  readonly hasReferrers: boolean;
  readonly referrersPerPage: number | undefined;
}

/**
 * Answers as the specification says, pushes too.
 *
 * Source: OCI Distribution specification 1.1, "Endpoints".
 */
export class RegistryApi {
  private readonly settings: ApiSettings;
  private readonly uploads = new Map<string, Buffer>();

  constructor(settings: ApiSettings) {
    this.settings = settings;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { content, guard } = this.settings;
    const method = request.method ?? 'GET';
    const url = new URL(request.url ?? '/', 'http://registry');
    const body = await readAll(request);
    if (url.pathname === '/token') return guard.answerToken(request, response, url.searchParams, new URLSearchParams(body.toString()));
    const isRead = method === 'GET' || method === 'HEAD';
    const [, repository, kind, rest = ''] = /^\/v2\/(?<name>.+?)\/(manifests|blobs|referrers|tags)\/(.*)$/.exec(url.pathname) ?? [];
    if (!guard.letsIn(request, response, repository, isRead ? 'pull' : 'push')) return;
    if (url.pathname === '/v2/') return answerJson(response, 200, {});
    if (repository === undefined) return answerBytes(response, 404, Buffer.from('404 page not found\n'), { 'content-type': 'text/plain' });
    if (kind === 'manifests') return this.manifest(request, response, repository, rest, body);
    if (kind === 'referrers' && isRead) return this.referrers(response, repository, rest, url.searchParams);
    if (kind === 'tags' && rest === 'list') return answerJson(response, 200, { name: repository, tags: content.tags(repository) });
    if (kind === 'blobs' && rest.startsWith('uploads/')) {
      return this.upload(request, response, repository, rest.slice('uploads/'.length), url.searchParams, body);
    }
    if (kind === 'blobs' && isRead) {
      const blob = content.blobs.get(rest);
      if (blob === undefined) return answerError(response, 404, 'BLOB_UNKNOWN', 'blob unknown to registry');
      return answerBytes(response, 200, blob, { 'content-type': 'application/octet-stream', 'docker-content-digest': rest });
    }
    answerError(response, 405, 'UNSUPPORTED', 'the operation is unsupported');
  }

  private manifest(request: IncomingMessage, response: ServerResponse, repository: string, reference: string, body: Buffer): void {
    const { content } = this.settings;
    if (request.method === 'PUT') {
      if (reference.startsWith('sha256:') && sha256(body) !== reference)
        return answerError(response, 400, 'DIGEST_INVALID', 'not its digest');
      const mediaType = request.headers['content-type'] ?? '';
      const digest = content.putManifest(repository, reference, { bytes: body, mediaType });
      const subject = (JSON.parse(body.toString()) as { readonly subject?: { readonly digest?: string } }).subject?.digest;
      const knows = this.settings.hasReferrers && subject !== undefined ? { 'oci-subject': subject } : {};
      return answerNothing(response, 201, { location: `/v2/${repository}/manifests/${digest}`, 'docker-content-digest': digest, ...knows });
    }
    if (request.method === 'DELETE') return answerNothing(response, content.deleteManifest(repository, reference) ? 202 : 404);
    const manifest = content.getManifest(repository, reference);
    if (manifest === undefined) {
      const code = content.has(repository) ? 'MANIFEST_UNKNOWN' : 'NAME_UNKNOWN';
      return answerError(response, 404, code, `${reference} is unknown to registry`);
    }
    answerBytes(response, 200, manifest.bytes, { 'content-type': manifest.mediaType, 'docker-content-digest': manifest.digest });
  }

  private referrers(response: ServerResponse, repository: string, subject: string, query: URLSearchParams): void {
    const { content, hasReferrers, referrersPerPage } = this.settings;
    if (!hasReferrers) return answerBytes(response, 404, Buffer.from('404 page not found\n'), { 'content-type': 'text/plain' });
    const wanted = query.get('artifactType');
    const all = content.referrers(repository, subject).filter(({ artifactType }) => wanted === null || artifactType === wanted);
    const from = Number(query.get('last') ?? 0);
    const to = referrersPerPage === undefined ? all.length : from + referrersPerPage;
    const index = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: all.slice(from, to) };
    answerJson(response, 200, index, {
      'content-type': index.mediaType,
      ...(wanted === null ? {} : { 'oci-filters-applied': 'artifactType' }),
      ...(to < all.length ? { link: `</v2/${repository}/referrers/${subject}?last=${to}>; rel="next"` } : {}),
    });
  }

  private upload(
    request: IncomingMessage,
    response: ServerResponse,
    repository: string,
    id: string,
    query: URLSearchParams,
    body: Buffer,
  ): void {
    const { content } = this.settings;
    const digest = query.get('digest') ?? query.get('mount');
    if (request.method === 'POST' && digest !== null && query.has('mount') && content.blobs.has(digest)) {
      return answerNothing(response, 201, { location: `/v2/${repository}/blobs/${digest}`, 'docker-content-digest': digest });
    }
    if (request.method === 'POST' && !query.has('digest')) {
      const fresh = randomUUID();
      this.uploads.set(fresh, Buffer.alloc(0));
      return answerNothing(response, 202, {
        location: `/v2/${repository}/blobs/uploads/${fresh}`,
        range: '0-0',
        'docker-upload-uuid': fresh,
      });
    }
    const before = request.method === 'POST' ? Buffer.alloc(0) : this.uploads.get(id);
    if (before === undefined) return answerError(response, 404, 'BLOB_UPLOAD_UNKNOWN', 'blob upload unknown to registry');
    const bytes = Buffer.concat([before, body]);
    if (request.method === 'PATCH') {
      this.uploads.set(id, bytes);
      const headers = {
        location: `/v2/${repository}/blobs/uploads/${id}`,
        range: `0-${Math.max(0, bytes.length - 1)}`,
        'docker-upload-uuid': id,
      };
      return answerNothing(response, 202, headers);
    }
    this.uploads.delete(id);
    if (digest !== sha256(bytes)) return answerError(response, 400, 'DIGEST_INVALID', 'provided digest did not match uploaded content');
    content.putBlob(bytes);
    answerNothing(response, 201, { location: `/v2/${repository}/blobs/${digest}`, 'docker-content-digest': digest });
  }
}

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};
