import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectLive } from '../../src/cluster/live/connect-live.ts';
import { isApiError } from '../../src/cluster/api-error.ts';
import { fieldManager, type Cluster } from '../../src/cluster/cluster.ts';
import { resources, type Resource } from '../../src/kubernetes/resource.ts';
import { groupOf, versionOf } from '../../src/manifests/object-identity.ts';
import { readManifestFile } from '../../src/manifests/read-manifest-file.ts';
import { flawsOf, isRefused } from '../../src/network/validity/flaws-of.ts';
import { netcheck } from '../../src/operations/netcheck.ts';
import { contextIn } from '../operations/context.ts';
import { startControlPlane, type ControlPlane } from '../cluster/control-plane.ts';
import { waitUntil } from '../cluster/processes.ts';
import {
  adminNetworkPolicyCases,
  baselineCases,
  clusterNetworkPolicyCases,
  type ClusterPolicyCase,
} from '../network/validity/refused-cluster-policies.ts';

// The definitions of the cluster-wide kinds, as they are published, on a control plane of its own: on that of the other tests nobody
// should have to be allowed to list them.

const { missing } = inject('realControlPlane');

/** ClusterNetworkPolicy stands in the newer one, the kinds before it in the older. */
const modules = ['sigs.k8s.io/network-policy-api@v0.3.0', 'sigs.k8s.io/network-policy-api@v0.1.7'] as const;

/** Go brings and verifies the modules; nothing of them is built. */
const definitions = async (): Promise<readonly string[] | Error> => {
  try {
    return await Promise.all(
      modules.map(async (module) => {
        const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module]);
        const { Dir }: { readonly Dir: string } = JSON.parse(stdout);
        return Dir;
      }),
    );
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

const folders = await definitions();
if (folders instanceof Error) {
  const reason = `the definitions of cluster-wide policies cannot be had: install Go 1.26 (${folders.message})`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  process.stderr.write(`contract: cluster-wide policies that a server refuses are left out: ${reason}\n`);
}

const filesIn = async (folder: string, prefix = ''): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));

const [newest = ''] = folders instanceof Error ? [] : folders;
const examples =
  folders instanceof Error
    ? []
    : await Promise.all(['valid', 'invalid'].map((word) => filesIn(join(newest, 'pkg/crdtest/testdata', word))));

const resourceOf = ({ policy }: ClusterPolicyCase): Resource => ({
  group: groupOf(policy.apiVersion),
  version: versionOf(policy.apiVersion),
  plural: policy.kind.toLowerCase().replace(/y$/, 'ies'),
  kind: policy.kind,
  namespaced: false,
});

describe.skipIf(missing !== undefined || folders instanceof Error)('cluster-wide policies that an API server refuses, and we', () => {
  let controlPlane: ControlPlane;
  let cluster: Cluster;

  beforeAll(async () => {
    controlPlane = await startControlPlane({ users: [{ name: 'viewer' }] });
    ({ cluster } = await connectLive({ kubeconfig: controlPlane.kubeconfig, requestTimeoutMs: 10_000, env: {} }));
    for (const folder of folders instanceof Error ? [] : folders) {
      for (const file of await filesIn(join(folder, 'config/crd/experimental'), 'policy.networking.k8s.io_'))
        for (const { object } of readManifestFile(file).objects)
          await cluster.create(resources.customResourceDefinitions, object, { fieldManager });
    }
    const wanted = [clusterNetworkPolicyCases, adminNetworkPolicyCases, baselineCases].flatMap(([first]) => first ?? []);
    await waitUntil('cluster-wide policies are served', [], 20_000, async () => {
      const served = await cluster.discover('policy.networking.k8s.io');
      return wanted.every((first) => served.some(({ kind }) => kind === first.policy.kind));
    });
  });

  afterAll(async () => {
    await cluster.close();
    await controlPlane.stop();
  });

  const agrees = async (one: ClusterPolicyCase): Promise<void> => {
    const isRefusedThere = await cluster.create(resourceOf(one), one.policy, { fieldManager, dryRun: true }).then(
      () => false,
      (error: unknown) => {
        if (!isApiError(error, 400, 422)) throw error;
        return true;
      },
    );
    expect({ server: isRefusedThere, here: isRefused(flawsOf(one.policy)) }).toEqual({ server: one.isRefused, here: one.isRefused });
  };

  it('leaves a verdict open to a user who may not list them, beside all that he may', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const rules = [{ apiGroups: ['', 'apps', 'batch', 'networking.k8s.io', 'discovery.k8s.io'], resources: ['*'], verbs: ['list'] }];
    await controlPlane.request('POST', `${rbac}/clusterroles`, { metadata: { name: 'viewer' }, rules });
    await controlPlane.request('POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'viewer' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer' }],
    });
    const kubeconfig = controlPlane.users['viewer']?.kubeconfig ?? '';
    const ask = (as: string) =>
      netcheck(
        {
          source: { kind: 'cluster', flags: { kubeconfig: as } },
          from: 'as:app=x,ns=default',
          to: 'as:app=y,ns=default',
          port: 80,
          fix: false,
        },
        contextIn('/'),
      );
    const lists = ['clusternetworkpolicies', 'adminnetworkpolicies', 'baselineadminnetworkpolicies'];
    const open = lists.map((plural) => `${plural}.policy.networking.k8s.io, which may not be listed`).toSorted();
    await expect.poll(() => ask(kubeconfig).then(({ ingress }) => ingress?.dependsOn.toSorted()), { timeout: 10_000 }).toEqual(open);
    expect((await ask(kubeconfig)).verdict).toBe('depends');
    expect((await ask(controlPlane.kubeconfig)).verdict).toBe('allowed');
  });

  it.each(examples.flat())("the API's own test case %s", (file) => {
    const refusals = readManifestFile(file).objects.map(({ object }) => isRefused(flawsOf(object)));
    expect(refusals).toEqual([file.includes('/invalid/')]);
  });

  it.each(clusterNetworkPolicyCases)('ClusterNetworkPolicy: $what', agrees);
  it.each(adminNetworkPolicyCases)('AdminNetworkPolicy: $what', agrees);
  it.each(baselineCases)('BaselineAdminNetworkPolicy: $what', agrees);
});
