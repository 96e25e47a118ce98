import { describe, expect, it } from 'vitest';
import type { Protocol } from '../../../src/kubernetes/pod.ts';
import { backendsOf } from '../../../src/network/inventory/backends.ts';
import { custom, inventoryOf, pod, service, workload } from './network-objects.ts';

const behind = (texts: readonly string[], port = 80, protocol: Protocol = 'TCP'): readonly string[] => {
  const { services, peers } = inventoryOf(texts.join(''));
  const [entry] = services;
  if (entry === undefined) throw new Error('no Service');
  return backendsOf(entry, port, protocol, peers).map(
    (backend) => `${backend.peer.kind === 'pod' ? backend.peer.name : backend.peer.address}:${backend.port} ${backend.state}`,
  );
};

const front = (spec: object = {}) =>
  service('shop/front', { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec });
const labels = { app: 'web' };

const slice = (
  endpoints: readonly object[],
  ports: readonly object[] = [{ name: 'http', port: 8080, protocol: 'TCP' }],
  name = 'front-1',
) =>
  custom('discovery.k8s.io/v1', 'EndpointSlice', `shop/${name}`, {
    metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'front' } },
    addressType: 'IPv4',
    endpoints,
    ports,
  });

const endpoint = (name: string, address: string, conditions = {}) => ({
  addresses: [address],
  conditions,
  targetRef: { kind: 'Pod', name, uid: `uid-of-${name}` },
});

describe('what is behind a Service', () => {
  it('is told by pod templates where there is nothing else', () => {
    expect(behind([front(), workload('shop/web'), workload('other/web')])).toEqual(['web:8080 hypothetical']);
  });

  it('a name is looked up on each pod, by protocol', () => {
    const a = workload('shop/a', { labels, ports: [{ name: 'http', containerPort: 8080 }] });
    const b = workload('shop/b', { labels, ports: [{ name: 'http', containerPort: 9090 }] });
    const c = workload('shop/c', { labels, ports: [{ name: 'http', containerPort: 53, protocol: 'UDP' }] });
    expect(behind([front(), a, b, c])).toEqual(['a:8080 hypothetical', 'b:9090 hypothetical', 'c:undefined hypothetical']);
  });

  it.each([
    ['no targetPort means the port itself', [{ port: 80 }], 'web:80 hypothetical'],
    ['a number is taken as it is', [{ port: 80, targetPort: 1234 }], 'web:1234 hypothetical'],
    [
      'of several ports the dialled one',
      [
        { name: 'a', port: 79, targetPort: 1 },
        { name: 'b', port: 80, targetPort: 2 },
      ],
      'web:2 hypothetical',
    ],
  ])('%s', (_what, ports, expected) => expect(behind([front({ ports }), workload('shop/web')])).toEqual([expected]));

  it('of two ports with one number the protocol decides', () => {
    const ports = [
      { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
      { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 5354 },
    ];
    expect(behind([front({ ports }), workload('shop/web')], 53, 'UDP')).toEqual(['web:5353 hypothetical']);
    expect(behind([front({ ports }), workload('shop/web')], 53, 'TCP')).toEqual(['web:5354 hypothetical']);
  });

  it('a headless Service translates nothing', () => {
    expect(behind([front({ clusterIP: 'None' }), workload('shop/web')])).toEqual(['web:80 hypothetical']);
  });

  it('EndpointSlices say who is ready, by pod', () => {
    const pods = ['a', 'b', 'c', 'd'].map((name, index) => pod(`shop/${name}`, { labels, ip: `10.0.0.${index}` }));
    const endpoints = [
      endpoint('a', '10.0.0.0', { ready: true }),
      endpoint('b', '10.0.0.1', { ready: false }),
      endpoint('c', '10.0.0.2', { ready: false, serving: true, terminating: true }),
    ];
    expect(behind([front(), ...pods, slice(endpoints)])).toEqual(['a:8080 ready', 'c:8080 terminating', 'b:8080 notReady']);
  });

  it('a pod in two slices, or in two families, counts once', () => {
    const web = pod('shop/a', { labels, ip: '10.0.0.1' });
    expect(behind([front(), web, slice([endpoint('a', '10.0.0.1')]), slice([endpoint('a', 'fd00::1')], undefined, 'front-2')])).toEqual([
      'a:8080 ready',
    ]);
  });

  it('without a selector a hand-written slice names addresses, and a pod where the address is one', () => {
    const bare = service('shop/front', { ports: [{ name: 'http', port: 80 }] });
    const endpoints = [{ addresses: ['192.0.2.7'] }, { addresses: ['10.0.0.1'] }];
    expect(behind([bare, pod('shop/a', { ip: '10.0.0.1' }), slice(endpoints)])).toEqual(['192.0.2.7:8080 ready', 'a:8080 ready']);
    expect(behind([bare, pod('shop/a', { ip: '10.0.0.1' })])).toEqual([]);
  });

  it('pods without slices are judged by their own readiness', () => {
    const sick = pod('shop/a', { labels, ip: '10.0.0.1', ready: false });
    expect(behind([front(), sick])).toEqual(['a:8080 notReady']);
    expect(behind([front({ publishNotReadyAddresses: true }), sick])).toEqual(['a:8080 ready']);
  });

  it('empty slices of a workload at zero leave the template', () => {
    expect(behind([front(), workload('shop/web', { replicas: 0 }), slice([])])).toEqual(['web:8080 hypothetical']);
  });
});
