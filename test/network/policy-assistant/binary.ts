import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export type PolicyAssistantBinary =
  | { readonly kind: 'found'; readonly path: string; readonly remove: () => Promise<void> }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Built from a checkout of the repository kubernetes-sigs/network-policy-api: policy-assistant is not published as a module. Its
 * folder is the caller's to remove. Throws when the build fails.
 */
export const ensurePolicyAssistant = async (): Promise<PolicyAssistantBinary> => {
  const checkout = process.env['POIMEN_NETWORK_POLICY_API'];
  if (checkout === undefined || checkout === '')
    return { kind: 'missing', reason: 'POIMEN_NETWORK_POLICY_API names no checkout of kubernetes-sigs/network-policy-api' };
  const folder = await mkdtemp(join(tmpdir(), 'poimen-policy-assistant-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    return { kind: 'found', path: await build(folder, join(resolve(checkout), 'cmd/policy-assistant')), remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

const build = async (folder: string, source: string): Promise<string> => {
  const go = promisify(execFile);
  for (const file of ['go.mod', 'go.sum']) await copyFile(join(import.meta.dirname, file), join(folder, file));
  const modFile = join(folder, 'go.mod');
  await go('go', ['mod', 'edit', `-replace=sigs.k8s.io/network-policy-api/policy-assistant=${source}`, modFile]);
  const path = join(folder, 'answers');
  await go('go', ['build', `-modfile=${modFile}`, '-mod=readonly', '-buildvcs=false', '-o', path, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
  });
  return path;
};
