import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { connectLive } from '../../../src/cluster/live/connect-live.ts';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { apiVersionOf, qualifiedName, type Resource } from '../../../src/kubernetes/resource.ts';
import { tableOf, type Cell, type Table } from '../../../src/twin-server/table/table.ts';
import { clearNamespace } from '../clear-namespace.ts';
import { eventually } from '../eventually.ts';
import { systemClock } from '../../../src/clock/system-clock.ts';
import { mergePatch, referTo, resources, written } from '../objects.ts';
import { describeOnRealCluster, kubeconfigPath, newNamespace } from '../live/real-cluster.ts';
import { printedClusterWide, printedIn, widgetDefinition, widgets, type Printed } from './objects.ts';
import { podOf, podStates } from './pods.ts';
import { connectForTables, type TableClient } from './server-tables.ts';

/** Groups of which the real server serves something that the twin can hold. */
const groups = [
  '',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apps',
  'autoscaling',
  'batch',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
];

/** Printed with columns of their own by the server, and as any other built-in kind here: nothing that the twin is for has them. */
const leftOut: ReadonlySet<string> = new Set([
  'componentstatuses',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'ipaddresses.networking.k8s.io',
  'servicecidrs.networking.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

const notListed: ReadonlySet<string> = new Set(['bindings']);

describeOnRealCluster('tables', () => {
  let cluster: Cluster;
  let client: TableClient;
  let namespace = '';
  let served: readonly Resource[] = [];
  let clusterWide: readonly Printed[] = [];
  const widgetGroup = 'printed.example';
  const definition = widgetDefinition(widgetGroup);

  const resourceOf = ({ apiVersion, kind }: KubernetesObject): Resource =>
    served.find((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion) ??
    expect.fail(`${kind} of ${apiVersion} is not served`);

  const make = async ({ object, status }: Printed): Promise<void> => {
    const resource = resourceOf(object);
    await cluster.create(resource, object, written);
    if (status === undefined) return;
    const { name, namespace: within } = object.metadata;
    const reference = { resource, name, ...(within === undefined ? {} : { namespace: within }) };
    await cluster.patch(reference, mergePatch({ status }), { ...written, subresource: 'status' });
  };

  beforeAll(async () => {
    ({ cluster } = await connectLive({ kubeconfig: kubeconfigPath(), requestTimeoutMs: 10_000, env: {} }));
    client = await connectForTables(kubeconfigPath());
    namespace = await newNamespace(cluster);
    served = (await Promise.all(groups.map((group) => cluster.discover(group)))).flat();
    clusterWide = printedClusterWide(namespace);
    await eventually(
      { cluster, clock: systemClock },
      { resource: resources.serviceAccounts, namespace },
      (accounts) => accounts.length > 0,
    );
    await Promise.all(clusterWide.map(make));
    await Promise.all(printedIn(namespace).map(make));
    await Promise.all(
      podStates.map(async (state) => {
        const { status, deleted = false } = state;
        await make({ object: podOf(namespace, state), ...(status === undefined ? {} : { status }) });
        if (deleted) await cluster.delete(referTo(resources.pods, namespace, state.name), { gracePeriodSeconds: 0 });
      }),
    );
    await cluster.create(resources.customResourceDefinitions, definition, written);
    while ((await cluster.discover(widgetGroup)).length === 0) await new Promise<void>((resolve) => systemClock.after(50, resolve));
    const [widget] = await cluster.discover(widgetGroup);
    if (widget === undefined) expect.fail('no widgets');
    for (const object of widgets(widgetGroup, namespace)) await cluster.create(widget, object, written);
  });

  afterAll(async () => {
    const removals = [
      ...clusterWide.map(({ object }) => cluster.delete({ resource: resourceOf(object), name: object.metadata.name })),
      cluster.delete({ resource: resources.customResourceDefinitions, name: definition.metadata.name }),
      ...podStates
        .filter(({ deleted }) => deleted === true)
        .map(({ name }) =>
          cluster.patch(referTo(resources.pods, namespace, name), mergePatch({ metadata: { finalizers: null } }), written),
        ),
    ];
    await Promise.allSettled(removals);
    await clearNamespace(cluster, namespace);
    await cluster.close();
  });

  it('show a pod in each of its states under the words that kubectl shows', async () => {
    const { table } = await compare(client, resources.pods, namespace);
    const shown = Object.fromEntries(table.rows.map(({ cells: [name, , status] }) => [name, status]));
    expect(shown).toMatchObject(Object.fromEntries(podStates.map(({ name, shown: words }) => [name, words])));
  });

  it('are those of the real server for every resource that it lists, in all namespaces', async () => {
    const compared: string[] = [];
    for (const resource of served) {
      const name = qualifiedName(resource);
      if (leftOut.has(name) || notListed.has(name) || name.includes('/') || resource.kind.endsWith('Review')) continue;
      const { table } = await compare(client, resource);
      if (table.rows.length > 0) compared.push(name);
    }
    const made = [...clusterWide, ...printedIn(namespace)].map(({ object }) => qualifiedName(resourceOf(object)));
    expect(compared).toEqual(expect.arrayContaining(made));
  });

  it('follow the columns that a CustomResourceDefinition names', async () => {
    const [resource] = await cluster.discover(widgetGroup);
    if (resource === undefined) expect.fail('no widgets');
    const { table } = await compare(client, resource, namespace, definition);
    expect(table.rows.map(({ cells }) => cells[0])).toEqual(['empty', 'full', 'odd']);
  });

  it('show name and age of a custom resource whose definition names no columns', async () => {
    const group = 'unadorned.example';
    const plain = widgetDefinition(group);
    const { versions } = plain.spec as { readonly versions: readonly { readonly additionalPrinterColumns: unknown }[] };
    const withoutColumns = versions.map(({ additionalPrinterColumns: _, ...version }) => version);
    const unadorned = { ...plain, spec: { ...(plain.spec as object), versions: withoutColumns } };
    await cluster.create(resources.customResourceDefinitions, unadorned, written);
    try {
      while ((await cluster.discover(group)).length === 0) await new Promise<void>((resolve) => systemClock.after(50, resolve));
      const [resource] = await cluster.discover(group);
      const [object] = widgets(group, namespace);
      if (resource === undefined || object === undefined) expect.fail('no widgets');
      await cluster.create(resource, object, written);
      const { table } = await compare(client, resource, namespace, unadorned);
      expect(table.rows).toHaveLength(1);
    } finally {
      await cluster.delete({ resource: resources.customResourceDefinitions, name: unadorned.metadata.name });
    }
  });
});

/**
 * The server's table, after checking that the same one comes out of its objects. Ages are counted to a moment between the question
 * and the answer: each cell has to be what it would have been at the one or at the other.
 */
const compare = async (
  client: TableClient,
  resource: Resource,
  namespace?: string,
  definition?: KubernetesObject,
): Promise<{ readonly table: Table }> => {
  const { table, from, to } = await client.list(resource, namespace);
  const { rows } = table;
  const objects = rows.map(({ object }) => object).filter((object) => object !== null);
  const ours = (now: number): Table =>
    tableOf(resource, objects, { now, includeObject: 'Object', ...(definition === undefined ? {} : { definition }) });
  const [early, late] = [ours(from), ours(to)];
  const name = qualifiedName(resource);
  expect({ name, columns: early.columnDefinitions.map(shapeOf) }).toEqual({ name, columns: table.columnDefinitions.map(shapeOf) });
  for (const [index, { cells, conditions }] of rows.entries()) {
    const [first, second] = [early.rows[index], late.rows[index]];
    const closest = cells.map((cell, column): Cell | undefined => (second?.cells[column] === cell ? cell : first?.cells[column]));
    expect({ name, cells: closest, conditions: first?.conditions }).toEqual({ name, cells, conditions });
  }
  return { table };
};

const shapeOf = ({ name, type, format, priority }: Table['columnDefinitions'][number]): object => ({ name, type, format, priority });
