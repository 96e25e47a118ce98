import { expect } from 'vitest';
import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { contract } from '../contract.ts';
import { jsonPatch, mergePatch, referTo, refusalOf, resources, service, written } from '../objects.ts';

const specOf = (
  object: KubernetesObject,
): {
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly selector?: unknown;
  readonly ports?: readonly unknown[];
} => object.spec as { clusterIP?: string };

contract('Services', (behaviour) => {
  behaviour('each gets an address of its own', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const addresses = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => specOf(await cluster.create(resources.services, service(namespace, name), written)).clusterIP),
    );
    expect(addresses).toEqual([
      expect.stringMatching(/^10\.96\.\d+\.\d+$/),
      expect.stringMatching(/^10\.96\./),
      expect.stringMatching(/^10\.96\./),
    ]);
    expect(new Set(addresses).size).toBe(3);
  });

  behaviour('the address is kept over every update', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.create(resources.services, service(namespace, 'a'), written);
    const replaced = await cluster.replace(resources.services, service(namespace, 'a', { selector: { app: 'b' } }), written);
    const patch = jsonPatch({ op: 'replace', path: '/spec/selector', value: { app: 'c' } });
    const patched = await cluster.patch(referTo(resources.services, namespace, 'a'), patch, written);
    expect(specOf(replaced)).toMatchObject({
      clusterIP: specOf(created).clusterIP,
      clusterIPs: specOf(created).clusterIPs,
      selector: { app: 'b' },
    });
    expect(specOf(patched)).toMatchObject({ clusterIP: specOf(created).clusterIP, selector: { app: 'c' } });
    expect(patched.metadata.uid).toBe(created.metadata.uid);
  });

  behaviour('the address cannot be changed', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    await cluster.create(resources.services, service(namespace, 'a'), written);
    const patch = mergePatch({ spec: { clusterIP: '10.96.200.200', clusterIPs: ['10.96.200.200'] } });
    expect(await refusalOf(cluster.patch(referTo(resources.services, namespace, 'a'), patch, written))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["10.96.200.200"]: may not change once set',
      details: { causes: [{ field: 'spec.clusterIPs[0]' }] },
    });
  });

  behaviour('an address that is asked for is given, once', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const { clusterIP = '' } = specOf(await cluster.create(resources.services, service(namespace, 'a'), written));
    const refusal = await refusalOf(cluster.create(resources.services, service(namespace, 'b', { clusterIP }), written));
    expect(refusal).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `Service "b" is invalid: spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: provided IP is already allocated`,
    });
    await cluster.delete(referTo(resources.services, namespace, 'a'));
    expect(specOf(await cluster.create(resources.services, service(namespace, 'b', { clusterIP }), written))).toMatchObject({ clusterIP });
  });

  behaviour('a deleted and recreated Service has another address and another UID', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const first = await cluster.create(resources.services, service(namespace, 'a'), written);
    await cluster.delete(referTo(resources.services, namespace, 'a'));
    const second = await cluster.create(resources.services, service(namespace, 'a'), written);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
    expect(specOf(second).clusterIP).not.toBe(specOf(first).clusterIP);
  });

  behaviour('a headless Service has no address', async ({ cluster, newNamespace }) => {
    const { spec } = await cluster.create(resources.services, service(await newNamespace(), 'a', { clusterIP: 'None' }), written);
    expect(spec).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  });

  behaviour('an ExternalName has neither address nor families', async ({ cluster, newNamespace }) => {
    const object = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: await newNamespace() },
      spec: { type: 'ExternalName', externalName: 'example.com' },
    };
    expect((await cluster.create(resources.services, object, written)).spec).toEqual({
      type: 'ExternalName',
      externalName: 'example.com',
      sessionAffinity: 'None',
    });
  });

  behaviour('a Service without selector is accepted', async ({ cluster, newNamespace }) => {
    const created = await cluster.create(resources.services, service(await newNamespace(), 'a', { selector: undefined }), written);
    expect(specOf(created).selector).toBeUndefined();
  });

  behaviour('an empty selector is no selector', async ({ cluster, newNamespace }) => {
    const created = await cluster.create(resources.services, service(await newNamespace(), 'a', { selector: {} }), written);
    expect(specOf(created).selector).toBeUndefined();
  });

  const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['without ports', { ports: [] }, 'spec.ports: Required value'],
    [
      'with a port out of range',
      { ports: [{ port: 70000, targetPort: 80 }] },
      'spec.ports[0].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      'with several ports of which one has no name',
      { ports: [{ port: 80, name: 'http' }, { port: 81 }] },
      'spec.ports[1].name: Required value',
    ],
    [
      'with a protocol that nobody speaks',
      { ports: [{ port: 80, protocol: 'ICMP' }] },
      'spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ],
    [
      'of a type that does not exist',
      { type: 'Internal' },
      'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    [
      'whose selector is no label',
      { selector: { app: 'not a label' } },
      'spec.selector: Invalid value: "not a label": a valid label must be an empty string',
    ],
  ];
  for (const [what, spec, message] of refused) {
    behaviour(`a Service ${what} is refused`, async ({ cluster, newNamespace }) => {
      const refusal = await refusalOf(cluster.create(resources.services, service(await newNamespace(), 'a', spec), written));
      expect(refusal).toMatchObject({ code: 422, reason: 'Invalid' });
      expect(refusal.message).toContain(`Service "a" is invalid: ${message}`);
    });
  }

  behaviour('two ports with one name are refused', async ({ cluster, newNamespace }) => {
    const ports = [
      { port: 80, name: 'http' },
      { port: 81, name: 'http' },
    ];
    const refusal = await refusalOf(cluster.create(resources.services, service(await newNamespace(), 'a', { ports }), written));
    expect(refusal.message).toBe('Service "a" is invalid: spec.ports[1].name: Duplicate value: "http"');
  });

  behaviour("a Service's name has to begin with a letter", async ({ cluster, newNamespace }) => {
    const refusal = await refusalOf(cluster.create(resources.services, service(await newNamespace(), '1a'), written));
    expect(refusal.message).toContain(
      'metadata.name: Invalid value: "1a": a DNS-1035 label must consist of lower case alphanumeric characters',
    );
  });

  behaviour('PUT of a Service that is not there creates it', async ({ cluster, newNamespace }) => {
    const namespace = await newNamespace();
    const created = await cluster.replace(resources.services, service(namespace, 'a'), written);
    expect(created.metadata.uid).toBeDefined();
  });
});
