import { sha256 } from './content.ts';

/** A registry that is pushed to over HTTP, as any client would. */
export interface PushTarget {
  readonly url: string;
  /** USER:PASSWORD. */
  readonly account?: string;
}

/** Source: OCI Distribution specification 1.1, "Pushing a blob monolithically", POST then PUT. */
export const pushBlobTo = async (
  target: PushTarget,
  repository: string,
  content: string,
): Promise<{ readonly digest: string; readonly size: number }> => {
  const bytes = Buffer.from(content);
  const digest = sha256(bytes);
  const started = await send(target, 'POST', `/v2/${repository}/blobs/uploads/`);
  const place = new URL(started.headers.get('location') ?? '', target.url);
  place.searchParams.set('digest', digest);
  await send(target, 'PUT', `${place.pathname}${place.search}`, bytes, 'application/octet-stream');
  return { digest, size: bytes.length };
};

export const pushManifestTo = async (
  target: PushTarget,
  repository: string,
  document: { readonly mediaType: string },
  tag?: string,
): Promise<{ readonly mediaType: string; readonly digest: string; readonly size: number }> => {
  const bytes = Buffer.from(JSON.stringify(document));
  const digest = sha256(bytes);
  await send(target, 'PUT', `/v2/${repository}/manifests/${tag ?? digest}`, bytes, document.mediaType);
  return { mediaType: document.mediaType, digest, size: bytes.length };
};

const send = async (
  { url, account }: PushTarget,
  method: string,
  path: string,
  body?: Buffer<ArrayBuffer>,
  type?: string,
): Promise<Response> => {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(account === undefined ? {} : { authorization: `Basic ${Buffer.from(account).toString('base64')}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
  return response;
};
