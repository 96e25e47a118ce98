import { describe, expect, it } from 'vitest';
import { endpointsOf, routableEndpoints, type EndpointSlice, type SliceEndpoint } from '../../src/kubernetes/endpoint-slice.ts';

const slice = (endpoints: SliceEndpoint[] | null, more: Partial<EndpointSlice> = {}): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 's' },
  addressType: 'IPv4',
  endpoints,
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  ...more,
});
const endpoint = (uid: string, conditions?: SliceEndpoint['conditions']): SliceEndpoint => ({
  addresses: [`10.0.0.${uid}`],
  targetRef: { kind: 'Pod', name: `pod-${uid}`, uid },
  ...(conditions === undefined ? {} : { conditions }),
});
const uids = (slices: EndpointSlice[]) => {
  const { ready, serving, terminating } = endpointsOf(slices);
  return { ready: ready.map(({ uid }) => uid), serving: serving.map(({ uid }) => uid), terminating: terminating.map(({ uid }) => uid) };
};

describe('endpointsOf', () => {
  it('reads unknown conditions as the API says: ready, serving like ready, not terminating', () => {
    expect(uids([slice([endpoint('1'), endpoint('2', { ready: null }), endpoint('3', { ready: false })])])).toEqual({
      ready: ['1', '2'],
      serving: ['1', '2'],
      terminating: [],
    });
  });

  it('keeps a terminating endpoint that still serves apart from the ready ones', () => {
    const going = endpoint('1', { ready: false, serving: true, terminating: true });
    expect(uids([slice([going])])).toEqual({ ready: [], serving: ['1'], terminating: ['1'] });
  });

  it('has a pod once that stands in two slices, with the ports of both', () => {
    const metrics = slice([endpoint('1')], { ports: [{ name: 'metrics', port: 9090 }] });
    expect(endpointsOf([slice([endpoint('1')]), metrics]).ready).toMatchObject([
      { uid: '1', ports: [{ name: 'http' }, { name: 'metrics' }] },
    ]);
  });

  it('has nothing for slices without endpoints or addresses', () => {
    expect(uids([slice(null), slice([]), slice([{ addresses: [] }])])).toEqual({ ready: [], serving: [], terminating: [] });
  });

  it('tells hand-written endpoints apart by their address', () => {
    expect(endpointsOf([slice([{ addresses: ['10.1.1.1'] }, { addresses: ['10.1.1.2'] }])]).ready).toHaveLength(2);
  });
});

describe('routableEndpoints: where a proxy sends', () => {
  const going = endpoint('1', { ready: false, serving: true, terminating: true });

  it('falls back to serving ones that terminate only while none is ready', () => {
    expect(routableEndpoints(endpointsOf([slice([going])])).map(({ uid }) => uid)).toEqual(['1']);
    expect(routableEndpoints(endpointsOf([slice([going, endpoint('2')])])).map(({ uid }) => uid)).toEqual(['2']);
  });

  it('sends nowhere when what terminates no longer serves', () => {
    expect(routableEndpoints(endpointsOf([slice([endpoint('1', { ready: false, serving: false, terminating: true })])]))).toEqual([]);
  });
});
