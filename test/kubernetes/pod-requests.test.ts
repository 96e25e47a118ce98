import { describe, expect, it } from 'vitest';
import type { Container, ResourceList } from '../../src/kubernetes/pod.ts';
import { podRequests } from '../../src/kubernetes/pod-requests.ts';

const asking = (requests: ResourceList, more: Partial<Container> = {}): Container => ({ name: 'c', resources: { requests }, ...more });
const sidecar: Partial<Container> = { restartPolicy: 'Always' };

describe('podRequests', () => {
  it('adds the containers', () => {
    expect(podRequests({ containers: [asking({ cpu: '100m', memory: '1Gi' }), asking({ cpu: '200m', 'nvidia.com/gpu': 1 })] })).toEqual({
      cpu: 0.3,
      memory: 2 ** 30,
      'nvidia.com/gpu': 1,
    });
  });

  it('takes a limit without a request for a request: that is how cards are asked for', () => {
    const container: Container = { name: 'c', resources: { limits: { 'nvidia.com/gpu': '2', cpu: '4' }, requests: { cpu: '1' } } };
    expect(podRequests({ containers: [container] })).toEqual({ 'nvidia.com/gpu': 2, cpu: 1 });
  });

  it('takes an init container that asks for more than all containers together, per resource', () => {
    const spec = {
      initContainers: [asking({ cpu: '3', memory: '1Gi' }), asking({ cpu: '2' })],
      containers: [asking({ cpu: '1', memory: '2Gi' }), asking({ cpu: '1' })],
    };
    expect(podRequests(spec)).toEqual({ cpu: 3, memory: 2 * 2 ** 30 });
  });

  it('counts sidecars next to the containers, and next to the init containers behind them only', () => {
    const spec = {
      initContainers: [asking({ cpu: '5' }), asking({ cpu: '2' }, sidecar), asking({ cpu: '4' })],
      containers: [asking({ cpu: '3' })],
    };
    expect(podRequests(spec)).toEqual({ cpu: 6 });
    expect(podRequests({ ...spec, containers: [asking({ cpu: '8' })] })).toEqual({ cpu: 10 });
  });

  it("lets the pod's own resources stand for the containers', and adds the overhead to both", () => {
    const containers = [asking({ cpu: '1', 'nvidia.com/gpu': 1 })];
    expect(podRequests({ containers, resources: { requests: { cpu: '500m' } }, overhead: { cpu: '250m', memory: '1Ki' } })).toEqual({
      cpu: 0.75,
      memory: 1024,
      'nvidia.com/gpu': 1,
    });
  });

  it('asks for nothing when nothing is said', () => {
    expect(podRequests({ containers: [{ name: 'c' }] })).toEqual({});
  });
});
