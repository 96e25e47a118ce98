import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadManifests } from '../../src/manifests/load-manifests.ts';
import { referenceText } from '../../src/manifests/object-identity.ts';
import { parseYamlStream } from '../../src/manifests/yaml.ts';
import { isKubernetesObject, type KubernetesObject } from '../../src/kubernetes/object.ts';
import { findBinaries } from '../cluster/binaries.ts';

const root = join(import.meta.dirname, '../..');
const { found } = await findBinaries(['kubectl']);
const { kubectl } = found;

const byName = (objects: readonly KubernetesObject[]): Record<string, KubernetesObject> =>
  Object.fromEntries(
    objects.map((object): [string, KubernetesObject] => [referenceText(object), object]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

const builtByKubectl = async (binary: string, folder: string): Promise<readonly KubernetesObject[]> => {
  const { stdout } = await promisify(execFile)(binary, ['kustomize', folder]);
  return parseYamlStream(stdout, 'kubectl')
    .documents.map(({ value }) => value)
    .filter(isKubernetesObject);
};

describe.skipIf(kubectl === undefined)('kustomizations: ours against kubectl kustomize', () => {
  it.each([...['base', 'overlay', 'named', 'variant'].map((name) => `test/manifests/kustomize/fixture/${name}`), 'examples/llm-serving'])(
    'builds the same objects of %s',
    async (folder) => {
      const ours = await loadManifests(join(root, folder));
      expect(ours.problems).toEqual([]);
      expect(byName(ours.objects.map(({ object }) => object))).toEqual(byName(await builtByKubectl(kubectl ?? '', join(root, folder))));
    },
  );
});
