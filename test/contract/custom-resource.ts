import { resources, type Resource } from '../../src/kubernetes/resource.ts';
import { written } from './objects.ts';
import type { Subject } from './subjects.ts';

const widgets: Resource = { group: 'contract.example', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };

/** Defines a custom resource, once a cluster, and waits until it is served. */
export const defineWidgets = async ({ cluster, clock }: Subject): Promise<Resource> => {
  const name = 'widgets.contract.example';
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: widgets.group,
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  if ((await cluster.get({ resource: resources.customResourceDefinitions, name })) === undefined) {
    await cluster.create(resources.customResourceDefinitions, definition, written);
  }
  while (!(await cluster.discover(widgets.group)).some(({ plural }) => plural === widgets.plural)) {
    await new Promise<void>((resolve) => clock.after(50, resolve));
  }
  return widgets;
};
