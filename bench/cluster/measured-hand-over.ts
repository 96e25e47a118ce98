import { benchmarkProfile } from '../../test/cluster/kwok.ts';
import type { AuditedRequest } from '../../test/cluster/audit-log.ts';
import type { Performer } from './hand-over.ts';
import { namespace, otherSide, type Side } from './workload.ts';

/** One hand-over as it was watched from outside. */
export interface HandOverRecord {
  readonly performer: Performer;
  readonly to: Side;
  /** Milliseconds since the Unix epoch, of this machine's clock, as in the audit log. */
  readonly startedMs: number;
  readonly endedMs: number;
  readonly outageMs: number;
}

export interface MeasuredHandOver extends HandOverRecord {
  /** From the answer to the request that removed the last old pod until the request that scales the other side up arrives. */
  readonly scaleUpGapMs: number;
  /** From the answer to the request that made the new pod ready until the request that changes the selector arrives. */
  readonly switchGapMs: number;
  /** Without a ready endpoint, minus what the pods themselves took to go and to start. */
  readonly addedOutageMs: number;
  /** The performer's own on Deployments, ReplicaSets, Pods, Services and EndpointSlices, without those of poimen's preflight. */
  readonly requests: readonly AuditedRequest[];
}

const targets = new Set(['deployments', 'replicasets', 'pods', 'services', 'endpointslices']);

/** On the objects that a hand-over is about; the preflight's looks at others' pods are not. */
export const isOnTarget = (request: AuditedRequest): boolean => targets.has(kindOf(request)) && !isPreflight(request);

/** @throws Error when the audit log lacks one of the requests that a hand-over consists of. */
export const measureHandOver = (record: HandOverRecord, log: readonly AuditedRequest[]): MeasuredHandOver => {
  const within = log.filter(({ receivedMs }) => receivedMs >= record.startedMs && receivedMs <= record.endedMs);
  const own = within.filter(({ user }) => user === record.performer);
  const podRequests = (side: Side, user: string, verb: string, resource: string): readonly AuditedRequest[] =>
    within.filter(
      (request) =>
        isOf(side, request) && request.user === user && request.verb === verb && request.resource === resource && isAccepted(request),
    );
  const from = otherSide(record.to);

  const scaleUp = found(
    'scale-up',
    own.find((request) => isWrite(request) && kindOf(request) === 'deployments' && request.name === record.to),
  );
  const change = found(
    'change of the selector',
    own.find((request) => isWrite(request) && kindOf(request) === 'services'),
  );
  const deleted = found('deletion', podRequests(from, replicaSetController, 'delete', 'pods').at(0));
  const gone = found('end of the old pod', podRequests(from, 'kwok', 'delete', 'pods').at(-1));
  const bound = found('binding', podRequests(record.to, 'system:kube-scheduler', 'create', 'pods/binding').at(-1));
  // the others come right after the binding, and kwok may repeat the last one
  const isReadiness = ({ receivedMs }: AuditedRequest): boolean => receivedMs > answered(bound) + benchmarkProfile.startMs / 2;
  const ready = found('readiness', podRequests(record.to, 'kwok', 'patch', 'pods/status').find(isReadiness));

  const podsMs = answered(gone) - answered(deleted) + (answered(ready) - answered(bound));
  return {
    ...record,
    scaleUpGapMs: scaleUp.receivedMs - answered(gone),
    switchGapMs: change.receivedMs - answered(ready),
    addedOutageMs: record.outageMs - podsMs,
    requests: own.filter(isOnTarget),
  };
};

/**
 * The preflight alone lists pods beyond the namespace: those on the node that the new ones could go to, and those that wait for one. Its
 * other lists are of other kinds.
 */
const isPreflight = ({ verb, namespace: within, resource }: AuditedRequest): boolean =>
  verb === 'list' && within === '' && resource === 'pods';

const replicaSetController = 'system:serviceaccount:kube-system:replicaset-controller';

const kindOf = ({ resource }: AuditedRequest): string => resource.replace(/\/.*/, '');

export const isWrite = ({ verb }: AuditedRequest): boolean => ['create', 'update', 'patch', 'delete'].includes(verb);

/** kwok deletes some pods twice. */
const isAccepted = ({ code = 0 }: AuditedRequest): boolean => code >= 200 && code < 300;

/** The pods of a Deployment begin with its name. A binding and a status name their pod, too. */
const isOf = (side: Side, request: AuditedRequest): boolean => request.namespace === namespace && request.name.startsWith(`${side}-`);

const found = (what: string, request: AuditedRequest | undefined): AuditedRequest => {
  if (request === undefined) throw new Error(`the audit log holds no ${what}`);
  return request;
};

const answered = ({ answeredMs, uri }: AuditedRequest): number => {
  if (answeredMs === undefined) throw new Error(`the audit log holds no answer to ${uri}`);
  return answeredMs;
};
