import { describe, expect, it } from 'vitest';
import { get, poimen, useRealNode } from './harness.ts';

interface Deployment {
  readonly spec: { readonly replicas: number };
  readonly status: { readonly readyReplicas?: number };
}
interface Service {
  readonly metadata: { readonly uid: string };
  readonly spec: { readonly clusterIP: string; readonly selector: Readonly<Record<string, string>> };
}
interface List<T> {
  readonly items: readonly T[];
}
interface EndpointSlice {
  readonly endpoints:
    | readonly { readonly conditions: { readonly ready?: boolean }; readonly targetRef: { readonly name: string } }[]
    | null;
}

const node = useRealNode();
const inServing = ['--namespace=llm-serving'];

describe('poimen cutover clef', () => {
  it('hands the Service over to candle and back again', async () => {
    const before = await get<Service>(node, 'service', 'clef-serve', ...inServing);

    const forward = await poimen(node, ['cutover', 'clef', '--yes', '--no-probe']);
    expect(forward).toMatchObject({ exitCode: 0 });
    expect(forward.stdout).toContain('deployment/clef-serve.llm-serving  replicas 1 -> 0');
    expect(forward.stdout).toContain('selector app=clef-serve -> app=clef-candle');
    expect(await endState()).toEqual({ 'clef-serve': 0, 'clef-candle': 1, selector: { app: 'clef-candle' }, behind: ['clef-candle'] });

    const back = await poimen(node, ['cutover', 'clef', '--reverse', '--yes', '--no-probe']);
    expect(back).toMatchObject({ exitCode: 0 });
    expect(await endState()).toEqual({ 'clef-serve': 1, 'clef-candle': 0, selector: { app: 'clef-serve' }, behind: ['clef-serve'] });

    const after = await get<Service>(node, 'service', 'clef-serve', ...inServing);
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.spec.clusterIP).toBe(before.spec.clusterIP);
  });
});

/** Ready pods of both, what the Service selects, and which workloads' ready pods are behind it. */
async function endState(): Promise<object> {
  const ready = async (name: string): Promise<number> => {
    const { spec, status } = await get<Deployment>(node, 'deployment', name, ...inServing);
    expect(status.readyReplicas ?? 0).toBe(spec.replicas);
    return spec.replicas;
  };
  const { spec } = await get<Service>(node, 'service', 'clef-serve', ...inServing);
  const slices = await get<List<EndpointSlice>>(node, 'endpointslices', '--selector=kubernetes.io/service-name=clef-serve', ...inServing);
  const endpoints = slices.items.flatMap((slice) => slice.endpoints ?? []).filter(({ conditions }) => conditions.ready);
  return {
    'clef-serve': await ready('clef-serve'),
    'clef-candle': await ready('clef-candle'),
    selector: spec.selector,
    behind: endpoints.map(({ targetRef }) => targetRef.name.replace(/-[0-9a-f]+-[0-9a-z]+$/, '')),
  };
}
