import type { BlobDescriptor, ImageSource } from '../../registry/image-source.ts';
import { bytesOfPath, componentsOf, joined, parentOf, shownPath } from './container-path.ts';
import type { FileInImage, FollowedLink } from './file-in-image.ts';
import type { ReadContent } from './file-intake.ts';
import { defaultLayerLimits, type LayerLimits } from './layer-limits.ts';
import { maxLinks } from './layer-links.ts';
import type { LookupAnswer } from './layer-lookup.ts';
import { LayerStack, UnreadableLayer, type LayerListener } from './layer-stack.ts';
import type { Leaf } from './path-trace.ts';

/** Layers of one image, as its manifest and its config name them. */
export interface LayeredImage {
  /** Lowest first. */
  readonly layers: readonly BlobDescriptor[];
  /** `rootfs.diff_ids` of the config. */
  readonly diffIds: readonly string[];
}

export interface FindOptions {
  /** What binaries say of their build (`BuildInfo`); they are kept in a temporary file meanwhile. */
  readonly buildInfo?: boolean;
  readonly limits?: Partial<LayerLimits>;
  readonly listener?: LayerListener;
}

/**
 * Files as a container of the image would see them, in the order of `paths`: searched from the top layer down, links followed within the
 * image, whiteouts heeded.
 *
 * Nothing is said from a layer before it was read to its end and both its digest (by the source) and its diff ID matched. Layers are read one
 * after the other, each once for all paths; a link into a layer that was read already has that one read again. Throws when `signal` is
 * aborted; everything else that goes wrong is an answer (`unreadable`).
 *
 * Source: OCI Image specification 1.1, "Image layer filesystem changeset"; path_resolution(7).
 */
