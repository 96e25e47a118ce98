import type { ControlPlane } from '../../test/cluster/control-plane.ts';
import { poimen } from '../commands.ts';
import { median, milliseconds, type Figure } from '../figure.ts';
import { measureProcess, type ProcessCost } from '../process-cost.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namespace, sides } from './workload.ts';

/** A whole `poimen plan` beside one `kubectl get`, on the same server. */
export const comparePlan = async (controlPlane: ControlPlane, rounds: number): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'poimen-bench-'));
  try {
    const file = join(folder, 'model.yaml');
    await writeFile(file, JSON.stringify(runbook));
    const env = { ...process.env, KUBECONFIG: controlPlane.kubeconfig, HOME: controlPlane.dataDirectory };
    const plan: ProcessCost[] = [];
    const get: ProcessCost[] = [];
    for (let count = 0; count <= rounds; count++) {
      const planned = await measureProcess(poimen(['plan', file, '--no-probe'], env));
      const got = await measureProcess({ command: controlPlane.kubectl, args: ['get', 'deployments', '-n', namespace], env });
      if (count === 0) continue;
      plan.push(planned);
      get.push(got);
    }
    return (['wallMs', 'cpuMs'] as const).map((part) => {
      const [own, kubectl] = [median(plan.map((cost) => cost[part])), median(get.map((cost) => cost[part]))];
      return {
        what: `a whole \`poimen plan\`: ${part === 'wallMs' ? 'wall' : 'CPU'}`,
        against: '`kubectl get deployments`',
        value: own / kubectl,
        medians: { poimen: milliseconds(own), kubectl: milliseconds(kubectl) },
        rounds,
      };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
};

export const runbook = {
  apiVersion: 'poimen.dev/v1alpha1',
  kind: 'Runbook',
  metadata: { name: 'model', summary: 'The model is served by the other side.' },
  objects: {
    service: `svc/model.${namespace}`,
    from: `deploy/${sides[0]}.${namespace}`,
    to: `deploy/${sides[1]}.${namespace}`,
    client: `deploy/client.${namespace}`,
  },
  steps: [{ id: 'hand-over', cutover: { service: 'service', from: 'from', to: 'to', client: 'client' } }],
};
