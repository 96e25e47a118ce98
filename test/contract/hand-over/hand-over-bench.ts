import { expect } from 'vitest';
import type { RunEvent, RunResult } from '../../../src/engine/event.ts';
import type { Plan } from '../../../src/engine/plan.ts';
import type { Deployment } from '../../../src/kubernetes/deployment.ts';
import type { EndpointSlice } from '../../../src/kubernetes/endpoint-slice.ts';
import type { Pod } from '../../../src/kubernetes/pod.ts';
import type { Service } from '../../../src/kubernetes/service.ts';
import { planOn, type PlannedRun } from '../../../src/operations/plan-runbook.ts';
import { loadRunbook } from '../../../src/runbook/load-runbook.ts';
import type { Runbook } from '../../../src/runbook/runbook.ts';
import { atWorkbench, server, type ServerOptions, type Workbench } from '../controllers/workloads.ts';
import { resources, service } from '../objects.ts';
import type { Subject } from '../subjects.ts';

/** `old` and `new` both want all four cards of the node; `front` selects one of them; `client` uses it. */
export class HandOverBench {
  readonly bench: Workbench;

  constructor(bench: Workbench) {
    this.bench = bench;
  }

  /** The state before the hand-over: `old` serves. */
  async prepare(sides: { readonly old?: ServerOptions; readonly new?: ServerOptions } = {}): Promise<void> {
    const { bench } = this;
    const { namespace } = bench;
    await bench.create(resources.deployments, server(namespace, 'old', { gpus: 4, ...sides.old }));
    await bench.create(resources.deployments, server(namespace, 'new', { gpus: 4, replicas: 0, ...sides.new }));
    await bench.create(resources.deployments, server(namespace, 'client'));
    await bench.create(
      resources.services,
      service(namespace, 'front', { selector: { app: 'old' }, ports: [{ port: 80, targetPort: 8080 }] }),
    );
    await bench.untilSlices((slices) => readyPodsOf(slices, 'front').length === 1);
    await bench.untilPods((pods) =>
      pods.some(({ metadata, status }) => metadata.labels?.['app'] === 'client' && status?.phase === 'Running'),
    );
  }

  plan(
    options: { readonly reverse?: boolean; readonly replicas?: number; readonly deadlines?: Readonly<Record<string, string>> } = {},
  ): Promise<PlannedRun> {
    const { subject } = this.bench;
    // Not the subject's own close: the cluster goes on after the run.
    const open = {
      cluster: subject.cluster,
      clock: subject.clock,
      simulated: subject.name === 'the twin',
      defaultNamespace: 'default',
      close: async () => undefined,
    };
    return planOn(open, this.runbook(options), {
      probe: false,
      invocation: ['poimen', 'run', 'hand-over.yaml'],
      context: { operator: 'somebody@somewhere', randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    });
  }

  private runbook({ reverse = false, ...options }: NonNullable<Parameters<HandOverBench['plan']>[0]>): Runbook {
    const loaded = loadRunbook({ file: 'hand-over.yaml', text: this.text(options), set: {}, reverse });
    if (loaded.kind === 'invalid') return expect.fail(JSON.stringify(loaded.diagnostics, undefined, 1));
    return loaded.runbook;
  }

  /** The runbook, for whoever runs poimen as a program. */
  text({ replicas, deadlines }: { readonly replicas?: number; readonly deadlines?: Readonly<Record<string, string>> } = {}): string {
    const { namespace } = this.bench;
    return JSON.stringify({
      apiVersion: 'poimen.dev/v1alpha1',
      kind: 'Runbook',
      metadata: { name: 'hand-over', summary: 'front: from old to new' },
      objects: {
        service: `svc/front.${namespace}`,
        from: `deploy/old.${namespace}`,
        to: `deploy/new.${namespace}`,
        client: `deploy/client.${namespace}`,
      },
      steps: [
        {
          id: 'hand-over',
          cutover: {
            service: 'service',
            from: 'from',
            to: 'to',
            client: 'client',
            ...(replicas === undefined ? {} : { replicas }),
            ...(deadlines === undefined ? {} : { deadlines }),
          },
        },
      ],
    });
  }

  /** Plans and runs; `during` is told everything that happens, and may meddle. */
  async run(
    options: Parameters<HandOverBench['plan']>[0] & { readonly during?: (event: RunEvent, interrupt: () => void) => void } = {},
  ): Promise<{ readonly plan: Plan; readonly result: RunResult; readonly events: readonly RunEvent[] }> {
    const planned = await this.plan(options);
    const events: RunEvent[] = [];
    const interruption = new AbortController();
    try {
      expect(planned.plan.blockers).toEqual([]);
      const result = await planned.run((event) => {
        events.push(event);
        options.during?.(event, () => interruption.abort());
      }, interruption.signal);
      return { plan: planned.plan, result, events };
    } finally {
      await planned.close();
    }
  }

  /** What counts in the end. */
  async state(): Promise<{
    readonly old: number | undefined;
    readonly new: number | undefined;
    readonly selector: unknown;
    readonly behind: readonly string[];
    readonly pods: Readonly<Record<string, number>>;
  }> {
    const { bench } = this;
    const slices = await bench.subject.cluster.list({ resource: resources.endpointSlices, namespace: bench.namespace });
    const pods = (await bench.pods()).filter(({ metadata }) => metadata.labels?.['app'] !== 'client');
    return {
      old: (await bench.get<Deployment>(resources.deployments, 'old')).spec.replicas,
      new: (await bench.get<Deployment>(resources.deployments, 'new')).spec.replicas,
      selector: (await bench.get<Service>(resources.services, 'front')).spec.selector,
      behind: readyPodsOf(slices.items as readonly EndpointSlice[], 'front').map((pod) => sideOf(pods, pod)),
      pods: Object.fromEntries(
        ['old', 'new'].map((side) => [side, pods.filter(({ metadata }) => metadata.labels?.['app'] === side).length]),
      ),
    };
  }
}

export const handedOver = { old: 0, new: 1, selector: { app: 'new' }, behind: ['new'], pods: { old: 0, new: 1 } };
export const notHandedOver = { old: 1, new: 0, selector: { app: 'old' }, behind: ['old'], pods: { old: 1, new: 0 } };

const sideOf = (pods: readonly Pod[], name: string): string =>
  pods.find(({ metadata }) => metadata.name === name)?.metadata.labels?.['app'] ?? `unknown pod ${name}`;

export const readyPodsOf = (slices: readonly EndpointSlice[], serviceName: string): readonly string[] =>
  slices
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === serviceName)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .map(({ targetRef }) => targetRef?.name ?? '');

/** A hand-over in a namespace of its own, prepared as said. */
export const atHandOver = (
  sides: Parameters<HandOverBench['prepare']>[0],
  work: (handOver: HandOverBench) => Promise<void>,
): ((subject: Subject) => Promise<void>) =>
  atWorkbench(async (bench) => {
    const handOver = new HandOverBench(bench);
    await handOver.prepare(sides);
    await work(handOver);
  });
