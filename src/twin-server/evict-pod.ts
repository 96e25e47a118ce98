import { isJsonObject } from '../kubernetes/json.ts';
import type { MemoryStore } from '../twin/api/memory-store.ts';
import { numberOf } from '../twin/api/json.ts';
import { readObjectBody } from './request-body.ts';
import type { ServerRequest } from './request.ts';
import type { Target } from './target.ts';
import { referenceOf } from './write-objects.ts';

/** A graceful deletion. The twin does not simulate PodDisruptionBudgets, so none speaks against it. Source: Kubernetes concepts, "API-initiated Eviction". */
export const evictPod = (store: MemoryStore, target: Target, request: ServerRequest): unknown => {
  const eviction = readObjectBody(request, {
    ...target,
    resource: { ...target.resource, group: 'policy', version: 'v1', kind: 'Eviction' },
  });
  const options = isJsonObject(eviction['deleteOptions']) ? eviction['deleteOptions'] : {};
  const gracePeriodSeconds = numberOf(options['gracePeriodSeconds']);
  store.delete(referenceOf(target), gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds });
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
};