export const findInLayers = async (
  source: ImageSource,
  image: LayeredImage,
  paths: readonly string[],
  options: FindOptions = {},
  signal?: AbortSignal,
): Promise<readonly FileInImage[]> => {
  const { layers, diffIds } = image;
  if (layers.length !== diffIds.length) {
    const reason = `the manifest has ${layers.length} layers, the config has diff IDs for ${diffIds.length}`;
    return paths.map((path) => ({ kind: 'unreadable', path, via: [], reason, nextSteps: nextSteps(path) }));
  }
  const stack = new LayerStack(source, {
    layers,
    diffIds,
    paths: paths.map(canonicalIfPlain).filter((path) => path !== undefined),
    wantsBuildInfo: options.buildInfo ?? false,
    limits: { ...defaultLayerLimits, ...options.limits },
    ...(options.listener === undefined ? {} : { listener: options.listener }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answers: FileInImage[] = [];
  for (const path of paths) answers.push(await findOne(stack, path));
  return answers;
};

const findOne = async (stack: LayerStack, path: string): Promise<FileInImage> => {
  const via: FollowedLink[] = [];
  try {
    const found = await resolve(stack, path, via);
    if (found.kind === 'absent') await stack.verifyAll();
    return found;
  } catch (error) {
    if (!(error instanceof UnreadableLayer)) throw error;
    const { message: reason, cause } = error;
    return { kind: 'unreadable', path, via, reason, nextSteps: nextSteps(path), ...(cause === undefined ? {} : { cause }) };
  }
};

/** Component by component, as the kernel does: `..` is the parent of where a link led. */
const resolve = async (stack: LayerStack, path: string, via: FollowedLink[]): Promise<FileInImage> => {
  const absent = (reason: string): FileInImage => ({ kind: 'absent', path, via, reason });
  if (path === '') return absent('the path is empty');
  if (path.includes('\0')) return absent('no path has a NUL in it');
  let wantsDirectory = endsInDirectory(path);
  let real = '';
  let left: readonly string[] = componentsOf(bytesOfPath(path));
  for (;;) {
    if (left.some((component) => component.startsWith('.wh.')))
      return absent('names that begin with .wh. remove files of lower layers; containers see none');
    const upward = left.indexOf('..');
    const known = left.slice(0, upward === -1 ? left.length : upward);
    const asked = joined(real, known.join('/'));
    const answer = await stack.lookup(asked);
    if (answer.kind === 'absent') return absent(`${shownPath(asked)} is in no layer`);
    if (answer.kind === 'directory') {
      if (upward === -1) return { kind: 'not-a-file', path, via, what: 'directory' };
      real = parentOf(asked);
      left = left.slice(upward + 1);
      continue;
    }

    const components = componentsOf(asked);
    const at = components.slice(0, answer.depth).join('/');
    const rest = [...components.slice(answer.depth), ...(upward === -1 ? [] : left.slice(upward))];
    const leaf = await throughHardLinks(stack, at, answer, via);
    if (leaf === undefined) return unfollowable(path, via);
    if (leaf.kind === 'symbolic-link') {
      via.push({
        kind: 'symbolic',
        path: shownPath(at),
        target: Buffer.from(leaf.target, 'latin1').toString('utf8'),
        layer: stack.reference(answer.layer),
      });
      if (via.length > maxLinks) return absent(`more than ${maxLinks} links follow each other: no process could open it`);
      if (rest.length === 0) wantsDirectory ||= endsInDirectory(leaf.target);
      real = leaf.target.startsWith('/') ? '' : parentOf(at);
      left = [...componentsOf(leaf.target), ...rest];
      continue;
    }
    if (rest.length > 0 || wantsDirectory) return absent(`${shownPath(at)} is no directory`);
    if (leaf.kind === 'special') return { kind: 'not-a-file', path, via, what: 'device, pipe or socket' };
    if (leaf.content === undefined) throw new Error(`layer ${answer.layer} was verified, but the content of ${at} was not read`);
    return { kind: 'found', path, realPath: shownPath(at), layer: stack.reference(answer.layer), via, ...leaf.content };
  }
};

/** `/usr/bin/` and `/usr/bin/.` are directories or nothing. */
const endsInDirectory = (path: string): boolean => /(?:^|\/)\.{0,2}$/.test(path);

type NoHardLink = Exclude<Leaf<ReadContent>, { kind: 'hard-link' }>;

/** Undefined: it leads to nothing that its layer had when it was made. Runtimes refuse such a layer. */
const throughHardLinks = async (
  stack: LayerStack,
  path: string,
  { leaf, layer }: Extract<LookupAnswer<ReadContent>, { kind: 'leaf' }>,
  via: FollowedLink[],
): Promise<NoHardLink | undefined> => {
  let at = path;
  let current: Leaf<ReadContent> = leaf;
  while (current.kind === 'hard-link') {
    if (via.length > maxLinks) return undefined;
    const { target, entryNumber }: { target: string; entryNumber: number } = current;
    via.push({ kind: 'hard', path: shownPath(at), target: shownPath(target), layer: stack.reference(layer) });
    const state = await stack.withinLayer(layer, target, entryNumber);
    if (typeof state !== 'object') return undefined;
    at = target;
    current = state;
  }
  return current;
};

const unfollowable = (path: string, via: readonly FollowedLink[]): FileInImage => {
  const last = via.at(-1);
  const where = last === undefined ? '' : `layer ${last.layer.number} of ${last.layer.of} (${last.layer.digest}) `;
  const reason = `${where}has a hard link at ${last?.path ?? path} to ${last?.target ?? 'nothing'}, which it does not hold, or which are too many to follow`;
  return { kind: 'unreadable', path, via, reason, nextSteps: nextSteps(path) };
};

const nextSteps = (path: string): readonly string[] => [
  `Ask a container that runs from the image itself: kubectl exec POD -c CONTAINER -- sha256sum ${path}`,
];

/** What the first lookup of a path will ask for. */
const canonicalIfPlain = (path: string): string | undefined => {
  const components = componentsOf(bytesOfPath(path));
  return components.includes('..') || components.length === 0 ? undefined : components.join('/');
};
