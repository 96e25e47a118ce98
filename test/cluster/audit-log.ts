import { readFile } from 'node:fs/promises';

/**
 * One request as the API server saw it.
 *
 * Source: Kubernetes reference, "kube-apiserver Audit Configuration (v1)", Event.
 */
export interface AuditedRequest {
  readonly user: string;
  readonly verb: string;
  /** `pods`, `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uri: string;
  /** Milliseconds since the Unix epoch, with fractions. */
  readonly receivedMs: number;
  /** When the answer had been sent; absent while it has not. */
  readonly answeredMs?: number;
  readonly code?: number;
}

interface AuditEvent {
  readonly auditID: string;
  readonly stage: 'RequestReceived' | 'ResponseComplete';
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
}

/** Every request, in the order of their arrival. */
export const readAuditLog = async (path: string): Promise<readonly AuditedRequest[]> => {
  const requests = new Map<string, AuditedRequest>();
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines.pop(); // empty, or the beginning of one that is being written
  for (const line of lines) {
    const event = JSON.parse(line) as AuditEvent;
    requests.set(event.auditID, { ...requestOf(event), ...(event.stage === 'ResponseComplete' ? answerOf(event) : {}) });
  }
  return [...requests.values()].toSorted((a, b) => a.receivedMs - b.receivedMs);
};

const requestOf = ({ user, verb, objectRef = {}, requestURI, requestReceivedTimestamp }: AuditEvent): AuditedRequest => ({
  user: user.username,
  verb,
  resource: objectRef.subresource === undefined ? (objectRef.resource ?? '') : `${objectRef.resource}/${objectRef.subresource}`,
  namespace: objectRef.namespace ?? '',
  name: objectRef.name ?? '',
  uri: requestURI,
  receivedMs: preciseMs(requestReceivedTimestamp),
});

const answerOf = ({ stageTimestamp, responseStatus }: AuditEvent): Pick<AuditedRequest, 'answeredMs' | 'code'> => ({
  answeredMs: preciseMs(stageTimestamp),
  ...(responseStatus?.code === undefined ? {} : { code: responseStatus.code }),
});

/** `2026-11-30T22:15:04.123456Z`: Date keeps only the milliseconds. */
const preciseMs = (timestamp: string): number => Date.parse(timestamp) + Number(`0.${/\.\d{3}(\d*)Z$/.exec(timestamp)?.[1] ?? '0'}`);
