import type { Container, PodSpec } from '../kubernetes/pod.ts';
import { isJsonArray, isJsonObject } from '../kubernetes/json.ts';

/**
 * Whether the process in a container is the image's own. A verdict is about the image; where something else runs, it says so.
 *
 * Only what can be read from spec and image config is judged: a symbolic link of the image into a volume, or what a process loads later, is not seen.
 */
export type ProcessOrigin =
  /** Nothing in the spec puts anything else in the place of the image's files. */
  | { readonly kind: 'image'; readonly runs?: string }
  /** `runs` is the command as it is started; `because` says from where. */
  | { readonly kind: 'elsewhere'; readonly runs: string; readonly because: string };

/** What an image starts. Source: OCI Image specification 1.1, "Image configuration", `config`. */
export interface ImageCommand {
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly workingDirectory?: string;
  /** `NAME=value`. */
  readonly env: readonly string[];
}

interface Mount {
  readonly path: string;
  readonly volume: string;
}

/** `image` absent: the config is not known; then only what the spec itself starts is judged. */
export const processOrigin = (spec: PodSpec, container: Container, image: ImageCommand | undefined): ProcessOrigin => {
  const command = commandOf(container, image);
  const runs = command.join(' ');
  const elsewhere = (because: string): ProcessOrigin => ({ kind: 'elsewhere', runs, because });
  const mounts = mountsOf(spec, container);
  const fromMount = (path: string): string | undefined => {
    const mount = mounts.find((candidate) => isBelow(path, candidate.path));
    return mount === undefined ? undefined : `${path} is on ${mount.volume}, mounted at ${mount.path}`;
  };
  const directory = textOf(container['workingDir']) ?? image?.workingDirectory ?? '/';
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${directory.replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`);

  for (const path of programsIn(command)) {
    const because = path.includes('/') ? fromMount(normal(absolute(path))) : undefined;
    if (because !== undefined) return elsewhere(because);
  }
  const installs = installedAtStart(command);
  if (installs !== undefined) return elsewhere(`it runs "${installs}" when it starts`);
  for (const [name, value] of environment(container, image)) {
    if (!searchPaths.has(name)) continue;
    for (const path of value.split(/[: ]/).filter((entry) => entry.startsWith('/'))) {
      const because = fromMount(normal(path));
      if (because !== undefined) return elsewhere(`${name}: ${because}`);
    }
  }
  return { kind: 'image', ...(runs === '' ? {} : { runs }) };
};

/**
 * The volume that stands over a path of the image, if one does: what the layers hold there is not what the container sees.
 */
export const mountOver = (spec: PodSpec, container: Container, path: string): string | undefined => {
  const mount = mountsOf(spec, container).find((candidate) => isBelow(normal(path), candidate.path));
  return mount === undefined ? undefined : `${mount.volume}, mounted at ${mount.path}`;
};

/** Where programs and what they load are looked for. */
const searchPaths = new Set(['PATH', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'PYTHONPATH', 'NODE_PATH', 'CLASSPATH', 'PERL5LIB', 'RUBYLIB']);

/** Source: Kubernetes, "Define a Command and Arguments for a Container": `command` drops the image's Cmd, too. */
const commandOf = (container: Container, image: ImageCommand | undefined): readonly string[] => {
  const command = textsOf(container['command']);
  const args = textsOf(container['args']);
  if (command.length > 0) return [...command, ...args];
  return [...(image?.entrypoint ?? []), ...(args.length > 0 ? args : (image?.cmd ?? []))];
};

const interpreters = /^(?:.*\/)?(?:sh|ash|dash|bash|zsh|python[0-9.]*|node|ruby|perl|java|php|lua|env|exec|nohup|tini|dumb-init|numactl)$/;

/** What is executed or interpreted: the first word, and after an interpreter the words that follow it up to its program. */
const programsIn = (command: readonly string[]): readonly string[] => {
  const [first, ...rest] = command;
  if (first === undefined) return [];
  if (!interpreters.test(first)) return [first];
  if (isShell(first)) {
    const script = scriptOf(rest);
    if (script !== undefined) return [first, ...commandsOf(script).flatMap(programsIn)];
  }
  const next = rest.findIndex((word) => !word.startsWith('-') && !/^\w+=/.test(word));
  return next < 0 ? [first] : [first, ...programsIn(rest.slice(next)), ...rest.slice(next, next + 1)];
};

const isShell = (word: string): boolean => /^(?:.*\/)?(?:sh|ash|dash|bash|zsh)$/.test(word);

/** Of `sh -c SCRIPT`, `bash -euxc SCRIPT`. */
const scriptOf = (words: readonly string[]): string | undefined => {
  const at = words.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return at < 0 ? undefined : words[at + 1];
};

/** The simple commands of a shell script, roughly: enough to see which programs it names. */
const commandsOf = (script: string): readonly (readonly string[])[] =>
  script
    .split(/\n|;|&&|\|\||\||\$\(|`|\(|\)|\bthen\b|\bdo\b|\belse\b/)
    .map((part) =>
      part
        .trim()
        .split(/\s+/)
        .map((word) => word.replace(/^["']|["']$/g, '')),
    )
    .map((words) => words.slice(words.findIndex((word) => !/^\w+=/.test(word))))
    .filter(([first]) => first !== undefined && first !== '');

const installers =
  /\b(?:pip3? install|uv (?:pip )?install|npm (?:ci|install)|apt(?:-get)? install|apk add|cargo install|go install|curl|wget|git clone|conda install)\b/;

const installedAtStart = (command: readonly string[]): string | undefined => {
  const [first, ...rest] = command;
  const text = first !== undefined && isShell(first) ? scriptOf(rest) : command.join(' ');
  return text === undefined ? undefined : installers.exec(text.replace(/\s+/g, ' '))?.[0];
};

const environment = (container: Container, image: ImageCommand | undefined): ReadonlyMap<string, string> => {
  const all = new Map<string, string>();
  for (const entry of image?.env ?? []) all.set(entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1));
  for (const entry of listOf(container['env'])) {
    const name = textOf(entry['name']);
    const value = textOf(entry['value']);
    if (name !== undefined && value !== undefined) all.set(name, value);
  }
  return all;
};

/** Deepest first, so that the one that counts is found first. What the kubelet itself puts there is no place for programs. */
const mountsOf = (spec: PodSpec, container: Container): readonly Mount[] => {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return listOf(container['volumeMounts'])
    .flatMap((mount) => {
      const path = textOf(mount['mountPath']);
      const name = textOf(mount['name']);
      if (path === undefined || name === undefined) return [];
      const subPath = textOf(mount['subPath']);
      const claim = volumes.get(name)?.persistentVolumeClaim?.claimName;
      const what = claim === undefined ? `volume ${name}` : `claim ${claim}`;
      return [{ path: normal(path), volume: subPath === undefined ? what : `${what} (${subPath})` }];
    })
    .toSorted((a, b) => b.path.length - a.path.length);
};

const isBelow = (path: string, folder: string): boolean => folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** Without `.`, `..`, doubled and closing slashes. */
const normal = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOf = (value: unknown): readonly string[] =>
  isJsonArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (isJsonArray(value) ? value.filter(isJsonObject) : []);
