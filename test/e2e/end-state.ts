import { expect } from 'vitest';
import type { RealNode } from '../cluster/node.ts';
import { get } from './harness.ts';

interface Deployment {
  readonly spec: { readonly replicas: number };
  readonly status: { readonly readyReplicas?: number };
}
interface Service {
  readonly spec: { readonly selector: Readonly<Record<string, string>> };
}
interface List<T> {
  readonly items: readonly T[];
}
interface EndpointSlice {
  readonly endpoints:
    | readonly { readonly conditions: { readonly ready?: boolean }; readonly targetRef: { readonly name: string } }[]
    | null;
}

/** What kubectl shows of clef: what each side wants (and has ready), what the Service selects, whose ready pods are behind it. */
export interface EndState {
  readonly serve: string;
  readonly candle: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly behind: readonly string[];
}

export const onServe: EndState = { serve: '1/1', candle: '0/0', selector: { app: 'clef-serve' }, behind: ['clef-serve'] };
export const onCandle: EndState = { serve: '0/0', candle: '1/1', selector: { app: 'clef-candle' }, behind: ['clef-candle'] };

export async function endState(node: RealNode): Promise<EndState> {
  const inServing = '--namespace=llm-serving';
  const ready = async (name: string): Promise<string> => {
    const { spec, status } = await get<Deployment>(node, 'deployment', name, inServing);
    return `${status.readyReplicas ?? 0}/${spec.replicas}`;
  };
  const { spec } = await get<Service>(node, 'service', 'clef-serve', inServing);
  const slices = await get<List<EndpointSlice>>(node, 'endpointslices', '--selector=kubernetes.io/service-name=clef-serve', inServing);
  const endpoints = slices.items.flatMap((slice) => slice.endpoints ?? []).filter(({ conditions }) => conditions.ready);
  return {
    serve: await ready('clef-serve'),
    candle: await ready('clef-candle'),
    selector: spec.selector,
    behind: endpoints.map(({ targetRef }) => targetRef.name.replace(/-[0-9a-f]+-[0-9a-z]+$/, '')),
  };
}

/** The UID and address of the Service, which no hand-over may change. */
export async function identityOfService(node: RealNode): Promise<readonly string[]> {
  const service = await get<{ readonly metadata: { readonly uid: string }; readonly spec: { readonly clusterIP: string } }>(
    node,
    'service',
    'clef-serve',
    '--namespace=llm-serving',
  );
  expect(service.spec.clusterIP).toMatch(/^10\.96\./);
  return [service.metadata.uid, service.spec.clusterIP];
}
