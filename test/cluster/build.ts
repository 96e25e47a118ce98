/** Builds every binary of the test cluster that is not there yet, and prints where each is. */
import { binaryNames, ensureBinaries } from './binaries.ts';

const paths = await ensureBinaries(binaryNames);
for (const name of binaryNames) console.log(`${name}\t${paths[name]}`);
