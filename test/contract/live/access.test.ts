import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { ApiError } from '../../../src/cluster/api-error.ts';
import { fieldManager, type Cluster } from '../../../src/cluster/cluster.ts';
import { explainApiError } from '../../../src/cluster/explain-api-error.ts';
import { isJsonObject, stringIn } from '../../../src/cluster/live/json.ts';
import { isKubernetesObject } from '../../../src/cluster/live/responses.ts';
import { resources, type Resource } from '../../../src/kubernetes/resource.ts';
import { temporaryFolder } from '../../cluster-client/live/connect.ts';
import { eventually } from '../eventually.ts';
import { changedKubeconfig, connectReal, describeOnRealCluster, newNamespace } from './real-cluster.ts';

const written = { fieldManager };
const rbac = (plural: string, kind: string): Resource => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural,
  kind,
  namespaced: true,
});

describeOnRealCluster('access', () => {
  it('names the Role that a user lacks, and with that Role the request is let through', async () => {
    const administrator = await connectReal();
    const namespace = await newNamespace(administrator);
    const user = `system:serviceaccount:${namespace}:limited`;
    const limited = await connectReal({ kubeconfig: await serviceAccountKubeconfig(administrator, namespace) });
    const listDeployments = () => limited.list({ resource: resources.deployments, namespace });

    const refusal: unknown = await listDeployments().catch((error: unknown) => error);
    if (!(refusal instanceof ApiError)) throw refusal;
    const explained = explainApiError(refusal, limited.identity);
    expect(explained).toMatchObject({
      code: 'Forbidden',
      exitCode: 3,
      message: `user "${user}" may not list deployments (apps) in ${namespace}`,
    });

    const role: unknown = parse(explained.nextSteps[0]?.split('\n').slice(1).join('\n') ?? '');
    if (!isKubernetesObject(role)) throw new Error('no Role');
    await administrator.create(rbac('roles', 'Role'), role, written);
    const binding = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'limited', namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'limited', namespace }],
    };
    await administrator.create(rbac('rolebindings', 'RoleBinding'), binding, written);
    await expect.poll(listDeployments, { timeout: 10_000 }).toMatchObject({ items: [] }); // the authorizer watches roles: not at once
  });

  it('acts as another user', async () => {
    const robot = await connectReal({ as: 'robot', asGroups: ['machines'] });
    await expect(robot.get({ resource: resources.nodes, name: 'worker-1' })).rejects.toMatchObject({
      status: {
        code: 403,
        message: 'nodes "worker-1" is forbidden: User "robot" cannot get resource "nodes" in API group "" at the cluster scope',
      },
    });
    const master = await connectReal({ as: 'robot', asGroups: ['system:masters'] });
    expect((await master.get({ resource: resources.namespaces, name: 'default' }))?.kind).toBe('Namespace');
  });

  it('says that a token is not accepted', async () => {
    const kubeconfig = join(await temporaryFolder(), 'kubeconfig');
    await writeFile(kubeconfig, await changedKubeconfig({ user: { token: 'no-such-token' } }));
    const cluster = await connectReal({ kubeconfig });
    await expect(cluster.list({ resource: resources.pods })).rejects.toMatchObject({
      status: { code: 401, reason: 'Unauthorized', message: 'Unauthorized' },
    });
  });
});

/** Of a new service account `limited` that may do nothing. */
const serviceAccountKubeconfig = async (cluster: Cluster, namespace: string): Promise<string> => {
  await cluster.create(
    resources.serviceAccounts,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'limited', namespace } },
    written,
  );
  const annotations = { 'kubernetes.io/service-account.name': 'limited' };
  await cluster.create(
    resources.secrets,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'limited', namespace, annotations },
      type: 'kubernetes.io/service-account-token',
    },
    written,
  );
  const selection = { resource: resources.secrets, namespace, fieldSelector: 'metadata.name=limited' };
  const [secret] = await eventually(
    { cluster, clock: systemClock },
    selection,
    ([object]) => isJsonObject(object?.['data']) && stringIn(object['data'], 'token') !== undefined,
  );
  const data = secret?.['data'];
  const token = isJsonObject(data) ? Buffer.from(stringIn(data, 'token') ?? '', 'base64').toString() : '';
  const path = join(await temporaryFolder(), 'kubeconfig');
  await writeFile(path, await changedKubeconfig({ user: { token } }));
  return path;
};
