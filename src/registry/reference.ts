import { PoimenError } from '../errors/poimen-error.ts';
import { digestProblem } from './digest.ts';

/** Where an image is said to be. */
export type ImageReference = RegistryReference | LayoutReference;

export interface RegistryReference {
  readonly kind: 'registry';
  /** `docker.io`, `registry.example:5000`. */
  readonly registry: string;
  /** `library/busybox`. */
  readonly repository: string;
  readonly tag: string | undefined;
  /** Decides where both are there. */
  readonly digest: string | undefined;
}

export interface LayoutReference {
  readonly kind: 'layout';
  readonly directory: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
}

/**
 * `[REGISTRY[:PORT]/]REPOSITORY[:TAG][@DIGEST]`, or `oci:DIRECTORY[:TAG][@DIGEST]`. Without a registry it is Docker Hub, and there a
 * repository without a slash is one of `library/`. A missing tag stays missing: who needs one decides what stands in for it.
 *
 * @throws PoimenError `ReferenceInvalid`, which says what is wrong with it.
 *
 * Source: distribution/reference, grammar and ParseNormalizedNamed; containers-transports(5), `oci:`.
 */
export const parseImageReference = (text: string): ImageReference => {
  if (text.startsWith('oci:')) return parseLayoutReference(text);
  if (text === '') throw invalid(text, 'it is empty');
  const wrong = /[^\x21-\x7e]/.exec(text);
  if (wrong !== null) throw invalid(text, `the character at position ${wrong.index + 1} has no place in it`);
  const scheme = /^(https?|docker|docker-daemon|containers-storage|dir|docker-archive|oci-archive):/.exec(text);
  if (scheme !== null && (text.includes('://') || !/^[^/]*:\d+\//.test(text))) {
    throw invalid(text, `"${scheme[1] ?? ''}:" is not part of a reference`, 'write it without: REGISTRY/REPOSITORY:TAG');
  }
  const { rest: named, digest } = splitDigest(text, text);
  const { rest: name, tag } = splitTag(text, named);
  const { registry, path } = splitRegistry(name);
  checkRegistry(text, registry);
  const repository = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path;
  checkRepository(text, path);
  return { kind: 'registry', registry, repository, tag, digest };
};

/** As a person writes it, with nothing left out but a missing tag. */
export const referenceText = (reference: ImageReference): string => {
  const place = reference.kind === 'layout' ? `oci:${reference.directory}` : `${reference.registry}/${reference.repository}`;
  return `${place}${reference.tag === undefined ? '' : `:${reference.tag}`}${reference.digest === undefined ? '' : `@${reference.digest}`}`;
};

/** Source: distribution/reference, grammar of `tag`. */
export const isTag = (text: string): boolean => /^\w[\w.-]{0,127}$/.test(text);

/** Source: distribution/reference, grammar of `path`; OCI Distribution specification 1.1, `<name>`. */
export const isRepository = (text: string): boolean => text.length <= 255 && repositoryPattern.test(text);

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const repositoryPattern = new RegExp(`^${component}(?:/${component})*$`);

/** The last colon separates a tag, unless a slash follows it: then it is part of the path. */
const parseLayoutReference = (text: string): LayoutReference => {
  const at = /@(?=[^@/]*:[^@/]*$)/.exec(text);
  const digest = at === null ? undefined : text.slice(at.index + 1);
  const problem = digest === undefined ? undefined : digestProblem(digest);
  if (problem !== undefined) throw invalid(text, problem);
  const place = text.slice('oci:'.length, at?.index);
  const colon = place.lastIndexOf(':');
  const hasTag = colon >= 0 && !place.slice(colon).includes('/');
  const directory = hasTag ? place.slice(0, colon) : place;
  const tag = hasTag ? place.slice(colon + 1) : undefined;
  if (directory === '' || directory.includes('\0')) throw invalid(text, 'it names no folder', 'write oci:DIRECTORY or oci:DIRECTORY:TAG');
  if (tag !== undefined && !isTag(tag)) throw invalid(text, tagProblem(tag));
  return { kind: 'layout', directory, tag, digest };
};

const splitDigest = (text: string, rest: string): { readonly rest: string; readonly digest: string | undefined } => {
  const at = rest.indexOf('@');
  if (at < 0) return { rest, digest: undefined };
  const digest = rest.slice(at + 1);
  const problem = digestProblem(digest);
  if (problem !== undefined) throw invalid(text, problem);
  return { rest: rest.slice(0, at), digest };
};

const splitTag = (text: string, rest: string): { readonly rest: string; readonly tag: string | undefined } => {
  const colon = rest.lastIndexOf(':');
  if (colon < 0 || rest.slice(colon).includes('/')) return { rest, tag: undefined };
  const tag = rest.slice(colon + 1);
  if (!isTag(tag)) throw invalid(text, tagProblem(tag));
  return { rest: rest.slice(0, colon), tag };
};

const tagProblem = (tag: string): string => {
  if (tag === '') return 'nothing follows the colon, where a tag is expected';
  if (tag.length > 128) return `a tag has at most 128 characters, and this one has ${tag.length}`;
  return `"${tag}" is no tag: letters, digits, "_", "." and "-", the first of them neither "." nor "-"`;
};

/** What stands before the first slash is a registry if it has a dot, a colon or a capital, or is `localhost`. */
const splitRegistry = (name: string): { readonly registry: string; readonly path: string } => {
  const slash = name.indexOf('/');
  const first = slash < 0 ? '' : name.slice(0, slash);
  if (slash < 0 || !(/[.:[\]]/.test(first) || first === 'localhost' || first !== first.toLowerCase())) {
    return { registry: 'docker.io', path: name };
  }
  return { registry: first === 'index.docker.io' ? 'docker.io' : first, path: name.slice(slash + 1) };
};

const checkRegistry = (text: string, registry: string): void => {
  const match = registryPattern.exec(registry);
  if (match === null) throw invalid(text, `"${registry}" is no host name with or without a port`);
  const port = match.groups?.['port'];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw invalid(text, `${port} is no port`);
};

const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const registryPattern = new RegExp(`^(?:${label}(?:\\.${label})*|\\[[0-9a-fA-F:]+\\])(?::(?<port>[0-9]+))?$`);

const checkRepository = (text: string, path: string): void => {
  if (path === '') throw invalid(text, 'it names no repository');
  if (path.length > 255) throw invalid(text, `a repository's name has at most 255 characters, and this one has ${path.length}`);
  if (isRepository(path)) {
    if (/^[0-9a-f]{64}$/.test(path))
      throw invalid(text, 'it is an image id, which no registry knows', 'name the repository too: REPOSITORY@sha256:...');
    return;
  }
  if (path !== path.toLowerCase()) throw invalid(text, `"${path}" has capitals, and a repository's name is lower case`);
  const part = path.split('/').find((each) => !isRepository(each));
  if (part === undefined) throw invalid(text, `"${path}" is no repository's name`);
  if (part === '') throw invalid(text, 'between two slashes, or behind the last, nothing stands');
  throw invalid(text, `"${part}" is no part of a repository's name: letters and digits, between them ".", "_", "__" or dashes`);
};

const invalid = (
  text: string,
  detail: string,
  nextStep = 'write it as [REGISTRY/]REPOSITORY[:TAG][@DIGEST] or oci:DIRECTORY[:TAG]',
): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'ReferenceInvalid',
    summary: `"${text.length > 300 ? `${text.slice(0, 300)}...` : text}" is no image reference`,
    detail,
    nextSteps: [nextStep],
  });
