import type { BuildInfo } from './build-info.ts';
import { readCargoBuildInfo } from './cargo-build-info.ts';
import { readElf } from './elf-file.ts';
import { readGoBuildInfo } from './go-build-info.ts';
import type { RandomAccess } from './random-access.ts';

/** What a Linux binary says of its build. Undefined: nothing that poimen reads. Throws where it says something broken. */
export const readBuildInfo = async (file: RandomAccess): Promise<BuildInfo | undefined> => {
  const elf = await readElf(file);
  if (elf === undefined) return undefined;
  return (await readGoBuildInfo(file, elf)) ?? (await readCargoBuildInfo(file, elf));
};
