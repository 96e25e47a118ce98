import { describe, expect, it } from 'vitest';
import { resolveTargetPort, type Service, type ServicePort } from '../../src/kubernetes/service.ts';
import { barePod } from '../builders/objects.ts';

const service = (...ports: ServicePort[]): Service => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports } });
const pod = barePod('p', {
  spec: {
    containers: [
      {
        name: 'c',
        ports: [
          { name: 'http', containerPort: 8080 },
          { name: 'dns', containerPort: 53, protocol: 'UDP' },
        ],
      },
    ],
  },
});

describe('resolveTargetPort', () => {
  it.each<[string, ServicePort, number, 'TCP' | 'UDP', number | undefined]>([
    ['a number', { port: 80, targetPort: 8081 }, 80, 'TCP', 8081],
    ['no target: the port itself', { port: 80 }, 80, 'TCP', 80],
    ['a name of the pod', { port: 80, targetPort: 'http' }, 80, 'TCP', 8080],
    ['a name in another protocol', { port: 80, targetPort: 'dns' }, 80, 'TCP', undefined],
    ['a name in its protocol', { port: 53, targetPort: 'dns', protocol: 'UDP' }, 53, 'UDP', 53],
    ['a name that the pod does not have', { port: 80, targetPort: 'grpc' }, 80, 'TCP', undefined],
    ['a port that the Service does not have', { port: 80, targetPort: 8080 }, 8080, 'TCP', undefined],
    ['a port of the other protocol', { port: 53, protocol: 'UDP' }, 53, 'TCP', undefined],
  ])('%s', (_case, declared, dialled, protocol, expected) => {
    expect(resolveTargetPort(service(declared), dialled, pod, protocol)).toBe(expected);
  });
});
