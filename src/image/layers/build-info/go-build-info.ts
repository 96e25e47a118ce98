import type { GoBuildInfo, GoModule } from './build-info.ts';
import type { ElfFile, ElfSegment } from './elf-file.ts';
import type { RandomAccess } from './random-access.ts';

const magic = Buffer.from('\xff Go buildinf:', 'latin1');
const headerBytes = 32;
const alignment = 16;
const searchBytes = 2 ** 20;
/** Of the list of modules; the largest programs have some hundred kilobytes. */
const maxTextBytes = 16 * 2 ** 20;

const loadable = 1; // PT_LOAD
const [executable, writable] = [1, 2]; // PF_X, PF_W

/**
 * Build info of a Go program, as `go version -m` reads it. Undefined: it is none, or its linker left nothing.
 *
 * Source: Go, debug/buildinfo (the header's two formats, before and since Go 1.18).
 */
export const readGoBuildInfo = async (file: RandomAccess, elf: ElfFile): Promise<GoBuildInfo | undefined> => {
  const memory = new Memory(file, elf.segments);
  const at = await findHeader(memory, elf);
  if (at === undefined) return undefined;
  const header = await memory.read(at, headerBytes);
  if (header.length < headerBytes) return undefined;
  const isInline = ((header[15] ?? 0) & 2) !== 0;
  const texts = isInline ? await inlineTexts(memory, at + headerBytes) : await textsByPointer(memory, header);
  if (texts === undefined || texts.version === '') return undefined;
  return { kind: 'go', goVersion: texts.version, ...parseModuleInfo(withoutFrame(texts.modules)) };
};

interface Texts {
  readonly version: string;
  readonly modules: string;
}

/** Reads by the addresses that a program has in memory. */
class Memory {
  readonly #file: RandomAccess;
  readonly #segments: readonly ElfSegment[];

  constructor(file: RandomAccess, segments: readonly ElfSegment[]) {
    this.#file = file;
    this.#segments = segments;
  }

  async read(address: number, length: number): Promise<Buffer> {
    const segment = this.#segments.find((one) => one.address <= address && address < one.address + one.fileSize);
    if (segment === undefined) return Buffer.alloc(0);
    const within = address - segment.address;
    return this.#file.read(segment.offset + within, Math.min(length, segment.fileSize - within));
  }
}

const findHeader = async (memory: Memory, { sections, segments }: ElfFile): Promise<number | undefined> => {
  const section = sections.find(({ name }) => name === '.go.buildinfo');
  const data = segments.find(({ type, flags }) => type === loadable && (flags & (executable | writable)) === writable);
  const start = section?.address ?? data?.address;
  const size = section?.size ?? data?.fileSize ?? 0;
  if (start === undefined) return undefined;
  const first = Math.ceil(start / alignment) * alignment;
  for (let at = first; at < start + size; at += searchBytes) {
    const bytes = await memory.read(at, Math.min(searchBytes, start + size - at));
    if (bytes.length === 0) return undefined;
    for (let found = bytes.indexOf(magic); found !== -1; found = bytes.indexOf(magic, found + 1))
      if (found % alignment === 0) return at + found;
  }
  return undefined;
};

/** Since Go 1.18: two texts after the header, each after its length. */
const inlineTexts = async (memory: Memory, at: number): Promise<Texts | undefined> => {
  const version = await inlineText(memory, at);
  if (version === undefined) return undefined;
  const modules = await inlineText(memory, version.end);
  return modules === undefined ? undefined : { version: version.text, modules: modules.text };
};

const inlineText = async (memory: Memory, at: number): Promise<{ readonly text: string; readonly end: number } | undefined> => {
  const bytes = await memory.read(at, 10);
  let length = 0;
  for (const [index, byte] of bytes.entries()) {
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte >= 0x80) continue;
    if (length > maxTextBytes) return undefined;
    const start = at + index + 1;
    const text = await memory.read(start, length);
    return text.length < length ? undefined : { text: text.toString('latin1'), end: start + length };
  }
  return undefined;
};

