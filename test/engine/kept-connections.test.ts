import { describe, expect, it } from 'vitest';
import type { Prober, TcpConnection } from '../../src/cluster/prober.ts';
import type { EndpointSlice } from '../../src/kubernetes/endpoint-slice.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import type { Service } from '../../src/kubernetes/service.ts';
import { atStep, handOver, TwinWorld } from './twin-world.ts';

const client = 'client-0';
const service = { resource: resources.services, namespace: 'shop', name: 'front' };

/** The twin, whose client has these connections: asked each time anew. */
const worldWith = async (
  connections: () => readonly TcpConnection[] | undefined,
): Promise<{ world: TwinWorld; addresses: { service: string; old: string } }> => {
  const world = await TwinWorld.open();
  const { prober } = world;
  const asking: Prober = {
    ask: (...question) => prober.ask(...question),
    connections: async () => {
      const seen = connections();
      return seen === undefined ? undefined : { pod: client, connections: seen };
    },
  };
  world.prober = asking;
  const { spec } = (await world.cluster.get(service)) as Service;
  const slices = (await world.cluster.list({ resource: resources.endpointSlices, namespace: 'shop' })).items as readonly EndpointSlice[];
  return { world, addresses: { service: spec.clusterIP ?? '', old: slices[0]?.endpoints?.[0]?.addresses[0] ?? '' } };
};

const to = (ip: string, port: number, localPort: number): TcpConnection => ({
  local: { ip: '10.244.0.9', port: localPort },
  remote: { ip, port },
});

const warningsOf = async (world: TwinWorld, during?: Parameters<TwinWorld['run']>[1]): Promise<readonly string[]> => {
  const { result, events } = await world.run([handOver()], during);
  expect(result.outcome).toBe('completed');
  expect(result.warnings).toEqual(events.flatMap((event) => (event.type === 'warning' ? [event.message] : [])));
  return result.warnings.filter((warning) => warning.includes('still established'));
};

describe('connections of the client that outlive the hand-over', () => {
  it('are told of when they go to an old pod', async () => {
    const open: TcpConnection[] = [];
    const { world, addresses } = await worldWith(() => open);
    open.push(to(addresses.old, 8080, 40_001), to(addresses.old, 8080, 40_002), to('10.9.9.9', 443, 40_003));
    expect(await warningsOf(world)).toEqual([
      expect.stringMatching(/^2 connections of client-0 are still established to old-\S+ at \S+: a Service moves new connections only/),
    ]);
  });

  it('are told of when they go through the Service and are older than the switch', async () => {
    const open: TcpConnection[] = [];
    const { world, addresses } = await worldWith(() => open);
    open.push(to(addresses.service, 80, 40_001));
    const later = atStep('h/after', () => open.push(to(addresses.service, 80, 40_002)));
    expect(await warningsOf(world, later)).toEqual([
      expect.stringMatching(/^1 connection of client-0 is still established to the old side of service\/front, made before the switch/),
    ]);
  });

  it('are not told of when they were made while somebody looked, after the switch', async () => {
    const open: TcpConnection[] = [];
    const { world, addresses } = await worldWith(() => open);
    const { prober } = world;
    let switched: (() => void) | undefined;
    const afterwards = new Promise<void>((resolve) => {
      switched = resolve;
    });
    let looks = 0;
    world.prober = {
      ask: (...question) => prober.ask(...question),
      connections: async (...call) => {
        if (++looks === 1) await afterwards; // a look that takes until then
        return await prober.connections?.(...call);
      },
    };
    const during = atStep('h/after', () => {
      open.push(to(addresses.service, 80, 40_009));
      switched?.();
    });
    expect(await warningsOf(world, during)).toEqual([]);
  });

  it('are not told of when they have ended', async () => {
    const open: TcpConnection[] = [];
    const { world, addresses } = await worldWith(() => open);
    open.push(to(addresses.service, 80, 40_001), to(addresses.old, 8080, 40_002));
    const ended = atStep('h/after', () => open.splice(0));
    expect(await warningsOf(world, ended)).toEqual([]);
  });

  it("stand in nobody's way where they cannot be seen", async () => {
    expect(await warningsOf((await worldWith(() => undefined)).world)).toEqual([]);
    const failing = await worldWith(() => {
      throw new Error('gone');
    });
    expect(await warningsOf(failing.world)).toEqual([]);
  });
});
