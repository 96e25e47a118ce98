import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { loadManifests } from '../manifests/load-manifests.ts';
import type { ManifestObject } from '../manifests/manifest-object.ts';
import type { Position } from '../manifests/position.ts';
import { parseYamlStream } from '../manifests/yaml.ts';
import { takeInventory } from '../network/inventory/inventory.ts';
import { lintPolicies } from '../network/lint/lint-policies.ts';
import { createPolicyEngine } from '../network/policy/create-policy-engine.ts';
import { worldOf } from '../network/matrix/network-state.ts';
import { policyKey } from '../network/policy/policy-input.ts';
import { flawsOf, isRefused } from '../network/validity/flaws-of.ts';
import { diagnose, sortDiagnostics, type Diagnostic, type Finding } from '../runbook/diagnostic.ts';

/**
 * What can be said about a folder or a file of manifests: what kubectl or an API server would refuse, what readers of YAML disagree about,
 * and policies that probably do not mean what they say.
 */
export const lintManifests = async (path: string, workingDirectory: string): Promise<readonly Diagnostic[]> => {
  const absolute = resolve(workingDirectory, path);
  const { objects, problems } = await loadManifests(absolute);
  const texts = new Map<string, string>();
  const say = (position: Position, finding: Finding): Diagnostic => {
    const text = texts.get(position.file) ?? readIfThere(position.file);
    texts.set(position.file, text);
    return diagnose(
      text,
      { ...position, file: relative(absolute, position.file) === '' ? path : join(path, relative(absolute, position.file)) },
      finding,
    );
  };
  const checked = objects.map((manifest) => ({ manifest, flaws: flawsOf(manifest.object) }));
  const sound = checked.filter(({ flaws }) => !isRefused(flaws)).map(({ manifest }) => manifest);
  return sortDiagnostics([
    ...problems.map(({ message, hint, ...position }) => say(position, { code: 'ManifestUnusable', message, hint })),
    ...checked.flatMap(({ manifest, flaws }) =>
      flaws.map(({ kind, path: field, message, hint }) =>
        say(
          manifest.positionOf(field),
          kind === 'refused' ? { code: 'PolicyRefused', message, hint } : { severity: 'warning', code: 'UnknownField', message, hint },
        ),
      ),
    ),
    ...[...new Set(objects.map(({ file }) => file))].flatMap((file) =>
      ambiguities(file).map(({ message, hint, ...position }) =>
        say(position, { severity: 'warning', code: 'AmbiguousYaml', message, hint }),
      ),
    ),
    ...policyWarnings(sound, say),
  ]);
};

const policyWarnings = (
  objects: readonly ManifestObject[],
  say: (position: Position, finding: Finding) => Diagnostic,
): readonly Diagnostic[] => {
  const inventory = takeInventory(objects);
  return lintPolicies(inventory.policies, inventory, createPolicyEngine(worldOf(inventory, []))).flatMap(
    ({ policy, code, path, message, hint }) => {
      const position = inventory.policySources.get(policyKey(policy))?.positionOf?.(path);
      return position === undefined ? [] : [say(position, { severity: 'warning', code, message, hint })];
    },
  );
};

/** What kubectl reads in one way and a reader of YAML 1.2 in another. A file that is no YAML at all is reported already. */
const ambiguities = (file: string) =>
  parseYamlStream(readIfThere(file), file).problems.filter(({ message }) => !message.startsWith('not YAML'));

/** A problem may be about a folder, or a file that cannot be read. */
const readIfThere = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
