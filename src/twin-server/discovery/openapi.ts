import type { ServedVersion } from './served-resources.ts';

/**
 * As much of OpenAPI v3 as kubectl asks for before it writes: which kinds there are, and that the server itself validates fields
 * (`fieldValidation`). There are no schemas, so `kubectl explain` has nothing to explain.
 *
 * Source: Kubernetes API concepts, "OpenAPI V3"; kubectl `pkg/cmd/util` and `k8s.io/cli-runtime/pkg/resource/query_param_verifier_v3.go`.
 */
export const openApiIndex = (versions: readonly ServedVersion[]): Readonly<Record<string, unknown>> => ({
  paths: Object.fromEntries(
    versions.map((version) => [pathOf(version), { serverRelativeURL: `/openapi/v3/${pathOf(version)}?hash=${hashOf(version)}` }]),
  ),
});

const pathOf = ({ group, version }: ServedVersion): string => (group === '' ? `api/${version}` : `apis/${group}/${version}`);

/** Clients keep the document by it: it changes when what is served does. */
const hashOf = ({ resources }: ServedVersion): string => resources.map(({ resource }) => resource.plural).join('.');

export const openApiDocument = (served: ServedVersion): Readonly<Record<string, unknown>> => ({
  openapi: '3.0.0',
  info: { title: 'Kubernetes, simulated by poimen', version: 'v1.34.4' },
  paths: Object.fromEntries(
    served.resources
      .filter(({ details }) => details.verbs.includes('patch'))
      .map(({ resource }) => {
        const root = `/${pathOf(served)}${resource.namespaced ? '/namespaces/{namespace}' : ''}/${resource.plural}/{name}`;
        const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({ name, in: 'query' }));
        const { group, version, kind } = resource;
        return [
          root,
          { patch: { 'x-kubernetes-action': 'patch', 'x-kubernetes-group-version-kind': { group, version, kind }, parameters } },
        ];
      }),
  ),
});
