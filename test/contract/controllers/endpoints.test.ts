import { expect } from 'vitest';
import {
  endpointsOf,
  routableEndpoints,
  serviceNameLabel,
  type EndpointSlice,
  type SliceEndpoint,
} from '../../../src/kubernetes/endpoint-slice.ts';
import { isTerminating, type Pod } from '../../../src/kubernetes/pod.ts';
import { contract } from '../contract.ts';
import { mergePatch, referTo, resources, service } from '../objects.ts';
import { atWorkbench, isReady, server } from './workloads.ts';

const endpoints = (slices: readonly EndpointSlice[]): readonly SliceEndpoint[] => slices.flatMap((slice) => slice.endpoints ?? []);

const readyUids = (slices: readonly EndpointSlice[]): readonly (string | undefined)[] => endpointsOf(slices).ready.map(({ uid }) => uid);

const uidOf = ({ metadata }: Pod): string | undefined => metadata.uid;

contract('EndpointSlices', (behaviour) => {
  behaviour(
    'a Service has the pods that its selector matches, with address, port, node and UID, once they are ready',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { start: '2s' } }));
      const starting = await bench.untilSlices((slices) => endpoints(slices).length === 1);
      expect(endpoints(starting)[0]?.conditions).toEqual({ ready: false, serving: false, terminating: false });
      const pod = await bench.untilPod(isReady);
      const [slice] = await bench.untilSlices((slices) => readyUids(slices).length === 1);
      expect(slice).toMatchObject({
        addressType: 'IPv4',
        ports: [{ name: '', port: 8080, protocol: 'TCP' }],
        endpoints: [
          {
            addresses: [pod.status?.podIP],
            conditions: { ready: true, serving: true, terminating: false },
            nodeName: 'worker-1',
            targetRef: { kind: 'Pod', namespace: bench.namespace, name: pod.metadata.name, uid: pod.metadata.uid },
          },
        ],
      });
    }),
  );

  behaviour(
    'slices belong to their Service, by label and by owner, and carry its labels',
    atWorkbench(async (bench) => {
      const { metadata } = await bench.create(resources.services, service(bench.namespace, 'a', {}, { labels: { team: 'clef' } }));
      const [slice] = await bench.untilSlices((slices) => slices.length === 1);
      expect(slice?.metadata.name).toMatch(/^a-[a-z0-9]{5}$/);
      expect(slice?.metadata.labels).toEqual({
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        [serviceNameLabel]: 'a',
        team: 'clef',
      });
      expect(slice?.metadata.ownerReferences).toEqual([
        { apiVersion: 'v1', kind: 'Service', name: 'a', uid: metadata.uid, controller: true, blockOwnerDeletion: true },
      ]);
    }),
  );

  behaviour(
    'a Service without pods has one empty slice, and loses it when it is deleted',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      const [slice] = await bench.untilSlices((slices) => slices.length === 1);
      expect([slice?.endpoints, slice?.ports]).toEqual([null, null]);
      await bench.subject.cluster.delete(referTo(resources.services, bench.namespace, 'a'));
      await bench.untilSlices((slices) => slices.length === 0);
    }),
  );

  behaviour(
    'a Terminating pod still serves, is not ready, and is what is left to route to; then nothing is',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { terminate: '3s' } }));
      const pod = await bench.untilPod(isReady);
      await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.scale('a', 0);
      const slices = await bench.untilSlices((found) => readyUids(found).length === 0);
      expect(endpoints(slices)[0]?.conditions).toEqual({ ready: false, serving: true, terminating: true });
      expect(routableEndpoints(endpointsOf(slices)).map(({ uid }) => uid)).toEqual([pod.metadata.uid]);
      expect((await bench.pods()).map(isTerminating)).toEqual([true]);
      const [empty] = await bench.untilSlices((found) => endpoints(found).length === 0);
      expect(empty?.metadata.name).toBe(slices[0]?.metadata.name);
    }),
  );

  behaviour(
    'another selector moves the endpoints to the pods that it matches, in the same slice, and leaves the address of the Service',
    atWorkbench(async (bench) => {
      const { spec } = await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'b'));
      const pods = await bench.untilPods((found) => found.filter(isReady).length === 2);
      const before = await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.patch(resources.services, 'a', {
        type: 'json',
        operations: [{ op: 'replace', path: '/spec/selector', value: { app: 'b' } }],
      });
      const wanted = pods.filter(({ metadata }) => metadata.labels?.app === 'b').map(uidOf);
      const after = await bench.untilSlices((slices) => readyUids(slices)[0] === wanted[0]);
      expect(readyUids(after)).toEqual(wanted);
      expect(after.map(({ metadata }) => metadata.name)).toEqual(before.map(({ metadata }) => metadata.name));
      expect((await bench.get(resources.services, 'a')).spec).toMatchObject({ clusterIP: (spec as { clusterIP: string }).clusterIP });
    }),
  );

  behaviour(
    'a selector key that is merged in and not replaced selects nothing',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'b', { labels: { engine: 'new' } }));
      await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.patch(resources.services, 'a', mergePatch({ spec: { selector: { engine: 'new' } } }));
      await bench.untilSlices((slices) => endpoints(slices).length === 0);
    }),
  );

  behaviour(
    'two workloads with the label that a Service selects are both behind it',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a', { selector: { serves: 'clef' } }));
      await bench.create(resources.deployments, server(bench.namespace, 'a', { labels: { serves: 'clef' } }));
      await bench.create(resources.deployments, server(bench.namespace, 'b', { labels: { serves: 'clef' } }));
      const slices = await bench.untilSlices((found) => readyUids(found).length === 2);
      expect(new Set(readyUids(slices))).toEqual(new Set((await bench.pods()).map(uidOf)));
    }),
  );

  behaviour(
    'a selector that is taken away leaves its endpoints behind, ready for ever, though their pods are gone',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const before = await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.patch(resources.services, 'a', mergePatch({ spec: { selector: null } }));
      await bench.scale('a', 0);
      await bench.untilPods((pods) => pods.length === 0);
      await bench.passes(1_000);
      const after = await bench.untilSlices(() => true);
      // a real one mirrors them into a second slice, from the Endpoints object that is left behind as well
      expect(after.find(({ metadata }) => metadata.name === before[0]?.metadata.name)?.endpoints).toEqual(before[0]?.endpoints);
      expect(readyUids(after)).toEqual(readyUids(before));
    }),
  );

  behaviour(
    'publishNotReadyAddresses makes every pod a ready endpoint',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a', { publishNotReadyAddresses: true }));
      await bench.create(resources.deployments, server(bench.namespace, 'a', { script: { fail: 'never-ready' } }));
      const slices = await bench.untilSlices((found) => readyUids(found).length === 1);
      expect(endpoints(slices)[0]?.conditions).toEqual({ ready: true, serving: false, terminating: false });
    }),
  );

  behaviour(
    'a pod that stops being ready stops being a ready endpoint',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const pod = await bench.untilPod(isReady);
      await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.patch(
        resources.pods,
        pod.metadata.name,
        mergePatch({ metadata: { annotations: { 'twin.poimen.dev/fail': 'never-ready' } } }),
      );
      const slices = await bench.untilSlices((found) => readyUids(found).length === 0);
      expect(endpoints(slices)[0]?.conditions).toEqual({ ready: false, serving: false, terminating: false });
    }),
  );

  behaviour(
    'a pod that has ended is no endpoint',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a'));
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const ended = await bench.untilPod(isReady);
      await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.patch(resources.pods, ended.metadata.name, mergePatch({ status: { phase: 'Failed' } }), 'status');
      await bench.untilSlices(
        (found) => endpoints(found).length === 1 && endpoints(found).every(({ targetRef }) => targetRef?.uid !== ended.metadata.uid),
      );
    }),
  );

  behaviour(
    'a pod that loses the label is an endpoint no more',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a', { selector: { serves: 'clef' } }));
      await bench.create(resources.deployments, server(bench.namespace, 'a', { labels: { serves: 'clef' } }));
      const pod = await bench.untilPod(isReady);
      await bench.untilSlices((slices) => readyUids(slices).length === 1);
      await bench.passes(500); // by then nothing else makes anybody look
      await bench.patch(resources.pods, pod.metadata.name, mergePatch({ metadata: { labels: { serves: null } } }));
      await bench.untilSlices((slices) => endpoints(slices).length === 0);
      expect(isReady(await bench.untilPod(() => true))).toBe(true);
    }),
  );

  behaviour(
    'pods that give one name to different ports are in slices of their own, and one without the name gets no port',
    atWorkbench(async (bench) => {
      const named = (containerPort: number, name = 'api') => ({
        container: { ports: [{ name, containerPort }] },
        labels: { serves: 'clef' },
      });
      await bench.create(
        resources.services,
        service(bench.namespace, 'a', { selector: { serves: 'clef' }, ports: [{ port: 80, targetPort: 'api' }] }),
      );
      await bench.create(resources.deployments, server(bench.namespace, 'a', named(8080)));
      await bench.create(resources.deployments, server(bench.namespace, 'b', named(9090)));
      await bench.create(resources.deployments, server(bench.namespace, 'c', named(9090, 'other')));
      const slices = await bench.untilSlices((found) => readyUids(found).length === 3);
      const ports = slices.map((slice) => [slice.ports?.map(({ port }) => port), slice.endpoints?.length]);
      expect(ports.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual([
        [undefined, 1],
        [[8080], 1],
        [[9090], 1],
      ]);
      await bench.scale('b', 0);
      await bench.scale('c', 0);
      const left = await bench.untilSlices((found) => found.length === 1);
      expect(left[0]?.ports?.map(({ port }) => port)).toEqual([8080]);
    }),
  );

  behaviour(
    'a headless Service has endpoints too, and says what it is',
    atWorkbench(async (bench) => {
      await bench.create(resources.services, service(bench.namespace, 'a', { clusterIP: 'None' }));
      await bench.create(resources.deployments, server(bench.namespace, 'a'));
      const [slice] = await bench.untilSlices((found) => readyUids(found).length === 1);
      expect(slice?.metadata.labels).toHaveProperty(['service.kubernetes.io/headless'], '');
    }),
  );
});
