import { ApiError } from '../cluster/api-error.ts';
import type { KnownTypes } from '../cluster/live/known-types.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { notFound } from '../twin/api/refusals.ts';
import { deleteCollection, deleteObject } from './delete-objects.ts';
import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from './discovery/discovery-documents.ts';
import { openApiDocument, openApiIndex } from './discovery/openapi.ts';
import { servedVersion, servedVersions } from './discovery/served-resources.ts';
import { evictPod } from './evict-pod.ts';
import { listObjects } from './list-objects.ts';
import { readListOptions } from './list-options.ts';
import { refuseContainers } from './needs-containers.ts';
import { negotiate, type Representation } from './negotiate.ts';
import { badRequest, methodNotAllowed, noSuchPath, noSuchResource } from './refusals.ts';
import { listView, objectView, type ListMetadata, type ViewOptions } from './representation.ts';
import { json, text, type ServerAnswer, type ServerRequest } from './request.ts';
import { answerReview } from './reviews.ts';
import { refusalAnswer } from './status-body.ts';
import { readTarget, type Target } from './target.ts';
import { contentsOf } from './twin-status.ts';
import { versionInfo } from './version.ts';
import { watchObjects } from './watch-objects.ts';
import { createObject, patchObject, referenceOf, replaceObject, scaleOf, type Write, type Written } from './write-objects.ts';

export interface Api {
  /** What the API server answers. A watch's events come later; everything else has happened when this resolves. */
  answer(request: ServerRequest): Promise<ServerAnswer>;
}

export interface ApiOptions {
  readonly store: MemoryStore;
  /** Called after an accepted write, before it is answered: makes it durable. Throws when it cannot. */
  readonly persist: () => void;
  /** `127.0.0.1:6443` */
  readonly address: string;
  /** Of the built-in kinds; asked for with the first write. */
  readonly types: () => Promise<KnownTypes>;
}

/** The Kubernetes API over a twin's store. Source: Kubernetes API concepts. */
export const createApi = (options: ApiOptions): Api => new StoreApi(options);

class StoreApi implements Api {
  private readonly store: MemoryStore;
  private readonly persist: () => void;
  private readonly address: string;
  private readonly types: () => Promise<KnownTypes>;

  constructor({ store, persist, address, types }: ApiOptions) {
    this.types = types;
    this.store = store;
    this.persist = persist;
    this.address = address;
  }

  async answer(request: ServerRequest): Promise<ServerAnswer> {
    try {
      return await this.route(request);
    } catch (error) {
      if (error instanceof ApiError) return refusalAnswer(error);
      throw error;
    }
  }

  private async route(request: ServerRequest): Promise<ServerAnswer> {
    const [root = '', ...rest] = request.path;
    if (root === 'poimen' && rest[0] === 'twin') return json(200, contentsOf(this.store));
    if (root === 'api' && rest.length >= 2) return await this.resources('', rest[0] ?? '', rest.slice(1), request);
    if (root === 'apis' && rest.length >= 3) return await this.resources(rest[0] ?? '', rest[1] ?? '', rest.slice(2), request);
    const document = this.document(root, rest, request);
    if (document === undefined) return noSuchPath();
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    return document;
  }

