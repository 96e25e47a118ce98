import { isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { apiVersionOf } from '../kubernetes/resource.ts';
import { formatTime } from '../twin/api/timestamp.ts';
import { mediaTypeOf, readObjectBody } from './request-body.ts';
import type { ServerRequest } from './request.ts';
import type { Target } from './target.ts';

/** The one user of the twin. */
const user = { username: 'twin', groups: ['system:masters', 'system:authenticated'] };

/**
 * Questions of a client about itself: it is the twin's user, and may do everything. What exactly was asked makes no difference, so that
 * these can come as protobuf, too, in which kubectl asks them.
 *
 * Source: Kubernetes API reference, SelfSubjectReview v1, SelfSubjectAccessReview v1, SelfSubjectRulesReview v1.
 */
export const answerReview = (target: Target, request: ServerRequest, nowMs: number): KubernetesObject | JsonObject => {
  const { resource } = target;
  const asked: Readonly<Record<string, unknown>> =
    mediaTypeOf(request) === 'application/vnd.kubernetes.protobuf' ? {} : readObjectBody(request, target);
  const spec = isJsonObject(asked['spec']) ? { spec: asked['spec'] } : { spec: {} };
  const type = { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata: { creationTimestamp: formatTime(nowMs) } };
  switch (resource.kind) {
    case 'SelfSubjectReview':
      return { ...type, status: { userInfo: user } };
    case 'SelfSubjectRulesReview':
      return { ...type, ...spec, status: everything };
    default:
      return { ...type, ...spec, status: { allowed: true } };
  }
};

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};
