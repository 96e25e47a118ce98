import { execFile } from 'node:child_process';
import { mkdtemp, copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

export type PolicyAssistantBinary =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Built from a checkout of the repository kubernetes-sigs/network-policy-api: policy-assistant is not published as a module. Throws when
 * the build fails.
 */
export const ensurePolicyAssistant = async (): Promise<PolicyAssistantBinary> => {
  const checkout = process.env['POIMEN_NETWORK_POLICY_API'];
  if (checkout === undefined || checkout === '')
    return { kind: 'missing', reason: 'POIMEN_NETWORK_POLICY_API names no checkout of kubernetes-sigs/network-policy-api' };
  const go = promisify(execFile);
  const folder = await mkdtemp(join(tmpdir(), 'poimen-policy-assistant-'));
  for (const file of ['go.mod', 'go.sum']) await copyFile(join(import.meta.dirname, file), join(folder, file));
  const modFile = join(folder, 'go.mod');
  const source = join(resolve(checkout), 'cmd/policy-assistant');
  await go('go', ['mod', 'edit', `-replace=sigs.k8s.io/network-policy-api/policy-assistant=${source}`, modFile]);
  const path = join(folder, 'answers');
  await go('go', ['build', `-modfile=${modFile}`, '-mod=readonly', '-buildvcs=false', '-o', path, '.'], {
    cwd: import.meta.dirname,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
  });
  return { kind: 'found', path };
};
