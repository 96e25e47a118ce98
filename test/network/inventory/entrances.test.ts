import { describe, expect, it } from 'vitest';
import { custom, inventoryOf, service, workload } from './network-objects.ts';

const entrancesOf = (...texts: readonly string[]) =>
  inventoryOf(texts.join('')).entrances.map(({ kind, object, to, port, ranges, seenAs }) => [
    kind,
    object,
    to,
    port,
    ...(ranges === undefined ? [] : [ranges]),
    seenAs,
  ]);

const ports = [{ port: 80, nodePort: 30_080 }];

describe('ways in from outside', () => {
  it('a ClusterIP opens none', () => expect(entrancesOf(service('shop/front', { ports }))).toEqual([]));

  it('a NodePort, on every node', () =>
    expect(entrancesOf(service('shop/front', { type: 'NodePort', ports }))).toEqual([
      ['NodePort 30080', 'service/front.shop', 'svc/front.shop', 80, 'a node, or the client'],
    ]));

  it('a load balancer with its source ranges; its node ports stay open to everybody', () =>
    expect(
      entrancesOf(
        service('shop/front', {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          loadBalancerSourceRanges: ['203.0.113.0/24'],
          ports,
        }),
      ),
    ).toEqual([
      ['LoadBalancer', 'service/front.shop', 'svc/front.shop', 80, ['203.0.113.0/24'], 'the client'],
      ['NodePort 30080', 'service/front.shop', 'svc/front.shop', 80, 'the client'],
    ]));

  it('a load balancer without node ports', () =>
    expect(entrancesOf(service('shop/front', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports }))).toHaveLength(1));

  it('external addresses of any Service', () =>
    expect(entrancesOf(service('shop/front', { externalIPs: ['198.51.100.1'], ports }))).toEqual([
      ['external IP 198.51.100.1', 'service/front.shop', 'svc/front.shop', 80, 'a node, or the client'],
    ]));

  it('an Ingress, by its default backend and its paths', () => {
    const backend = (name: string, port: object) => ({ service: { name, port } });
    const rules = [{ http: { paths: [{ backend: backend('a', { number: 80 }) }, { backend: backend('b', { name: 'http' }) }] } }, {}];
    expect(
      entrancesOf(
        custom('networking.k8s.io/v1', 'Ingress', 'shop/entry', { spec: { defaultBackend: backend('c', { number: 1 }), rules } }),
      ),
    ).toEqual([
      ['Ingress', 'ingress/entry.shop', 'svc/c.shop', 1, "the controller's pods"],
      ['Ingress', 'ingress/entry.shop', 'svc/a.shop', 80, "the controller's pods"],
      ['Ingress', 'ingress/entry.shop', 'svc/b.shop', 'http', "the controller's pods"],
    ]);
  });

  it('a route of the Gateway API, also into another namespace, and not to what is no Service', () => {
    const backendRefs = [
      { name: 'a', port: 80 },
      { name: 'b', namespace: 'desk', port: 81 },
      { name: 'c', kind: 'Bucket' },
    ];
    expect(entrancesOf(custom('gateway.networking.k8s.io/v1', 'HTTPRoute', 'shop/route', { spec: { rules: [{ backendRefs }] } }))).toEqual([
      ['HTTPRoute', 'httproute/route.shop', 'svc/a.shop', 80, "the controller's pods"],
      ['HTTPRoute', 'httproute/route.shop', 'svc/b.desk', 81, "the controller's pods"],
    ]);
  });

  it('a host port of a pod', () =>
    expect(entrancesOf(workload('shop/web', { ports: [{ containerPort: 8080, hostPort: 80 }, { containerPort: 1 }] }))).toEqual([
      ['hostPort 80', 'shop/web[Deployment]', 'shop/web[Deployment]', 8080, 'a node, or the client'],
    ]));

  it('objects without the wanted shape open none', () =>
    expect(
      entrancesOf(
        custom('networking.k8s.io/v1', 'Ingress', 'shop/a', { spec: { rules: 'x' } }),
        custom('gateway.networking.k8s.io/v1', 'HTTPRoute', 'shop/b', { spec: null }),
        custom('v1', 'Service', 'shop/c', { spec: { type: 'NodePort' } }),
      ),
    ).toEqual([]));
});