  /** What there is besides objects. */
  private document(root: string, rest: readonly string[], { headers }: ServerRequest): ServerAnswer | undefined {
    const aggregated = (part: 'core' | 'groups', legacy: unknown): ServerAnswer => {
      const { as } = negotiate(headers.accept, ['APIGroupDiscoveryList']);
      if (as === undefined) return json(200, legacy);
      const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      return { kind: 'json', code: 200, body: aggregatedDiscovery(servedVersions(this.store), part), type };
    };
    switch (root) {
      case 'api':
        if (rest.length === 0) return aggregated('core', coreVersions(this.address));
        if (rest[0] !== 'v1') throw noSuchResource();
        return this.resourceDocument('', 'v1');
      case 'apis':
        if (rest.length === 0) return aggregated('groups', groupList(servedVersions(this.store)));
        return rest.length === 1 ? this.groupDocument(rest[0] ?? '') : this.resourceDocument(rest[0] ?? '', rest[1] ?? '');
      case 'openapi':
        return rest[0] === 'v3' ? this.openApi(rest.slice(1)) : undefined;
      case 'version':
        return rest.length === 0 ? json(200, versionInfo) : undefined;
      case 'healthz':
      case 'livez':
      case 'readyz':
        return text(200, 'ok');
      case '':
        return json(200, { paths: ['/api', '/api/v1', '/apis', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'] });
      default:
        return undefined;
    }
  }

  private resourceDocument(group: string, version: string): ServerAnswer | undefined {
    const served = servedVersion(this.store, group, version);
    return served === undefined ? undefined : json(200, resourceList(served));
  }

  private groupDocument(group: string): ServerAnswer | undefined {
    const document = groupDocument(group, servedVersions(this.store));
    return document === undefined ? undefined : json(200, document);
  }

  private openApi(path: readonly string[]): ServerAnswer | undefined {
    if (path.length === 0) return json(200, openApiIndex(servedVersions(this.store)));
    const [group, version] = path[0] === 'api' ? ['', path[1]] : [path[1], path[2]];
    const served = servedVersion(this.store, group ?? '', version ?? '');
    return served === undefined ? undefined : json(200, openApiDocument(served));
  }

  private async resources(group: string, version: string, segments: readonly string[], request: ServerRequest): Promise<ServerAnswer> {
    const served = servedVersion(this.store, group, version);
    if (served === undefined) return noSuchPath();
    const target = readTarget(served, segments);
    if (target === undefined) throw noSuchResource();
    const refusal = refuseContainers(target);
    if (refusal !== undefined) throw refusal;
    if (!isAllowed(target, request.method)) throw methodNotAllowed();
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return await this.read(target, request);
      case 'POST':
        return await this.post(target, request);
      case 'PUT':
        return await this.written(target, request, replaceObject);
      case 'PATCH':
        return await this.written(target, request, patchObject);
      case 'DELETE':
        return this.delete(target, request);
      default:
        throw methodNotAllowed();
    }
  }

  private async read(target: Target, request: ServerRequest): Promise<ServerAnswer> {
    const offered: readonly Representation['as'][] = target.subresource === undefined ? ['Table', 'PartialObjectMetadata'] : [];
    const { as } = negotiate(request.headers.accept, offered);
    const view: ViewOptions = { as, now: this.store.clock.now(), includeObject: includeObjectOf(request.query) };
    const isCollection = target.name === undefined;
    const options = isCollection || request.query.has('watch') || target.isWatch ? readListOptions(target, request.query) : undefined;
    if (options?.watch === true && (isCollection || target.isWatch)) {
      const { store } = this;
      const events = await watchObjects({ store, served: target, options, view, signal: request.signal });
      return { kind: 'watch', events, timeoutMs: options.timeoutMs };
    }
    if (isCollection && options !== undefined) {
      const { items, metadata } = listObjects(this.store, options);
      return json(200, listView(target, items, metadata, view));
    }
    if (target.subresource === 'scale') return json(200, scaleOf(this.store, target));
    const reference = referenceOf(target);
    const object = this.store.get(reference);
    if (object === undefined) throw notFound('get', reference);
    return json(200, objectView(target, object, view));
  }

  private async post(target: Target, request: ServerRequest): Promise<ServerAnswer> {
    if (target.details.verbs.length === 1 && target.details.verbs[0] === 'create' && target.name === undefined) {
      return json(201, answerReview(target, request, this.store.clock.now()));
    }
    if (target.subresource === 'eviction') {
      const answer = evictPod(this.store, target, request);
      this.persist();
      return json(201, answer);
    }
    return await this.written(target, request, createObject);
  }

  private async written(target: Target, request: ServerRequest, write: (write: Write) => Written): Promise<ServerAnswer> {
    const { as } = negotiate(request.headers.accept, target.subresource === undefined ? ['Table', 'PartialObjectMetadata'] : []);
    const includeObject = includeObjectOf(request.query);
    const types = await this.types();
    const { code, object, warnings } = write({ store: this.store, types, target, request });
    this.persist();
    return { kind: 'json', code, body: objectView(target, object, { as, now: this.store.clock.now(), includeObject }), warnings };
  }

  private delete(target: Target, request: ServerRequest): ServerAnswer {
    if (target.name !== undefined) {
      const answer = deleteObject(this.store, target, request);
      this.persist();
      return json(200, answer);
    }
    const { items, metadata } = deleteCollection(this.store, target, request);
    this.persist();
    const list: ListMetadata = { resourceVersion: metadata.resourceVersion };
    return json(200, listView(target, items, list, { as: undefined, now: this.store.clock.now(), includeObject: 'Object' }));
  }
}

/** Which methods a path takes. Source: the verbs that discovery names. */
const isAllowed = ({ name, namespace, subresource, resource, details }: Target, method: string): boolean => {
  const verbs = subresource === undefined ? details.verbs : (details.subresources.find((known) => known.name === subresource)?.verbs ?? []);
  const wants = (verb: string): boolean => verbs.includes(verb);
  if (name === undefined) {
    const isPlaced = !resource.namespaced || namespace !== undefined;
    if (method === 'GET' || method === 'HEAD') return wants('list');
    if (method === 'POST') return isPlaced && wants('create');
    return method === 'DELETE' && isPlaced && wants('deletecollection');
  }
  if (method === 'POST') return subresource !== undefined && wants('create');
  const verb = { GET: 'get', HEAD: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method];
  return verb !== undefined && wants(verb);
};

const includeObjectOf = (query: URLSearchParams): ViewOptions['includeObject'] => {
  const value = query.get('includeObject') ?? '';
  if (value === '' || value === 'Metadata') return 'Metadata';
  if (value === 'Object' || value === 'None') return value;
  throw badRequest(`unknown includeObject value: ${value}`);
};
