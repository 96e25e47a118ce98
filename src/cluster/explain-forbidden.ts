import { PoimenError } from '../errors/poimen-error.ts';
import type { ApiError, ApiRequest } from './api-error.ts';
import type { ClusterIdentity } from './cluster.ts';
import { requestWords, serverWords } from './explain-api-error.ts';

/** One rule of a Role, and where it has to be. */
export interface MissingRule {
  readonly verb: string;
  readonly apiGroup: string;
  /** With the subresource: `deployments/scale`. */
  readonly resource: string;
  /** Absent: cluster-wide. */
  readonly namespace: string | undefined;
  readonly user: string | undefined;
}

/** 403: RBAC's refusals come with the rule that would help; those of admission (quotas, policies) with their own words only. */
export const explainForbidden = (error: ApiError, identity: ClusterIdentity): PoimenError => {
  const rule = readMissingRule(error.status.message);
  if (rule === undefined) {
    return new PoimenError({
      outcome: 'refused',
      code: 'Forbidden',
      summary: `the server forbids to ${requestWords(error.request)}`,
      detail: serverWords(error),
      cause: error,
    });
  }
  const user = rule.user ?? identity.user ?? 'this user';
  const resource = rule.apiGroup === '' ? rule.resource : `${rule.resource} (${rule.apiGroup})`;
  return new PoimenError({
    outcome: 'refused',
    code: 'Forbidden',
    summary: `user "${user}" may not ${rule.verb} ${resource} ${rule.namespace === undefined ? 'cluster-wide' : `in ${rule.namespace}`}${nameWords(error.request)}`,
    detail: serverWords(error),
    nextSteps: [`have someone with the right to do so create this, and bind it to "${user}":\n${roleYaml(rule)}`],
    cause: error,
  });
};

const nameWords = ({ name }: ApiRequest): string => (name === undefined ? '' : `: ${name}`);

/**
 * From the authorizer's message, which is more exact than the request: it names the subresource and, under impersonation, the user.
 *
 * Source: k8s.io/apiserver, responsewriters.ForbiddenMessage.
 */
export const readMissingRule = (message: string): MissingRule | undefined => {
  const match =
    /User "(?<user>[^"]*)" cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]+)")?/.exec(
      message,
    );
  const { user, verb, resource, group, namespace } = match?.groups ?? {};
  if (verb === undefined || resource === undefined) return undefined;
  return { verb, resource, apiGroup: group ?? '', namespace, user: user || undefined };
};

/** As short as it can be applied. */
export const roleYaml = ({ verb, apiGroup, resource, namespace }: MissingRule): string =>
  [
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${namespace === undefined ? 'ClusterRole' : 'Role'}`,
    namespace === undefined ? 'metadata: {name: poimen}' : `metadata: {name: poimen, namespace: ${namespace}}`,
    'rules:',
    `- {apiGroups: ["${apiGroup}"], resources: ["${resource}"], verbs: ["${verb}"]}`,
  ].join('\n');
