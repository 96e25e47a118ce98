/**
 * Paths as byte strings: one character a byte (latin1), because a tar's names are bytes in no said encoding. Within an image a path has no
 * leading slash, no empty component, no `.`; the root is ''.
 */

/** As a person typed it, to a byte string. */
export const bytesOfPath = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');

/** For people; bytes that are no UTF-8 become replacement characters. */
export const shownPath = (path: string): string => `/${Buffer.from(path, 'latin1').toString('utf8')}`;

/** Without `.` and empty ones; `..` stays. */
export const componentsOf = (path: string): readonly string[] =>
  path.split('/').filter((component) => component !== '' && component !== '.');

/**
 * A tar entry's name or a hard link's target, cleaned as runtimes clean it (Go's path.Clean): `..` takes a component away by its letters.
 * Undefined where it points outside the image.
 */
export const cleanName = (name: string): string | undefined => {
  if (isClean(name)) return name;
  const isRooted = name.startsWith('/');
  const clean: string[] = [];
  for (const component of componentsOf(name)) {
    if (component !== '..') clean.push(component);
    else if (clean.length > 0) clean.pop();
    else if (!isRooted) return undefined;
  }
  return clean.join('/');
};

/** Most names are, but for a slash at the end. */
const isClean = (name: string): boolean => !name.startsWith('/') && !name.endsWith('/') && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(name);

/** `usr/bin/x` -> `usr/bin`; of a name in the root ''. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const joined = (parent: string, name: string): string => (parent === '' ? name : name === '' ? parent : `${parent}/${name}`);