/** Before Go 1.18: pointers to two Go strings, which are a pointer and a length each. */
const textsByPointer = async (memory: Memory, header: Buffer): Promise<Texts | undefined> => {
  const pointerBytes = header[14];
  const isBig = ((header[15] ?? 0) & 1) !== 0;
  if (pointerBytes !== 4 && pointerBytes !== 8) return undefined;
  const pointer = (bytes: Buffer, at: number): number => {
    if (pointerBytes === 4) return isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    return Number(isBig ? bytes.readBigUInt64BE(at) : bytes.readBigUInt64LE(at));
  };
  const goString = async (address: number): Promise<string> => {
    const words = await memory.read(address, 2 * pointerBytes);
    if (words.length < 2 * pointerBytes) return '';
    const length = pointer(words, pointerBytes);
    if (length > maxTextBytes) return '';
    const text = await memory.read(pointer(words, 0), length);
    return text.length < length ? '' : text.toString('latin1');
  };
  return { version: await goString(pointer(header, 16)), modules: await goString(pointer(header, 16 + pointerBytes)) };
};

/** The linker puts 16 bytes before and behind. */
const withoutFrame = (text: string): string =>
  text.length >= 33 && text.at(-17) === '\n' ? Buffer.from(text.slice(16, -16), 'latin1').toString('utf8') : '';

/** Source: Go, runtime/debug.ParseBuildInfo. */
export const parseModuleInfo = (text: string): Omit<GoBuildInfo, 'kind' | 'goVersion'> => {
  let path: string | undefined;
  const modules: { readonly isMain: boolean; readonly module: GoModule; replacedBy?: GoModule }[] = [];
  const settings: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of text.split('\n')) {
    const tab = line.indexOf('\t');
    const [word, rest] = [line.slice(0, Math.max(tab, 0)), line.slice(tab + 1)];
    if (word === 'path') path = rest;
    else if (word === 'mod' || word === 'dep') modules.push({ isMain: word === 'mod', module: moduleOf(rest) });
    else if (word === '=>') Object.assign(modules.at(-1) ?? {}, { replacedBy: moduleOf(rest) });
    else if (word === 'build') {
      const setting = settingOf(rest);
      if (setting !== undefined) settings[setting.key] = setting.value;
    }
  }
  const all = modules.map(({ isMain, module, replacedBy }) => ({
    isMain,
    module: replacedBy === undefined ? module : { ...module, replacedBy },
  }));
  const main = all.find(({ isMain }) => isMain)?.module;
  const revision = settings['vcs.revision'];
  const modified = settings['vcs.modified'];
  return {
    ...(path === undefined ? {} : { path }),
    ...(main === undefined ? {} : { main }),
    dependencies: all.filter(({ isMain }) => !isMain).map(({ module }) => module),
    settings: { ...settings },
    ...(revision === undefined ? {} : { revision }),
    ...(modified === undefined ? {} : { isModified: modified !== 'false' }),
  };
};

const moduleOf = (columns: string): GoModule => {
  const [path = '', version = '', sum = ''] = columns.split('\t');
  return { path, version, ...(sum === '' ? {} : { sum }) };
};

/** `key=value`, either of them in Go's quotes where it needs them. */
const settingOf = (text: string): { readonly key: string; readonly value: string } | undefined => {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|`[^`]*`)/.exec(text)?.[0];
  const end = quoted?.length ?? text.indexOf('=');
  if (end < 1 || text[end] !== '=') return undefined;
  return { key: unquoted(text.slice(0, end)), value: unquoted(text.slice(end + 1)) };
};

const unquoted = (text: string): string => {
  if (text.startsWith('`')) return text.slice(1, -1);
  if (!text.startsWith('"')) return text;
  return text.slice(1, -1).replaceAll(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)/gi, (whole, escape: string) => {
    if (escape.length > 1) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return { n: '\n', t: '\t', r: '\r' }[escape] ?? (escape === '"' || escape === '\\' ? escape : whole);
  });
};
