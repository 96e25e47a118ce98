import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { algorithmOf, hexOf } from '../digest.ts';
import { RegistryError } from '../registry-error.ts';

/** An open file of a layout, and how long it is. */
export interface LayoutFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/** Where a blob lies. The digest has been checked: nothing else becomes part of a path. */
export const blobPath = (directory: string, digest: string): string => join(directory, 'blobs', algorithmOf(digest), hexOf(digest));

/** `undefined`: there is none. A pipe or a device in its place is refused, not waited for. */
export const openLayoutFile = async (path: string): Promise<LayoutFile | undefined> => {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'ENOENT') return undefined;
    throw unreadable(path, cause instanceof Error ? cause.message : code, cause);
  }
  const stat = await handle.stat();
  if (stat.isFile()) return { handle, size: stat.size };
  await handle.close();
  throw unreadable(path, 'it is no file');
};

/** Whole. `tooLong` where it has more bytes than it may. */
export const readLayoutFile = async (path: string, maxBytes: number): Promise<Uint8Array | undefined | 'tooLong'> => {
  const file = await openLayoutFile(path);
  if (file === undefined) return undefined;
  try {
    return file.size > maxBytes ? 'tooLong' : await file.handle.readFile();
  } finally {
    await file.handle.close();
  }
};

export const unreadable = (path: string, detail: string, cause?: unknown): RegistryError =>
  new RegistryError({
    code: 'LayoutInvalid',
    summary: `cannot read ${path}`,
    detail,
    nextSteps: ['name the folder of an OCI layout, and one that you may read'],
    ...(cause === undefined ? {} : { cause }),
  });
