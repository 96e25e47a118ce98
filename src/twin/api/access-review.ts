import type { KubernetesObject } from '../../kubernetes/object.ts';

/** The twin's user may do everything. Source: Kubernetes API reference, SelfSubjectAccessReview v1 authorization.k8s.io. */
export const reviewAccess = (review: KubernetesObject): KubernetesObject => ({ ...review, status: { allowed: true } });
