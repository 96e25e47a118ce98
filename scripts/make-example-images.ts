import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDigits } from './example-images/find-commit-id.ts';
import { bundle, commitHistory, commitText } from './example-images/git-history.ts';
import { writeLayout, type Build } from './example-images/oci-layout.ts';
import { sourceHistory, type SourceCommit } from './example-images/source-history.ts';

// Makes the images of examples/llm-serving and the history that they were built from:
//
//   node scripts/make-example-images.ts               examples/llm-serving/{images,sources}, or another folder that is named
//   node scripts/make-example-images.ts --find-fix    digits with which the id of the fix begins as it has to

const wantedFix = 'f3c00b2';
const image = 'registry.example/llm/candle-vllm';
const repository = 'https://git.example/llm/candle-vllm';

type Provenance = 'slsa v1' | 'slsa v0.2' | 'none';

/** All that `:sm70` has been, the newest last. */
const builds: readonly {
  readonly tag: string;
  readonly commit: SourceCommit['name'];
  readonly created: string;
  readonly provenance: Provenance;
}[] = [
  { tag: 'sm70-20260821', commit: 'convolution', created: '2026-08-21T03:00:00Z', provenance: 'none' },
  { tag: 'sm70-20260915', commit: 'route', created: '2026-09-15T03:00:00Z', provenance: 'slsa v0.2' },
  { tag: 'sm70-20261029', commit: 'fix', created: '2026-10-29T03:00:00Z', provenance: 'none' },
  { tag: 'sm70', commit: 'after', created: '2026-11-06T03:00:00Z', provenance: 'slsa v1' },
];

const [, , argument] = process.argv;
const scratch = await mkdtemp(join(tmpdir(), 'poimen-example-images-'));
try {
  const ids = await commitHistory(scratch, sourceHistory);
  const fix = idOf(ids, 'fix');
  if (argument === '--find-fix') {
    const present = sourceHistory.find(({ name }) => name === 'fix')?.message.slice(-16) ?? '';
    console.log(findDigits(await commitText(scratch, fix), present, wantedFix));
  } else {
    if (!fix.startsWith(wantedFix)) throw new Error(`the fix is ${fix}, which does not begin with ${wantedFix}: run this with --find-fix`);
    const folder = argument ?? join(import.meta.dirname, '../examples/llm-serving');
    await rm(join(folder, 'images'), { recursive: true, force: true });
    await mkdir(join(folder, 'sources'), { recursive: true });
    await bundle(scratch, join(folder, 'sources/candle-vllm.bundle'));
    await writeLayout(
      join(folder, 'images'),
      builds.map((build) => buildOf(build, idOf(ids, build.commit))),
    );
  }
} finally {
  await rm(scratch, { recursive: true });
}

function idOf(ids: ReadonlyMap<string, string>, name: SourceCommit['name']): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`no commit ${name}`);
  return id;
}

function buildOf({ tag, created, provenance }: (typeof builds)[number], revision: string): Build {
  const base = {
    name: `${image}:${tag}`,
    created,
    labels: { 'org.opencontainers.image.source': repository, 'org.opencontainers.image.revision': revision },
    files: { 'usr/local/bin/candle-vllm': `#!/bin/sh\n# stands for candle-vllm, built from ${revision}\nexec sleep infinity\n` },
    entrypoint: ['/usr/local/bin/candle-vllm'],
  };
  const uri = `${repository}.git#refs/heads/main`;
  switch (provenance) {
    case 'none':
      return base;
    case 'slsa v0.2':
      return {
        ...base,
        provenance: {
          predicateType: 'https://slsa.dev/provenance/v0.2',
          predicate: {
            builder: { id: '' },
            buildType: 'https://mobyproject.org/buildkit@v1',
            materials: [{ uri, digest: { sha1: revision } }],
            invocation: {
              configSource: { uri, digest: { sha1: revision }, entryPoint: 'Dockerfile' },
              parameters: { frontend: 'dockerfile.v0' },
            },
            metadata: { completeness: { parameters: true, environment: true, materials: true }, reproducible: false },
          },
        },
      };
    case 'slsa v1':
      return {
        ...base,
        provenance: {
          predicateType: 'https://slsa.dev/provenance/v1',
          predicate: {
            buildDefinition: {
              buildType: 'https://github.com/moby/buildkit/blob/master/docs/attestations/slsa-definitions.md',
              externalParameters: {
                configSource: { uri, digest: { sha1: revision }, path: 'Dockerfile' },
                request: { frontend: 'dockerfile.v0' },
              },
              internalParameters: { builderPlatform: 'linux/amd64' },
              resolvedDependencies: [{ uri, digest: { sha1: revision } }],
            },
            runDetails: { builder: { id: '' }, metadata: { startedOn: created, finishedOn: created } },
          },
        },
      };
  }
}
