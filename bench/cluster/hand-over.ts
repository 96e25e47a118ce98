import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ControlPlane } from '../../test/cluster/control-plane.ts';
import { poimen } from '../commands.ts';
import { namespace, otherSide, type Side } from './workload.ts';

const run = promisify(execFile);

const deadlineMs = 120_000;

/** Both are administrators; the names tell them apart in the audit log. */
export const performers = ['poimen', 'script'] as const;
export type Performer = (typeof performers)[number];

/** Hands the Service over to `to`. Rejects when that fails. */
export const handOver = async (performer: Performer, to: Side, controlPlane: ControlPlane): Promise<void> => {
  const kubeconfig = controlPlane.users[performer]?.kubeconfig;
  if (kubeconfig === undefined) throw new Error(`no user ${performer}`);
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: controlPlane.dataDirectory }; // kubectl caches discovery below HOME
  await (performer === 'poimen' ? byPoimen(to, env) : byScript(to, controlPlane.kubectl, env));
};

const byPoimen = async (to: Side, env: NodeJS.ProcessEnv): Promise<void> => {
  const objects = ['svc/model', '-n', namespace, '--from', `deploy/${otherSide(to)}`, '--to', `deploy/${to}`, '--client', 'deploy/client'];
  const { command, args, cwd } = poimen(['cutover', ...objects, '--no-probe', '--yes']);
  await run(command, args, { env, cwd, timeout: deadlineMs });
};

/** What people write by hand. */
const script = `set -e
kubectl scale "deployment/$from" --replicas=0
kubectl wait --for=delete pod -l "app=$from" --timeout=60s
kubectl scale "deployment/$to" --replicas=1
kubectl rollout status "deployment/$to" --timeout=60s
kubectl patch service model -p "{\\"spec\\":{\\"selector\\":{\\"app\\":\\"$to\\"}}}"
`;

const byScript = async (to: Side, kubectl: string, env: NodeJS.ProcessEnv): Promise<void> => {
  const functions = `kubectl() { "${kubectl}" -n ${namespace} "$@"; }\n`;
  await run('bash', ['-c', functions + script], { env: { ...env, from: otherSide(to), to }, timeout: deadlineMs });
};
