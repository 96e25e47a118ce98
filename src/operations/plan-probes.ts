import type { ClusterIdentity } from '../cluster/cluster.ts';
import type { ProbeMeans, Prober } from '../cluster/prober.ts';
import type { PlannedProbes } from '../engine/plan.ts';
import { fullName, referenceKey, type ObjectReference } from '../kubernetes/reference.ts';
import type { Runbook } from '../runbook/runbook.ts';
import type { Blocker } from '../steps/step-kind.ts';
import { clientsOf } from './plan-probe-pods.ts';

export interface ProbesPlan {
  readonly probes: readonly PlannedProbes[];
  readonly blockers: readonly Blocker[];
}

/**
 * From which pods a run of the runbook would ask and with what, and why it could not: found out before the first write. Processes are
 * started in these pods for it; nothing is written.
 */
export const planProbes = async (
  prober: Prober,
  runbook: Runbook,
  identity: ClusterIdentity,
  signal: AbortSignal | undefined,
): Promise<ProbesPlan> => {
  const means = await Promise.all(clientsOf(runbook).flatMap((client) => prober.means?.(client, signal) ?? []));
  const judged = means.map((found) => judge(found, needsOf(runbook, found.client), identity));
  return { probes: judged.flatMap(({ probes }) => probes), blockers: judged.flatMap(({ blockers }) => blockers) };
};

interface Needs {
  readonly http: boolean;
  readonly tcp: boolean;
}

/** What the steps ask from this client: for a path, or for a bare connection. */
const needsOf = ({ steps, watched }: Runbook, client: ObjectReference): Needs => {
  const inputs = steps.flatMap(({ kind, input }) => (kind.probe === undefined ? [] : [input as Asking]));
  const own = [...inputs, ...(watched === undefined ? [] : [watched])].filter(
    (asking) => asking.client !== undefined && referenceKey(asking.client) === referenceKey(client),
  );
  return { http: own.some(({ path }) => path !== undefined), tcp: own.some(({ path }) => path === undefined) };
};

interface Asking {
  readonly client?: ObjectReference | undefined;
  readonly path?: string | undefined;
}

const judge = (means: ProbeMeans, needs: Needs, identity: ClusterIdentity): ProbesPlan => {
  const client = fullName(means.client);
  if (means.kind === 'unable') {
    const { code, reason } = means;
    return { probes: [], blockers: [{ code, reason, nextSteps: [...(adviceFor[code] ?? triesExec)(means.client, identity), noProbe] }] };
  }
  const { namespace, pod, container, tools, http, tcp } = means;
  const lacks = [
    ...(needs.http && http === undefined ? ['ask for an HTTP path'] : []),
    ...(needs.tcp && tcp === undefined ? ['make a bare connection (a runbook with a `path` needs none)'] : []),
  ];
  const used = {
    ...(needs.http && http !== undefined ? { http } : {}),
    ...(needs.tcp && tcp !== undefined ? { tcp } : {}),
  };
  const probes = [{ client, namespace, pod, container, tools, ...used }];
  if (lacks.length === 0) return { probes, blockers: [] };
  const reason = `${tools.map(({ name }) => name).join(', ')} in pod ${pod} of ${client} cannot ${lacks.join(' nor ')}`;
  return { probes, blockers: [{ code: 'NoProbeTool', reason, nextSteps: [probeImage, noProbe] }] };
};

const probeImage = 'ask from a pod of another image, which stands in for the client: add --probe-image IMAGE';
const noProbe = 'or add --no-probe: readiness, EndpointSlices and policies are judged, and plan and summary say "not probed"';

const triesExec = ({ namespace = '' }: ObjectReference): readonly string[] => [
  `see whether kubectl can: kubectl exec -n ${namespace} POD -- true`,
];

const adviceFor: Readonly<Record<string, (client: ObjectReference, identity: ClusterIdentity) => readonly string[]>> = {
  NoProbeTool: () => [probeImage],
  NoClientPod: ({ namespace = '' }) => [`see what keeps it: kubectl get pods -n ${namespace}`],
  // get is what WebSockets have always needed; servers since Kubernetes 1.35 want create for them, too
  ForbiddenToExec: ({ namespace = '' }, { user = 'this user' }) => [
    `have this rule added to a Role of "${user}" in ${namespace}: {apiGroups: [""], resources: ["pods/exec"], verbs: ["create", "get"]}`,
  ],
};
