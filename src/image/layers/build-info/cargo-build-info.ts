import { inflate } from 'node:zlib';
import { promisify } from 'node:util';
import { isJsonArray, isJsonObject } from '../../../kubernetes/json.ts';
import type { CargoBuildInfo, CargoPackage } from './build-info.ts';
import type { ElfFile } from './elf-file.ts';
import type { RandomAccess } from './random-access.ts';

/** As cargo-auditable's own readers limit it. */
const maxJsonBytes = 8 * 2 ** 20;

/**
 * Packages that a Rust program was built from, where it was built with cargo-auditable. Undefined: it was not. Throws for data that is broken.
 *
 * Source: cargo-auditable, "Auditable data format": zlib-compressed JSON in the section `.dep-v0`.
 */
export const readCargoBuildInfo = async (file: RandomAccess, { sections }: ElfFile): Promise<CargoBuildInfo | undefined> => {
  const section = sections.find(({ name }) => name === '.dep-v0');
  if (section === undefined || section.size === 0 || section.size > maxJsonBytes) return undefined;
  const json = await promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate)(await file.read(section.offset, section.size), {
    maxOutputLength: maxJsonBytes,
  });
  return parseAuditable(JSON.parse(json.toString('utf8')));
};

const parseAuditable = (document: unknown): CargoBuildInfo => {
  const packages = isJsonObject(document) ? document['packages'] : undefined;
  if (!isJsonArray(packages)) throw new Error('no list of packages');
  const parsed = packages.map(packageOf);
  const root = parsed[packages.findIndex((one) => isJsonObject(one) && one['root'] === true)];
  return { kind: 'cargo', packages: parsed, ...(root === undefined ? {} : { root }) };
};

const packageOf = (value: unknown): CargoPackage => {
  if (!isJsonObject(value)) throw new Error('a package that is no object');
  const { name, version, source, kind } = value;
  if (typeof name !== 'string' || typeof version !== 'string' || typeof source !== 'string')
    throw new Error('a package without name, version or source');
  return { name, version, source, kind: kind === 'build' ? 'build' : 'runtime' };
};
