import { resources, type Resource } from '../../src/kubernetes/resource.ts';
import { written } from './objects.ts';
import type { Subject } from './subjects.ts';

const widgets: Resource = { group: 'contract.example', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true };
const gadgets: Resource = { group: 'typed.contract.example', version: 'v1', plural: 'gadgets', kind: 'Gadget', namespaced: true };

/** A custom resource of which the API knows nothing but that it is an object. Defined once a cluster. */
export const defineWidgets = (subject: Subject): Promise<Resource> =>
  define(subject, widgets, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

/** A custom resource with a schema: lists by key, of values and without either, a map that is one value and one that is not. */
export const defineGadgets = (subject: Subject): Promise<Resource> => {
  const texts = { type: 'object', additionalProperties: { type: 'string' } };
  const part = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, size: { type: 'integer' } },
  };
  const properties = {
    parts: { type: 'array', items: part, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    loose: { type: 'array', items: { type: 'integer' } },
    fixed: { ...texts, 'x-kubernetes-map-type': 'atomic' },
    open: texts,
  };
  return define(subject, gadgets, { type: 'object', properties: { spec: { type: 'object', properties } } });
};

/** Defines a custom resource, once a cluster, and waits until it is served. */
const define = async ({ cluster, clock }: Subject, resource: Resource, openAPIV3Schema: object): Promise<Resource> => {
  const { group, plural, kind } = resource;
  const name = `${plural}.${group}`;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  if ((await cluster.get({ resource: resources.customResourceDefinitions, name })) === undefined) {
    await cluster.create(resources.customResourceDefinitions, definition, written);
  }
  while (!(await cluster.discover(group)).some((served) => served.plural === plural)) {
    await new Promise<void>((resolve) => clock.after(50, resolve));
  }
  return resource;
};
