import { apiVersionOf, qualifiedName, type Resource } from '../../kubernetes/resource.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import type { ApplyPatch, Patch } from '../../kubernetes/patch.ts';
import type { ObjectReference, Selection } from '../../kubernetes/reference.ts';
import { ConnectionError, isApiError, type ApiRequest } from '../api-error.ts';
import type {
  Cluster,
  ClusterIdentity,
  DeleteOptions,
  ListOptions,
  ObjectList,
  ReadOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../cluster.ts';
import type { ExecRequest, ExecSession } from '../exec.ts';
import { mergeResources, readResources, readVersions } from './discovery.ts';
import type { LazyExec } from './lazy-exec.ts';
import type { Requester } from './requester.ts';
import { parseJson, readListPage, readObject } from './responses.ts';
import { collectionPath, groupVersionPath, objectPath, patchBody, queryString, selectionQuery, writeQuery } from './url.ts';
import { readWatchEvents } from './watch-stream.ts';

/** Source: client-go's pager. */
const pageSize = 500;

/** How long the server keeps a watch open. Short: one that has gone silent is found out soon, and a new one costs a few milliseconds. */
const watchSeconds = 45;
const watchGraceMs = 10_000;

export interface LiveClusterOptions {
  readonly identity: ClusterIdentity;
  readonly requester: Requester;
  /** Absent: it starts no processes. */
  readonly exec?: LazyExec;
  /** Shorter in tests. */
  readonly watchSeconds?: number;
  readonly watchGraceMs?: number;
}

/** A Kubernetes API server. */
export class LiveCluster implements Cluster {
  readonly identity: ClusterIdentity;
  private readonly requester: Requester;
  readonly exec?: (request: ExecRequest) => Promise<ExecSession>;
  private readonly processes: LazyExec | undefined;
  private readonly watchSeconds: number;
  private readonly watchGraceMs: number;

  constructor(options: LiveClusterOptions) {
    this.identity = options.identity;
    this.requester = options.requester;
    const { exec } = options;
    this.processes = exec;
    if (exec !== undefined) this.exec = (request) => exec.start(request);
    this.watchSeconds = options.watchSeconds ?? watchSeconds;
    this.watchGraceMs = options.watchGraceMs ?? watchGraceMs;
  }

  async get(reference: ObjectReference, options: ReadOptions = {}): Promise<KubernetesObject | undefined> {
    const request = nameRequest('get', reference);
    try {
      const body = await this.requester.send({ request, method: 'GET', path: objectPath(reference), signal: options.signal });
      return readObject(request, body);
    } catch (error) {
      if (isApiError(error, 404)) return undefined;
      throw error;
    }
  }

  async list(selection: Selection, options: ListOptions = {}): Promise<ObjectList> {
    try {
      return await this.listPages(selection, pageSize, options);
    } catch (error) {
      // The pages of one list are of one version. When it expired between two of them, all at once is the way that can not.
      if (isApiError(error, 410)) return await this.listPages(selection, undefined, options);
      throw error;
    }
  }

  async *watch(selection: Selection, options: WatchOptions): AsyncGenerator<WatchEvent, void> {
    const { signal } = options;
    if (signal.aborted) return;
    const request = selectRequest('watch', selection);
    const query = queryString({
      ...selectionQuery(selection),
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: options.resourceVersion,
      timeoutSeconds: String(this.watchSeconds),
    });
    try {
      const path = collectionPath(selection.resource, selection.namespace) + query;
      const { response, deadline } = await this.requester.open({ request, method: 'GET', path, signal });
      deadline.extend(this.watchSeconds * 1_000 + this.watchGraceMs);
      try {
        yield* readWatchEvents(request, response.body);
        if (!response.isWhole()) throw new ConnectionError(request, 'the watch broke off');
      } catch (error) {
        if (deadline.expired) throw new ConnectionError(request, `the watch went silent: it was to end after ${this.watchSeconds} s`);
        throw isApiError(error) || error instanceof ConnectionError ? error : new ConnectionError(request, 'the watch broke off', error);
      } finally {
        deadline.abort();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async create(resource: Resource, object: KubernetesObject, options: WriteOptions): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    const request: ApiRequest = {
      verb: 'create',
      resource: qualifiedName(resource),
      name,
      ...(namespace === undefined ? {} : { namespace }),
    };
    return await this.write('POST', request, collectionPath(resource, namespace), options, 'application/json', object);
  }

  async replace(resource: Resource, object: KubernetesObject, options: WriteOptions): Promise<KubernetesObject> {
    const { namespace, name } = object.metadata;
    const reference: ObjectReference = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
    return await this.write('PUT', nameRequest('update', reference), objectPath(reference), options, 'application/json', object);
  }

  async patch(
    reference: ObjectReference,
    patch: Patch | ApplyPatch,
    options: WriteOptions & { readonly subresource?: 'status' | 'scale' },
  ): Promise<KubernetesObject> {
    const { contentType, body } = patchBody(patch);
    const query = patch.type === 'apply' && patch.force === true ? { ...options, force: true } : options;
    return await this.write('PATCH', nameRequest('patch', reference), objectPath(reference, options.subresource), query, contentType, body);
  }

  async delete(reference: ObjectReference, options: DeleteOptions = {}): Promise<void> {
    const { gracePeriodSeconds, preconditions, propagationPolicy, dryRun, signal } = options;
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds,
      preconditions,
      propagationPolicy,
      ...(dryRun === true ? { dryRun: ['All'] } : {}),
    };
    const content = { type: 'application/json', body };
    await this.requester.send({
      request: nameRequest('delete', reference),
      method: 'DELETE',
      path: objectPath(reference),
      content,
      signal,
      changesNothing: dryRun === true,
    });
  }

  async discover(group: string, options: ReadOptions = {}): Promise<readonly Resource[]> {
    const request: ApiRequest = { verb: 'discover', resource: group === '' ? 'v1' : group };
    const read = async (path: string): Promise<unknown> => {
      try {
        return parseJson(await this.requester.send({ request, method: 'GET', path, signal: options.signal }));
      } catch (error) {
        if (isApiError(error, 404)) return undefined;
        throw error;
      }
    };
    const versions = group === '' ? ['v1'] : readVersions(await read(`/apis/${group}`));
    const byVersion = versions.map(async (version) => readResources(await read(groupVersionPath({ group, version })), group, version));
    return mergeResources(await Promise.all(byVersion));
  }

  async close(): Promise<void> {
    this.processes?.close();
    this.requester.close();
    await Promise.resolve();
  }

  private async listPages(selection: Selection, limit: number | undefined, { signal, keep }: ListOptions): Promise<ObjectList> {
    const request = selectRequest('list', selection);
    const path = collectionPath(selection.resource, selection.namespace);
    const item = { apiVersion: apiVersionOf(selection.resource), kind: selection.resource.kind };
    const items: KubernetesObject[] = [];
    let continueToken = '';
    for (;;) {
      const query = { ...selectionQuery(selection), limit: limit?.toString(), continue: continueToken === '' ? undefined : continueToken };
      const body = await this.requester.send({ request, method: 'GET', path: path + queryString(query), signal });
      const page = readListPage(request, body, item);
      for (const object of page.items) {
        const kept = keep === undefined ? object : keep(object);
        if (kept !== undefined) items.push(kept);
      }
      if (page.continueToken === '') return { items, resourceVersion: page.resourceVersion };
      continueToken = page.continueToken;
    }
  }

  private async write(
    method: 'POST' | 'PUT' | 'PATCH',
    request: ApiRequest,
    path: string,
    options: WriteOptions & { readonly force?: boolean },
    type: string,
    body: unknown,
  ): Promise<KubernetesObject> {
    const answer = await this.requester.send({
      request,
      method,
      path: path + queryString(writeQuery(options)),
      content: { type, body },
      signal: options.signal,
      changesNothing: options.dryRun === true || request.resource.endsWith('.authorization.k8s.io'),
    });
    return readObject(request, answer);
  }
}

const nameRequest = (verb: ApiRequest['verb'], { resource, namespace, name }: ObjectReference): ApiRequest => ({
  verb,
  resource: qualifiedName(resource),
  name,
  ...(namespace === undefined ? {} : { namespace }),
});

const selectRequest = (verb: ApiRequest['verb'], { resource, namespace }: Selection): ApiRequest => ({
  verb,
  resource: qualifiedName(resource),
  ...(namespace === undefined ? {} : { namespace }),
});
