import { packageDirectory, poimen } from '../commands.ts';
import type { RealNode } from '../../test/cluster/node.ts';

export const namespace = 'llm-serving';
export const service = 'clef-serve';

/** What answers behind the Service, by the names of the example's Deployments. */
export const sides = ['clef-serve', 'clef-candle'] as const;
export type Side = (typeof sides)[number];

export const otherSide = (side: Side): Side => (side === 'clef-serve' ? 'clef-candle' : 'clef-serve');

/** poimen with its probes and its journal; what people write by hand; the same with the checks that poimen makes. */
export const performers = ['poimen', 'script', 'checking script'] as const;
export type Performer = (typeof performers)[number];

const deadlineMs = 120_000;

/** Hands clef-serve over to `to`. Rejects when that fails. */
export const handOver = async (performer: Performer, to: Side, node: RealNode): Promise<void> => {
  const { command, args } = poimen(['cutover', 'clef', '--yes', ...(to === 'clef-serve' ? ['--reverse'] : [])]);
  const argv = performer === 'poimen' ? [command, ...args] : ['bash', '-c', performer === 'script' ? script : checkingScript];
  const { exitCode, stdout, stderr } = await node.run(argv, {
    cwd: packageDirectory,
    timeoutMs: deadlineMs,
    env: { from: otherSide(to), to },
  });
  if (exitCode !== 0) throw new Error(`${performer} to ${to} ended with ${exitCode}: ${stderr}${stdout}`);
};

const stopOld = `
kubectl scale "deployment/$from" --replicas=0
kubectl wait --for=delete pod -l "app=$from" --timeout=60s
`;

const startNew = `
kubectl scale "deployment/$to" --replicas=1
kubectl rollout status "deployment/$to" --timeout=60s
`;

const changeSelector = `
kubectl patch service ${service} -p "{\\"spec\\":{\\"selector\\":{\\"app\\":\\"$to\\"}}}"
`;

const inNamespace = `set -e
kubectl() { command kubectl -n ${namespace} "$@"; }
`;

const script = [inNamespace, stopOld, startNew, changeSelector].join('');

/** The answer before, the new pod on its own address, the endpoints, and three good answers in a row from the client's pod. */
const checkingScript = [
  inNamespace,
  `
ask() { command kubectl -n poimen exec deploy/poimen-memory -- wget -q -O /dev/null "http://$1/v1/systemone"; }
ask ${service}.${namespace}
`,
  stopOld,
  startNew,
  `
pod=$(kubectl get pods -l "app=$to" -o jsonpath='{.items[0].metadata.name} {.items[0].status.podIP}')
until ask "\${pod#* }:8080"; do sleep 0.25; done
`,
  changeSelector,
  `
behind() { kubectl get endpointslices -l kubernetes.io/service-name=${service} -o jsonpath='{.items[*].endpoints[?(@.conditions.ready==true)].targetRef.name}'; }
until [ "$(behind)" = "\${pod% *}" ]; do sleep 0.1; done
good=0
while [ $good -lt 3 ]; do
  if ask ${service}.${namespace}; then good=$((good + 1)); else good=0; fi
  [ $good -eq 3 ] || sleep 0.5
done
`,
].join('');
